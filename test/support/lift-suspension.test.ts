// Turning the spending brake off: which counters are reset, for one country or for all.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitClearing, LimitStore } from '../../src/abuse/limit-store.ts';
import { dayCounter, usageCounterId } from '../../src/abuse/sms-brake.ts';
import { suspensionId } from '../../src/abuse/suspension.ts';
import { liftSuspension } from '../../src/support/lift-suspension.ts';

const now = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'false alarm' } as const;

function open() {
  const cleared: LimitClearing[] = [];
  const clear = async (clearing: LimitClearing) => cleared.push(clearing);
  return { deps: { limits: { clear } as unknown as LimitStore, clock: { now: () => now } }, cleared };
}

describe('lifting a suspension', () => {
  it('without a country, the day of all countries starts anew', async () => {
    const { deps, cleared } = open();
    await liftSuspension(deps, { country: undefined, by });
    const ids = [dayCounter(now), suspensionId('day', '')];
    assert.deepEqual(cleared, [{ ids, kind: 'sms.resumed', detail: by, now }]);
  });

  for (const country of ['DE', '+88', '+881']) {
    it(`for ${country}, its day, its use and both kinds of suspension start anew`, async () => {
      const { deps, cleared } = open();
      await liftSuspension(deps, { country, by });
      const ids = [
        dayCounter(now, country),
        usageCounterId(country),
        suspensionId('country', country),
        suspensionId('unused', country),
      ];
      assert.deepEqual(cleared, [{ ids, kind: 'sms.resumed', detail: { country, ...by }, now }]);
    });
  }

  for (const country of ['', 'de', 'DEU', 'D', '+', '+1234', 'DE\n', '*']) {
    it(`${JSON.stringify(country)} is no country, and nothing is reset`, async () => {
      const { deps, cleared } = open();
      const refusal = { code: 'REQUEST_INVALID', detail: { field: 'country' } };
      await assert.rejects(liftSuspension(deps, { country, by }), refusal);
      assert.deepEqual(cleared, []);
    });
  }
});
