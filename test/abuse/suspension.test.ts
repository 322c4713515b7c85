// A suspension by the spending brake is written down once, and names its country unless it is for all.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brakeRules } from '../../src/abuse/sms-brake.ts';
import { judgeSuspension, type Suspension, suspensionId } from '../../src/abuse/suspension.ts';
import { noon } from '../helpers/store/fixtures.ts';

const suspension: Suspension = { rule: 'country', country: 'DE', until: noon + 9, now: noon };

describe('a suspension', () => {
  const cases: [what: string, notedUntil: number | undefined, isWritten: boolean][] = [
    ['is written down the first time', undefined, true],
    ['is not written down while an earlier one applies', noon + 1, false],
    ['is written down again when the earlier one ends', noon, true],
    ['is written down again after the earlier one', noon - 1, true],
  ];
  for (const [what, notedUntil, isWritten] of cases) {
    it(`a suspension ${what}`, () => {
      const expected = {
        count: { id: 'sms-suspended:country:DE', value: noon + 9, endsAt: noon + 9 },
        event: { kind: 'spend.suspended', detail: { rule: 'country', country: 'DE' }, now: noon },
      };
      assert.deepEqual(judgeSuspension(notedUntil, suspension), isWritten ? expected : undefined);
    });
  }

  for (const rule of brakeRules) {
    const isForAll = rule === 'day';
    it(`a suspension by the rule ${rule} names ${isForAll ? 'no country' : 'its country'}`, () => {
      assert.equal(suspensionId(rule, 'DE'), isForAll ? 'sms-suspended:day' : `sms-suspended:${rule}:DE`);
      const noted = judgeSuspension(undefined, { ...suspension, rule });
      assert.deepEqual(noted?.event.detail, isForAll ? { rule } : { rule, country: 'DE' });
      assert.equal(noted?.count.id, suspensionId(rule, 'DE'));
    });
  }
});
