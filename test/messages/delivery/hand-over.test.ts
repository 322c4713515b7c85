// Delivery begins after the answer has left, and many messages are handed over at once.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createHandOver, type HandedOver, handOverMilliseconds } from '../../../src/messages/delivery/hand-over.ts';
import type { ClaimedMessage } from '../../../src/messages/outbox.ts';

const message = (id: string): ClaimedMessage => ({
  id,
  channel: 'sms',
  kind: 'phone-code',
  payload: {},
  createdAt: 0,
  expiresAt: 300_000,
  tries: 1,
  doubts: 0,
  heldUntil: 20_000,
});

describe('the handing over of messages', () => {
  const sent: HandedOver[] = [];
  const handOver = createHandOver((handedOver) => sent.push(handedOver));
  beforeEach(() => {
    sent.length = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('nothing is handed over until the answer to the request has left', () => {
    handOver.deliver(message('1'));
    handOver.wake('mail');
    mock.timers.tick(handOverMilliseconds - 1);
    assert.deepEqual(sent, []);
    mock.timers.tick(1);
    assert.deepEqual(sent, [{ wake: ['mail'], deliver: [message('1')] }]);
  });

  it('what gathers goes together, in its order, and the first does not wait for later ones', () => {
    handOver.deliver(message('1'));
    mock.timers.tick(handOverMilliseconds - 1);
    handOver.deliver(message('2'));
    handOver.wake('sms');
    handOver.wake('sms');
    mock.timers.tick(1);
    assert.deepEqual(sent, [{ wake: ['sms'], deliver: [message('1'), message('2')] }]);
    mock.timers.tick(handOverMilliseconds * 10);
    assert.equal(sent.length, 1, 'an empty one is not sent');
  });

  it('a stop hands over at once, and nothing a second time', () => {
    handOver.deliver(message('1'));
    handOver.flush();
    handOver.flush();
    mock.timers.tick(handOverMilliseconds);
    assert.deepEqual(sent, [{ wake: [], deliver: [message('1')] }]);
    handOver.deliver(message('2'));
    mock.timers.tick(handOverMilliseconds);
    assert.equal(sent.length, 2, 'it goes on after a flush');
  });
});
