// A session: the rule that judges a presented refresh token, case by case and over any sequence, and what is kept of its client.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markClient } from '../../src/auth/refresh-token.ts';
import {
  cleanUserAgent,
  judgeRotation,
  type Rotation,
  type RotationState,
  readRotatedBy,
  writeRotatedBy,
} from '../../src/auth/session.ts';
import { rounds, seed as runSeed } from '../helpers/faults/rounds.ts';

const now = Date.UTC(2031, 4, 5, 12);
const policy = { idleSeconds: 3600, lifeSeconds: 7200, graceSeconds: 30, perUser: 20 };
const seed = Buffer.alloc(16, 7);
const marked = (userAgent: string | undefined, ip: string) => markClient(seed, { userAgent, ip });

const phone = marked('Firefox/140 Android', '192.0.2.7');
const state: RotationState = {
  seedHash: 'seed',
  counter: 5,
  rotatedAt: now - 10_000,
  rotatedBy: phone,
  expiresAt: now + 60_000,
  endsAt: now + 120_000,
  endedAt: null,
  endReason: undefined,
};
const judged = (rotation: Partial<Rotation>, changes: Partial<RotationState> = {}) =>
  judgeRotation(
    { ...state, ...changes },
    { sessionId: 's', seedHash: 'seed', counter: 4, client: phone, policy, now, ...rotation },
  );

