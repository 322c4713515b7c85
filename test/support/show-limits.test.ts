// The limits of a subject as they are shown: each counter with its reading.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countersOf, type LimitSubject } from '../../src/support/recipient-limits.ts';
import { showLimits } from '../../src/support/show-limits.ts';
import { asPhone } from '../helpers/people/ids.ts';

const now = Date.UTC(2031, 4, 5, 12);
const sends = { resendAfterSeconds: [60], perRecipient: [{ count: 1, windowSeconds: 60 }], perIp: [] };
const otp = { lifeSeconds: 1, capSeconds: 1, attempts: 1, failuresPerRecipient: [], failuresPerCaller: [] };
const policies = {
  sends: { sms: sends, mail: sends },
  otp: { sms: otp, mail: otp },
  brake: { countries: [], perDay: 0, perCountryPerDay: 0, perPrefix: [], unused: undefined },
};

describe('the limits that are shown', () => {
  it('every counter of the subject is read once, in their order, and shown with its kind and name', async () => {
    const subject: LimitSubject = { kind: 'phone', text: asPhone('+12025550123') };
    const counters = countersOf(subject, policies);
    const sent = counters.find(({ kind }) => kind === 'sends')?.id;
    const asked: string[] = [];
    const limits = {
      read: async (id: string) => {
        asked.push(id);
        return id === sent ? [now] : undefined;
      },
      list: async () => [],
      clear: async () => 0,
    };
    const shown = await showLimits({ ...policies, limits, clock: { now: () => now } }, subject);
    assert.deepEqual(
      asked,
      counters.map(({ id }) => id),
    );
    assert.deepEqual(
      shown.map(({ kind, name }) => [kind, name]),
      counters.map(({ kind, name }) => [kind, name]),
    );
    assert.deepEqual(
      shown.filter(({ hits }) => hits > 0),
      [
        {
          kind: 'sends',
          name: 'messages to this recipient',
          subject: '+12•••23',
          hits: 1,
          lastAt: now,
          blockedSeconds: 60,
        },
      ],
    );
  });
});
