// Staff schedule a number: which numbers are refused before the store, what is committed, and which outcome becomes which failure.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeUserPhone } from '../../../src/support/users/change-user-phone.ts';
import type { StaffPhoneChange, StaffPhoneOutcome } from '../../../src/support/users/staff-phone.ts';
import { createAuthStage, failureOf } from '../../helpers/people/auth-fakes.ts';
import { asPhone, asUserId } from '../../helpers/people/ids.ts';
import { brakePolicy, noon } from '../../helpers/store/fixtures.ts';

const by = { actor: 'cli', why: 'ticket 4712' } as const;
const input = { userId: asUserId('ann'), phone: '+49 (1511) 234-5678', by, language: 'de' } as const;
const phone = asPhone('+4915112345678');
const effectiveAt = noon + 60_000;

function stageOf(outcome: StaffPhoneOutcome, countries: readonly string[] = []) {
  const changes: StaffPhoneChange[] = [];
  const { deps, calls } = createAuthStage({}, { brake: { ...brakePolicy, countries }, phoneRecoveryWaitSeconds: 60 });
  const directory = {
    schedulePhone: async (change: StaffPhoneChange) => {
      changes.push(change);
      return outcome;
    },
  };
  return { deps: { ...deps, directory } as unknown as Parameters<typeof changeUserPhone>[0], changes, calls };
}

describe('scheduling a number for a user', () => {
  it('the change is committed with the wait, the notices, the name and the reason, and the delivery wakes', async () => {
    const { deps, changes, calls } = stageOf({ kind: 'scheduled', phone, effectiveAt });
    assert.deepEqual(await changeUserPhone(deps, input), { phone, effectiveAt });
    const [{ notices, ...change } = assert.fail()] = changes;
    assert.deepEqual(change, { userId: 'ann', phone, waitSeconds: 60, language: 'de', by, now: noon });
    for (const { payload } of [notices.sms.message, notices.mail.message])
      assert.deepEqual([payload.topic, payload.language], ['phone-change-scheduled', 'de']);
    assert.notEqual(notices.sms.tokenHash, notices.mail.tokenHash);
    assert.deepEqual(calls, [['wakeDelivery', undefined]]);
  });

  const block = { rule: { count: 3, windowSeconds: 86_400 }, retryAfterSeconds: 60 };
  const limit = { quota: 3, windowSeconds: 86_400, resetSeconds: 60 };
  const outcomes: [StaffPhoneOutcome['kind'], failure: string, detail: object][] = [
    ['gone', 'NOT_FOUND', {}],
    ['own', 'REQUEST_INVALID', { field: 'phone' }],
    ['taken', 'PHONE_TAKEN', {}],
    ['limited', 'RATE_LIMITED', { retryAfterSeconds: 60, policy: { name: 'phone-changes', ...limit } }],
  ];
  for (const [kind, failure, detail] of outcomes) {
    it(`a change that ends with ${kind} fails with ${failure}, and wakes nobody`, async () => {
      const { deps, calls } = stageOf({ kind, block } as StaffPhoneOutcome);
      assert.deepEqual(await failureOf(changeUserPhone(deps, input)), [failure, detail]);
      assert.deepEqual(calls, []);
    });
  }

  const refused: [phone: string, failure: string, countries?: string[]][] = [
    ['4711', 'PHONE_INVALID'],
    ['+49', 'PHONE_INVALID'],
    ['+49 900 1234567', 'PHONE_NOT_SUPPORTED'],
    [phone, 'PHONE_NOT_SUPPORTED', ['FR']],
  ];
  for (const [text, failure, countries] of refused) {
    it(`the number ${text}, served ${countries?.join() ?? 'everywhere'}, is refused with ${failure} and without the store`, async () => {
      const { deps, changes } = stageOf({ kind: 'scheduled', phone, effectiveAt }, countries);
      assert.equal((await failureOf(changeUserPhone(deps, { ...input, phone: text })))[0], failure);
      assert.deepEqual(changes, []);
    });
  }

  it('a change that ends in a way that is not known is an error', async () => {
    const { deps } = stageOf({ kind: 'new' } as never);
    await assert.rejects(changeUserPhone(deps, input), /not handled/);
  });
});