describe('a refresh token', () => {
  const clients: [who: string, Rotation['client'], expected: string][] = [
    ['the same client', phone, 'repeat'],
    ['the same client at another IP address of its network', marked('Firefox/140 Android', '192.0.2.99'), 'repeat'],
    ['the same program in another network', marked('Firefox/140 Android', '198.51.100.1'), 'repeat'],
    ['the same program, now by IPv6', marked('Firefox/140 Android', '2001:db8:1:2::/64'), 'repeat'],
    ['another program in the same network', marked('curl/8', '192.0.2.7'), 'repeat'],
    ['another program in another network', marked('curl/8', '198.51.100.1'), 'reused'],
    ['another program in another IPv6 network', marked('curl/8', '2001:db8:1:2::/64'), 'reused'],
    ['no program named, in another network', marked(undefined, '198.51.100.1'), 'reused'],
    ['another program at an unknown IP address', marked('curl/8', 'unknown'), 'repeat'],
    ['an unknown client', undefined, 'repeat'],
  ];
  for (const [who, client, expected] of clients) {
    it(`a refresh token repeated within the grace period by ${who}: ${expected}`, () => {
      assert.equal(judged(client === undefined ? { client: undefined as never } : { client }), expected);
    });
  }

  it('the previous token of an app repeats its answer only for scopes that the session has', () => {
    const app = { id: 'shop', scopes: ['openid'] };
    assert.equal(judged({ appId: 'shop', scopes: ['openid'] }, { app }), 'repeat');
    assert.equal(judged({ appId: 'shop', scopes: ['email'] }, { app }), 'too wide');
  });

  it('the newest refresh token is rotated for any client', () => {
    assert.equal(judged({ counter: 5, client: marked('curl/8', '198.51.100.1') }), 'rotate');
  });

  it('a refresh token repeated within the grace period by the owner after a thief: reused', () => {
    assert.equal(judged({ client: phone }, { rotatedBy: marked('curl/8', '198.51.100.1') }), 'reused');
  });

  it('a refresh token may be repeated by two clients that send no user agent, on any network', () => {
    const client = marked(undefined, '198.51.100.1');
    assert.equal(judged({ client }, { rotatedBy: marked(undefined, '192.0.2.7') }), 'repeat');
  });

  it('a refresh token rotated by a node that records no client may be repeated by any client', () => {
    assert.equal(judged({ client: marked('curl/8', '198.51.100.1') }, { rotatedBy: undefined }), 'repeat');
    const text = writeRotatedBy(5, phone);
    assert.deepEqual(readRotatedBy(text, 5), phone);
    assert.equal(readRotatedBy(text, 6), undefined, 'recorded for an earlier rotation');
    assert.equal(readRotatedBy(null, 5), undefined);
    assert.equal(writeRotatedBy(5, undefined), null);
  });

  const app = { id: 'shop', scopes: ['openid', 'phone'] };
  const cases: [what: string, Partial<Rotation>, Partial<RotationState>, expected: string][] = [
    ['of an app, from this app', { counter: 5, appId: 'shop' }, { app }, 'rotate'],
    ['of an app, from another app', { appId: 'other' }, { app }, 'invalid'],
    ['of an app, from a client of this service', {}, { app }, 'invalid'],
    ['of an app whose session has ended, from another app', { appId: 'other' }, { app, endedAt: 1 }, 'invalid'],
    ['of this service, from an app', { appId: 'shop' }, {}, 'invalid'],
    ['for fewer scopes', { counter: 5, appId: 'shop', scopes: ['phone'] }, { app }, 'rotate'],
    ['for more scopes', { counter: 5, appId: 'shop', scopes: ['phone', 'email'] }, { app }, 'too wide'],
    ['that is the newest', { counter: 5 }, {}, 'rotate'],
    [
      'that is the newest, in the last millisecond of its session',
      { counter: 5 },
      { expiresAt: now + 1, endsAt: now + 1 },
      'rotate',
    ],
    ['after the grace period', {}, { rotatedAt: now - 30_001 }, 'reused'],
    ['at the end of the grace period', {}, { rotatedAt: now - 30_000 }, 'repeat'],
    ['rotated by a node whose clock is ahead', {}, { rotatedAt: now + 5000 }, 'repeat'],
    ['that is two rotations old', { counter: 3 }, {}, 'reused'],
    ['that is not issued yet', { counter: 6 }, {}, 'invalid'],
    ['with another seed', { seedHash: 'other' }, {}, 'invalid'],
    [
      'with another seed, of an ended session',
      { seedHash: 'other' },
      { endedAt: now, endReason: 'revoked' },
      'invalid',
    ],
    ['of a session that was logged out', {}, { endedAt: now, endReason: 'logged out' }, 'ended'],
    ['of a session that ended for a reason of a later version', {}, { endedAt: now, endReason: undefined }, 'ended'],
    ['of a session that ended as idle', {}, { endedAt: now, endReason: 'idle' }, 'expired'],
    ['of a session that reached its longest life', {}, { endedAt: now, endReason: 'absolute' }, 'expired'],
    ['of a session at its idle time', {}, { expiresAt: now }, 'expired'],
    ['of a session at its longest life', {}, { endsAt: now }, 'expired'],
    ['that is old, of a session at its idle time', { counter: 3 }, { expiresAt: now }, 'expired'],
  ];
  for (const [what, rotation, changes, expected] of cases) {
    it(`a refresh token ${what}: ${expected}`, () => {
      assert.equal(judged(rotation, changes), expected);
      if (expected === 'repeat') return;
      const other = marked('curl/8', '198.51.100.1');
      assert.equal(judged({ ...rotation, client: other }, changes), expected, 'whoever presents it');
    });
  }

  it('a refresh token of an unknown session: ended', () => {
    const rotation = { sessionId: 's', seedHash: 'seed', counter: 4, policy, now };
    assert.equal(judgeRotation(undefined, rotation), 'ended');
  });

  it('of all refresh tokens that were ever issued, in any order and at any pace, only the newest rotates, and an older one than the last ends the session', () => {
    const step = fc.record({ back: fc.integer({ min: 0, max: 3 }), pause: fc.integer({ min: 0, max: 40_000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let counter = 0;
        let rotatedAt = now;
        let time = now;
        for (const { back, pause } of steps) {
          time += pause;
          const presented = counter - back;
          if (presented < 0) continue;
          const session = { ...state, counter, rotatedAt, endsAt: time + 1, expiresAt: time + 1 };
          const verdict = judgeRotation(session, {
            sessionId: 's',
            seedHash: 'seed',
            counter: presented,
            policy,
            now: time,
          });
          const isInTime = time - rotatedAt <= 30_000;
          assert.equal(verdict, back === 0 ? 'rotate' : back === 1 && isInTime ? 'repeat' : 'reused');
          if (verdict !== 'rotate') continue;
          counter += 1;
          rotatedAt = time;
        }
      }),
      { numRuns: rounds(100), seed: runSeed },
    );
  });
});

describe('the client of a rotation', () => {
  const cases: [text: string | null, counter: number, expected: ReturnType<typeof readRotatedBy>][] = [
    [null, 5, undefined],
    ['', 5, undefined],
    ['5 agent network', 5, { agent: 'agent', network: 'network' }],
    ['5 agent network', 6, undefined],
    ['5 agent ', 5, { agent: 'agent', network: undefined }],
    ['5', 5, { agent: '', network: undefined }],
  ];
  for (const [text, counter, expected] of cases) {
    it(`the client of rotation ${counter} in the text ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readRotatedBy(text, counter), expected);
    });
  }

  it('the client of a rotation is written with its counter, and is nothing where it is unknown', () => {
    assert.equal(writeRotatedBy(5, { agent: 'agent', network: 'network' }), '5 agent network');
    assert.equal(writeRotatedBy(5, { agent: 'agent', network: undefined }), '5 agent ');
    assert.equal(writeRotatedBy(5, undefined), null);
  });
});

describe('the user agent of a session', () => {
  for (const [text, expected] of [
    ['Firefox/140', 'Firefox/140'],
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(301), 'x'.repeat(300)],
    ['a\u009bb\nc', 'a b c'],
  ] as const) {
    it(`the user agent ${JSON.stringify(text.slice(0, 20))} of ${text.length} characters is kept on one line of at most 300`, () => {
      assert.equal(cleanUserAgent(text), expected);
      assert.doesNotMatch(cleanUserAgent(text), /\p{Cc}/u);
    });
  }
});
