// The rule of retention: how long each kind of record is kept.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planRetention } from '../../src/kernel/retention.ts';
import { day, hour, minute, noon } from '../helpers/store/fixtures.ts';

describe('retention', () => {
  it('keeps ended sessions while their tokens last, and everything else for its days', () => {
    const input = { now: noon, accessTokenLifeSeconds: 900 };
    assert.deepEqual(planRetention(input), {
      sessions: noon - 15 * minute - hour,
      signingKeys: noon - 61 * day,
      inbox: noon - 7 * day,
      parkedMessages: noon - 7 * day,
      doneWebhooks: noon - 7 * day,
      oldWebhooks: noon - 30 * day,
      auditEvents: noon - 90 * day,
      dayCounts: noon - 90 * day,
      admins: noon - 90 * day,
      serviceKeys: noon - 90 * day,
    });
  });
});
