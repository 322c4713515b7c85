// The times of a service: the real ones, except those that are given.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { webhookTimes } from '../../src/backend/webhooks/deliver-webhooks.ts';
import { deliveryTimes } from '../../src/messages/delivery/deliver.ts';
import { chooseTimes } from '../../src/service/service-times.ts';

describe('the times of a service', () => {
  it('are the real ones if none is given', () => {
    const { delivery, webhooks } = chooseTimes();
    assert.deepEqual([delivery, webhooks], [deliveryTimes, webhookTimes]);
  });

  it('are replaced one by one', () => {
    const usual = chooseTimes();
    const { delivery, ...others } = chooseTimes({ delivery: { pollMilliseconds: 5 } });
    assert.deepEqual(delivery, { ...deliveryTimes, pollMilliseconds: 5 });
    const { delivery: _, ...rest } = usual;
    assert.deepEqual(others, rest);
  });

  it('of a lease leave room for two attempts, so that no other worker sends what is being sent', () => {
    const { delivery, webhooks } = chooseTimes();
    assert.ok(delivery.leaseSeconds * 1000 > 2 * delivery.sendMilliseconds);
    assert.ok(webhooks.leaseSeconds * 1000 > 2 * webhooks.sendMilliseconds);
  });
});
