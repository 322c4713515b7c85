// The rules of a session's life: times, rotation, eviction and ending.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ending, Rotation, RotationState, SessionEnd } from '../../../src/auth/sessions/session.ts';
import {
  chooseEnded,
  chooseEvicted,
  endedEvents,
  evictedEvent,
  expiryOf,
  isAlive,
  planReseeding,
  planRotation,
  type RotationPlan,
  reusedEvent,
  startSessionAt,
} from '../../../src/auth/sessions/session-rules.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionDraft } from '../../helpers/store/fixtures.ts';

const policy = { idleSeconds: 60, lifeSeconds: 600, graceSeconds: 30, perUser: 3 };

describe('the times of a session', () => {
  it('start with its idle time and its longest life', () => {
    assert.deepEqual(startSessionAt(policy, noon), { expiresAt: noon + 60_000, endsAt: noon + 600_000 });
  });

  it('let it live until it expires', () => {
    assert.equal(isAlive({ expiresAt: noon + 1 }, noon), true);
    assert.equal(isAlive({ expiresAt: noon }, noon), false);
  });

  it('tell why it expired', () => {
    assert.equal(expiryOf({ endsAt: noon }, noon), 'absolute');
    assert.equal(expiryOf({ endsAt: noon + 1 }, noon), 'idle');
  });
});

describe('a new session', () => {
  const used = (...times: number[]) => times.map((lastUsedAt) => ({ lastUsedAt }));
  const cases: [live: number[], perUser: number, evicted: number[]][] = [
    [[], 3, []],
    [[1, 2], 3, []],
    [[3, 1, 2], 3, [1]],
    [[3, 1, 5, 2, 4], 3, [1, 2, 3]],
    [[2, 1], 1, [1, 2]],
    [[3, 1, 2], 5, []],
  ];
  for (const [live, perUser, evicted] of cases) {
    it(`beside [${live}] with ${perUser} allowed evicts [${evicted}]`, () => {
      const sessions = used(...live);
      assert.deepEqual(chooseEvicted(sessions, perUser), used(...evicted));
      assert.deepEqual(sessions, used(...live), 'the list itself stays as it is');
    });
  }

  it('leaves the newest of any sessions, in whatever order they are listed, and with it there are as many as allowed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), fc.integer({ min: 1, max: 25 }), (times, perUser) => {
        const sessions = used(...times);
        const evicted = chooseEvicted(sessions, perUser);
        const left = sessions.filter((session) => !evicted.includes(session));
        assert.equal(evicted.length + left.length, sessions.length);
        assert.equal(left.length + 1, Math.min(sessions.length + 1, perUser));
        const newest = Math.max(...evicted.map(({ lastUsedAt }) => lastUsedAt));
        assert.ok(left.every(({ lastUsedAt }) => lastUsedAt >= newest));
      }),
      { numRuns: rounds(200), seed },
    );
  });

  it('writes down whom it evicted', () => {
    const event = { kind: 'session.evicted', userId: 'user', detail: { session: 'old' }, now: noon };
    assert.deepEqual(evictedEvent(asUserId('user'), asSessionId('old'), sessionDraft(noon)), event);
  });
});

describe('the rotation of a session', () => {
  const client = { agent: 'agent', network: 'network', device: 'device' };
  const state: RotationState = {
    seedHash: 'seed',
    counter: 5,
    rotatedAt: noon - 1000,
    rotatedBy: client,
    lateRepeats: [],
    expiresAt: noon + 10_000,
    endsAt: noon + 600_000,
    endedAt: null,
    endReason: undefined,
  };
  const rotation: Rotation = { sessionId: asSessionId('s'), seedHash: 'seed', counter: 5, client, policy, now: noon };
  const rotate = { kind: 'rotate', seedHash: 'seed', counter: 6, rotatedBy: '6 agent network device' } as const;
  const cases: [what: string, RotationState | undefined, changes: Partial<Rotation>, RotationPlan][] = [
    ['with the newest token', state, {}, { ...rotate, expiresAt: noon + 60_000 }],
    ['near its longest life', { ...state, endsAt: noon + 5 }, {}, { ...rotate, expiresAt: noon + 5 }],
    ['with the token before', state, { counter: 4 }, { kind: 'repeat', counter: 5 }],
    [
      'with the token before, late',
      { ...state, rotatedAt: noon - 40_000, lateRepeats: [{ rotatedAt: 1, repeatedAt: noon - 9 }] },
      { counter: 4 },
      { kind: 'repeat late', counter: 5, lateRepeats: `1:${noon - 9} ${noon - 40_000}:${noon}` },
    ],
    ['with an old token', state, { counter: 3 }, { kind: 'reused', end: 'reused' }],
    ['with a wrong seed', state, { seedHash: 'other' }, { kind: 'invalid' }],
    ['that is unknown', undefined, {}, { kind: 'ended' }],
    ['that was ended', { ...state, endedAt: 1, endReason: 'revoked' }, {}, { kind: 'ended' }],
    ['unused for too long', { ...state, expiresAt: noon }, {}, { kind: 'expired', end: 'idle' }],
    ['past its longest life', { ...state, endsAt: noon }, {}, { kind: 'expired', end: 'absolute' }],
    ['marked as expired', { ...state, endedAt: 1, endReason: 'idle' }, {}, { kind: 'expired', end: undefined }],
  ];
  for (const [what, known, changes, expected] of cases) {
    it(`${what}: ${expected.kind}`, () => assert.deepEqual(planRotation(known, { ...rotation, ...changes }), expected));
  }

  it('does not say who rotated where nothing is known of them', () => {
    const { client: _, ...unknown } = rotation;
    const plan = planRotation(state, unknown);
    assert.equal(plan.kind === 'rotate' && plan.rotatedBy, null);
  });

  it('without a token starts with a new seed and its first token, as at a sign-in, and keeps its longest life', () => {
    const reseeding = { ...rotation, seedHash: 'new seed', counter: undefined };
    const fresh = { kind: 'rotate', seedHash: 'new seed', counter: 0, rotatedBy: null, lateRepeats: null };
    assert.deepEqual(planReseeding(state, reseeding), { ...fresh, expiresAt: noon + 60_000 });
    assert.deepEqual(planReseeding({ ...state, endsAt: noon + 5 }, reseeding), { ...fresh, expiresAt: noon + 5 });
  });

  const dead: [what: string, RotationState | undefined, RotationPlan][] = [
    ['that is unknown', undefined, { kind: 'ended' }],
    ['that was ended', { ...state, endedAt: 1, endReason: 'revoked' }, { kind: 'ended' }],
    ['unused for too long', { ...state, expiresAt: noon }, { kind: 'expired', end: 'idle' }],
    ['past its longest life', { ...state, endsAt: noon }, { kind: 'expired', end: 'absolute' }],
  ];
  for (const [what, known, expected] of dead) {
    it(`${what}, without a token: ${expected.kind}`, () => {
      const reseeding = { ...rotation, seedHash: 'new seed', counter: undefined };
      assert.deepEqual(planReseeding(known, reseeding), expected);
    });
  }

  it('writes down a reused token', () => {
    const event = { kind: 'session.reused', userId: 'user', detail: { session: 's' }, now: noon };
    assert.deepEqual(reusedEvent(asUserId('user'), asSessionId('s'), noon), event);
  });
});

