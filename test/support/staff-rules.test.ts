// The rules of support: what an act makes of a user, and when a staff sign-in may be entered or ended.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clearingEvent } from '../../src/abuse/limit-store.ts';
import { deletionEnd, userDeletedEvent } from '../../src/auth/user.ts';
import {
  type AdminRecord,
  adminEndedEvent,
  adminPolicy,
  canEnd,
  canEnter,
  enteredEvent,
  stateOf,
  usedAt,
} from '../../src/support/admin.ts';
import { planAct, type UserAct } from '../../src/support/user-directory.ts';
import { hour, noon } from '../helpers/store/fixtures.ts';

const by = { actor: 'cli', why: 'fraud' } as const;

describe('an act on a user', () => {
  const earlier = noon - 5;
  const cases: [
    UserAct['act'],
    before: number | undefined,
    after: number | undefined,
    end: string | undefined,
    kind: string,
  ][] = [
    ['block', undefined, noon, 'blocked', 'user.blocked'],
    ['block', earlier, earlier, 'blocked', 'user.blocked'],
    ['unblock', earlier, undefined, undefined, 'user.unblocked'],
    ['unblock', undefined, undefined, undefined, 'user.unblocked'],
    ['sign out', earlier, earlier, 'revoked', 'user.signed-out'],
    ['sign out', undefined, undefined, 'revoked', 'user.signed-out'],
  ];
  for (const [act, before, after, end, kind] of cases) {
    it(`${act}, ${before === undefined ? 'not blocked' : 'blocked'} before`, () => {
      assert.deepEqual(planAct(before, { userId: 'user', act, by, now: noon }), {
        blockedAt: after,
        end,
        event: { kind, userId: 'user', detail: by, now: noon },
      });
    });
  }

  it('that deletes them ends their sessions and is written down', () => {
    assert.equal(deletionEnd, 'account deleted');
    const event = { kind: 'user.deleted', userId: 'user', detail: {}, now: noon };
    assert.deepEqual(userDeletedEvent({ userId: 'user', now: noon }), event);
    assert.deepEqual(userDeletedEvent({ userId: 'user', now: noon, by }), { ...event, detail: by });
  });

  it('that clears limits is written down by its kind', () => {
    const event = { kind: 'limits.cleared', detail: by, now: noon };
    assert.deepEqual(clearingEvent({ ids: ['a'], detail: by, now: noon }), event);
    assert.deepEqual(clearingEvent({ ids: [], kind: 'sms.resumed', userId: 'user', detail: by, now: noon }), {
      ...event,
      kind: 'sms.resumed',
      userId: 'user',
    });
  });
});

describe('a staff sign-in', () => {
  const waiting: AdminRecord = {
    id: 'id',
    name: 'Ann',
    createdAt: noon - hour,
    linkEndsAt: noon + 1,
    endsAt: noon + hour,
    lastUsedAt: undefined,
    endedAt: undefined,
    endReason: undefined,
  };
  const used = { ...waiting, lastUsedAt: noon - 1 };
  const cases: [state: string, AdminRecord, isEnterable: boolean, isEndable: boolean][] = [
    ['waiting', waiting, true, true],
    ['expired', { ...waiting, linkEndsAt: noon }, false, true],
    ['expired', { ...waiting, endsAt: noon }, false, true],
    ['active', used, false, true],
    ['idle', { ...used, lastUsedAt: noon - adminPolicy.idleSeconds * 1000 }, false, true],
    ['left', { ...used, endedAt: noon, endReason: 'left' }, false, false],
    ['revoked', { ...waiting, endedAt: noon, endReason: 'revoked' }, false, false],
    ['revoked', { ...waiting, endedAt: noon }, false, false],
  ];
  for (const [state, record, isEnterable, isEndable] of cases) {
    it(`that is ${state} can ${isEnterable ? '' : 'not '}be entered and can ${isEndable ? '' : 'not '}be ended`, () => {
      assert.deepEqual(
        [stateOf(record, noon), canEnter(record, noon), canEnd(record)],
        [state, isEnterable, isEndable],
      );
    });
  }

  it('is never set back in its use', () => {
    assert.equal(usedAt(waiting, noon), noon);
    assert.equal(usedAt({ ...waiting, lastUsedAt: noon + 5 }, noon), noon + 5);
  });

  it('writes down who entered and who ended it', () => {
    const who = { admin: 'Ann', token: 'id' };
    assert.deepEqual(enteredEvent(waiting, noon), {
      kind: 'admin.entered',
      detail: { actor: 'admin', ...who },
      now: noon,
    });
    assert.deepEqual(adminEndedEvent(waiting, { id: 'id', reason: 'left', now: noon }), {
      kind: 'admin.left',
      detail: { actor: 'admin', ...who },
      now: noon,
    });
    assert.deepEqual(adminEndedEvent(waiting, { id: 'id', reason: 'revoked', by, now: noon }), {
      kind: 'admin.revoked',
      detail: { ...by, ...who },
      now: noon,
    });
  });
});
