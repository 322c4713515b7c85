// The rule that judges a presented refresh token, case by case.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markClient } from '../../src/auth/refresh-token.ts';
import {
  judgeRotation,
  type Rotation,
  type RotationState,
  readRotatedBy,
  writeRotatedBy,
} from '../../src/auth/session.ts';

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

  it('the newest refresh token is rotated for any client', () => {
    assert.equal(judged({ counter: 5, client: marked('curl/8', '198.51.100.1') }), 'rotate');
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

  it('a late, older, future or foreign refresh token, or one of an ended session, is judged before the client is compared', () => {
    const cases: [Partial<Rotation>, Partial<RotationState>, string][] = [
      [{}, { rotatedAt: now - 30_001 }, 'reused'],
      [{}, { rotatedAt: now - 30_000 }, 'repeat'],
      [{}, { rotatedAt: now + 5000 }, 'repeat'],
      [{ counter: 3 }, {}, 'reused'],
      [{ counter: 6 }, {}, 'invalid'],
      [{ seedHash: 'other' }, {}, 'invalid'],
      [{}, { endedAt: now, endReason: 'logged out' }, 'ended'],
      [{}, { endedAt: now, endReason: 'idle' }, 'expired'],
      [{}, { expiresAt: now }, 'expired'],
    ];
    for (const [rotation, changes, expected] of cases) assert.equal(judged(rotation, changes), expected);
    const rotation = { sessionId: 's', seedHash: 'seed', counter: 4, policy, now };
    assert.equal(judgeRotation(undefined, rotation), 'ended');
  });
});

describe('the fingerprint of a client', () => {
  it('the fingerprint of a client differs from session to session and reveals nothing', () => {
    const other = markClient(Buffer.alloc(16, 8), { userAgent: 'Firefox/140 Android', ip: '192.0.2.7' });
    assert.notEqual(other.agent, phone.agent);
    assert.notEqual(other.network, phone.network);
    assert.match(`${phone.agent} ${phone.network}`, /^[\w-]{11} [\w-]{11}$/);
  });
});