describe('ending sessions', () => {
  const live = { expiresAt: noon + 1, endsAt: noon + 100 };
  const sessions = [
    { id: asSessionId('a'), ...live },
    { id: asSessionId('b'), ...live },
    { id: asSessionId('idle'), expiresAt: noon, endsAt: noon + 100 },
    { id: asSessionId('old'), expiresAt: noon, endsAt: noon },
  ];
  const ending: Ending = {
    userId: asUserId('user'),
    sessionId: asSessionId('a'),
    scope: 'this',
    reason: 'revoked',
    now: noon,
  };
  const cases: [changes: Partial<Ending>, expected: string[]][] = [
    [{}, ['a revoked alive']],
    [{ sessionId: asSessionId('idle') }, ['idle idle']],
    [{ sessionId: asSessionId('unknown') }, []],
    [{ scope: 'others' }, ['b revoked alive', 'idle idle', 'old absolute']],
    [{ scope: 'all', reason: 'logged out' }, ['a logged out alive', 'b logged out alive', 'idle idle', 'old absolute']],
  ];
  for (const [changes, expected] of cases) {
    it(`with ${JSON.stringify(changes)} ends ${expected.join(', ') || 'none'}`, () => {
      const ended = chooseEnded(sessions, { ...ending, ...changes });
      assert.deepEqual(
        ended.map(({ id, reason, wasAlive }) => `${id} ${reason}${wasAlive ? ' alive' : ''}`),
        expected,
      );
    });
  }

  const origin = { parentId: asSessionId('a'), scopes: ['openid'] };
  const offline = { parentId: asSessionId('a'), scopes: ['openid', 'offline_access'] };
  const ofApps = [
    { id: asSessionId('a'), ...live },
    { id: asSessionId('app'), ...live, origin },
    { id: asSessionId('offline'), ...live, origin: offline },
    { id: asSessionId('idle app'), expiresAt: noon, endsAt: noon + 100, origin },
    { id: asSessionId('elsewhere'), ...live, origin: { ...origin, parentId: asSessionId('b') } },
  ];
  const all = ['a', 'app', 'offline', 'idle app'];
  const cascades: [reason: SessionEnd, sessionId: string, expected: string[]][] = [
    ['logged out', 'a', ['a', 'app', 'idle app']],
    ...(['revoked', 'reused', 'not me', 'blocked', 'account deleted', 'phone changed'] as const).map(
      (reason): [SessionEnd, string, string[]] => [reason, 'a', all],
    ),
    ['idle', 'a', ['a']],
    ['absolute', 'a', ['a']],
    ['evicted', 'a', ['a']],
    ['revoked', 'app', ['app']],
    ['revoked', 'b', ['elsewhere']],
  ];
  for (const [reason, sessionId, expected] of cascades) {
    it(`${reason}: the end of ${sessionId} ends ${expected.join(', ')}`, () => {
      const ended = chooseEnded(ofApps, { ...ending, sessionId: asSessionId(sessionId), reason });
      assert.deepEqual(
        ended.map(({ id }) => id),
        expected,
      );
    });
  }

  it('writes down the reason and who did it', () => {
    const by = { actor: 'cli', why: 'stolen' } as const;
    const detail = { session: 'a', sessions: 1, reason: 'revoked' };
    const event = { kind: 'session.ended', userId: 'user', detail, now: noon };
    assert.deepEqual(endedEvents(ending, ['a'].map(asSessionId)), [event]);
    assert.deepEqual(endedEvents({ ...ending, by }, ['a'].map(asSessionId)), [
      { ...event, detail: { ...detail, ...by } },
    ]);
  });

  it('writes down one event for one act, and none for an act that ended nothing', () => {
    const [event, ...others] = endedEvents(ending, ['a', 'b', 'c'].map(asSessionId));
    assert.deepEqual([event?.detail, others], [{ sessions: 3, reason: 'revoked' }, []]);
    assert.deepEqual(endedEvents(ending, [].map(asSessionId)), []);
  });
});
