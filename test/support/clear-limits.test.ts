// Clearing the limits of a subject: all its counters, and an audit event that shows the subject masked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitClearing } from '../../src/abuse/limit-store.ts';
import { markRecipient } from '../../src/kernel/crypto/recipient-mark.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { clearLimits } from '../../src/support/clear-limits.ts';
import { countersOf, type LimitSubject } from '../../src/support/recipient-limits.ts';
import { asPhone, asUserId } from '../helpers/people/ids.ts';

const now = Date.UTC(2031, 4, 5, 12);
const by = { actor: 'cli', why: 'school network' } as const;
const secrets = createSecrets('the secret of the service, long enough');
const sends = { resendAfterSeconds: [60], perRecipient: [{ count: 1, windowSeconds: 60 }], perIp: [] };
const otp = { lifeSeconds: 1, capSeconds: 1, attempts: 1, failuresPerRecipient: [], failuresPerCaller: [] };
const policies = {
  sends: { sms: sends, mail: sends },
  otp: { sms: otp, mail: otp },
  brake: { countries: [], perDay: 0, perCountryPerDay: 0, perPrefix: [], unused: undefined },
};

function open() {
  const cleared: LimitClearing[] = [];
  const limits = {
    read: async () => undefined,
    list: async () => [],
    clear: async (clearing: LimitClearing) => {
      cleared.push(clearing);
      return 3;
    },
  };
  return { deps: { ...policies, limits, secrets, clock: { now: () => now } }, cleared };
}

describe('clearing limits', () => {
  for (const [subject, shown] of [
    [{ kind: 'phone', text: '+12025550123' }, { phone: '+12•••23' }],
    [{ kind: 'email', text: 'ann@example.com' }, { email: 'a•••@example.com' }],
    [{ kind: 'address', text: '203.0.113.7' }, { address: '203.0.113.7' }],
  ] as [LimitSubject, Record<string, string>][]) {
    it(`all counters of a ${subject.kind} are cleared, and the event shows ${Object.values(shown)}`, async () => {
      const { deps, cleared } = open();
      assert.equal(await clearLimits(deps, { subject, userId: asUserId('ann'), by }), 3);
      const ids = countersOf(subject, policies).map(({ id }) => id);
      const detail = { ...shown, recipient: markRecipient(secrets, subject.text), ...by };
      assert.deepEqual(cleared, [{ ids, userId: 'ann', detail, now }]);
    });
  }

  it('without a user, the event names none', async () => {
    const { deps, cleared } = open();
    await clearLimits(deps, { subject: { kind: 'phone', text: asPhone('+12025550123') }, by });
    assert.equal('userId' in (cleared[0] ?? {}), false);
  });
});
