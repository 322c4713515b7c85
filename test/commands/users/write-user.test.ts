// How a user is shown: masked, unless the operator asks for it in full.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { staffView } from '../../../src/auth/directory/user-views.ts';
import { recordReveal, shownUserData, userHead, userRow } from '../../../src/commands/users/write-user.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';

const ann = makeUserRecord({ phone: asPhone('+12025550123'), email: asEmail('ann@example.com'), createdAt: 0 });

describe('a user on the terminal', () => {
  it('is masked, and shown in full on request', () => {
    assert.deepEqual(userRow(ann, false), ['ann', '+12•••23', 'a•••@example.com', '1970-01-01 00:00:00Z', '-']);
    assert.deepEqual(userRow(ann, true).slice(1, 3), [asPhone('+12025550123'), 'ann@example.com']);
    assert.equal(userRow(ann, true).length, userHead.length);
  });

  it('without an address has none, and when blocked the time', () => {
    const bob = { ...ann, email: undefined, blockedAt: 1000 };
    assert.deepEqual(userRow(bob, true).slice(2), ['-', '1970-01-01 00:00:00Z', '1970-01-01 00:00:01Z']);
  });

  it('with the last use and the number that is scheduled, masked too', () => {
    const scheduled = { phone: asPhone('+12025550199'), effectiveAt: 2000 };
    const more = {
      lastUsedAt: '1970-01-01T00:00:01.000Z',
      nextPhone: '+12•••99',
      nextPhoneAt: '1970-01-01T00:00:02.000Z',
    };
    const shown = { user: ann, lastUsedAt: 1000, scheduled };
    assert.deepEqual(shownUserData(shown, false), { ...staffView(ann, false).account, ...more });
    assert.equal(shownUserData(shown, true).nextPhone, asPhone('+12025550199'));
    const again = shownUserData({ ...shown, scheduled: { ...scheduled, effectiveAt: undefined } }, false);
    assert.deepEqual([again.nextPhone, again.nextPhoneAt], ['+12•••99', null]);
    const none = shownUserData({ ...shown, scheduled: undefined }, false);
    assert.deepEqual([none.nextPhone, none.nextPhoneAt], [null, null]);
  });

  it('who is revealed is written down, one event for each', async () => {
    const events: unknown[] = [];
    const audit = { record: async (event: unknown) => void events.push(event), list: async () => [] };
    const by = { actor: 'cli', why: 'ticket' } as const;
    await recordReveal({ audit, clock: { now: () => 9 } }, by, [asUserId('ann'), asUserId('bob')]);
    assert.deepEqual(
      events,
      ['ann', 'bob'].map((userId) => ({ kind: 'user.revealed', userId, detail: by, now: 9 })),
    );
  });
});
