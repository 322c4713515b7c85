// A session: the rule that judges a presented refresh token, case by case and over any sequence, and what is kept of its client.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cleanUserAgent,
  judgeRotation,
  type Rotation,
  type RotationState,
} from '../../../src/auth/sessions/session.ts';
import { markClient } from '../../../src/auth/tokens/refresh-token.ts';
import { asSessionId } from '../../helpers/people/ids.ts';

const now = Date.UTC(2031, 4, 5, 12);
const policy = { idleSeconds: 3600, lifeSeconds: 7200, graceSeconds: 30, perUser: 20 };
const seed = Buffer.alloc(16, 7);
const marked = (userAgent: string, ip: string, device?: string) => markClient(seed, { userAgent, ip, device });

const phone = marked('Firefox/140 Android', '192.0.2.7', 'a phone');
const phoneElsewhere = marked('Firefox/141 Android', '203.0.113.9', 'a phone');
const lookalike = marked('Firefox/140 Android', '203.0.113.9');
const thief = marked('curl/8', '198.51.100.1');
const state: RotationState = {
  seedHash: 'seed',
  counter: 5,
  rotatedAt: now - 10_000,
  rotatedBy: phone,
  lateRepeats: [],
  expiresAt: now + 60_000,
  endsAt: now + 120_000,
  endedAt: null,
  endReason: undefined,
};
const verdictOn = (rotation: Partial<Rotation>, changes: Partial<RotationState> = {}) =>
  judgeRotation(
    { ...state, ...changes },
    { sessionId: asSessionId('s'), seedHash: 'seed', counter: 4, client: phone, policy, now, ...rotation },
  );
const judged = (...given: Parameters<typeof verdictOn>) => verdictOn(...given).kind;

/** Three rotations of today that were repeated late, and the newest one. */
const threeLate = [9, 5, 1].map((hours) => ({ rotatedAt: now - hours * 3_600_000, repeatedAt: now - 1000 }));
const yesterday = { rotatedAt: now - 40_000_000 };

describe('a refresh token', () => {
  it('the previous token of an app repeats its answer only for scopes that the session has', () => {
    const app = { id: 'shop', scopes: ['openid'] };
    assert.equal(judged({ appId: 'shop', scopes: ['openid'] }, { app }), 'repeat');
    assert.equal(judged({ appId: 'shop', scopes: ['email'] }, { app }), 'too wide');
    assert.equal(judged({ appId: 'shop', scopes: ['email'] }, { app, ...yesterday }), 'too wide');
    assert.equal(judged({ appId: 'shop', scopes: ['openid'] }, { app, ...yesterday }), 'repeat late');
    const spent = { ...yesterday, lateRepeats: threeLate };
    assert.equal(judged({ appId: 'shop', scopes: ['email'] }, { app, ...spent }), 'reused');
  });

  it('the newest refresh token is rotated for any client', () => {
    assert.equal(judged({ counter: 5, client: thief }), 'rotate');
    assert.equal(judged({ counter: 5, client: thief }, { lateRepeats: threeLate }), 'rotate');
  });

  it('a refresh token repeated by its owner after a thief: reused', () => {
    assert.equal(judged({}, { rotatedBy: thief }), 'reused');
    assert.equal(judged({}, { ...yesterday, rotatedBy: thief }), 'reused');
  });

  it('a refresh token repeated late says what to remember', () => {
    const lateRepeats = [{ ...yesterday, repeatedAt: now }];
    assert.deepEqual(verdictOn({}, yesterday), { kind: 'repeat late', lateRepeats });
    assert.deepEqual(verdictOn({ now: now + 9 }, { ...yesterday, lateRepeats }), { kind: 'repeat late', lateRepeats });
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
    ['after the grace period', {}, { rotatedAt: now - 30_001 }, 'repeat late'],
    ['at the end of the grace period', {}, { rotatedAt: now - 30_000 }, 'repeat'],
    ['within the grace period, after three late ones', {}, { lateRepeats: threeLate }, 'repeat'],
    ['a night later, on another network', { client: phoneElsewhere }, yesterday, 'repeat late'],
    ['a night later, by a lookalike elsewhere', { client: lookalike }, yesterday, 'reused'],
    ['a night later, by another client', { client: thief }, yesterday, 'reused'],
    ['within the grace period, by another client', { client: thief }, {}, 'reused'],
    ['a night later, for the fourth rotation of a day', {}, { ...yesterday, lateRepeats: threeLate }, 'reused'],
    [
      'again, for the third rotation of a day',
      {},
      { rotatedAt: now - 3_600_000, lateRepeats: threeLate },
      'repeat late',
    ],
    ['two rotations old, a night later', { counter: 3 }, yesterday, 'reused'],
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
      const ofOther = expected === 'repeat' || expected === 'repeat late' ? 'reused' : expected;
      assert.equal(judged({ ...rotation, client: thief }, changes), ofOther, 'from another client');
    });
  }

  it('a refresh token of an unknown session: ended', () => {
    const rotation = { sessionId: asSessionId('s'), seedHash: 'seed', counter: 4, policy, now };
    assert.deepEqual(judgeRotation(undefined, rotation), { kind: 'ended' });
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
