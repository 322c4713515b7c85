// The rule that judges a presented refresh token: every case by its table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markClient } from '../src/auth/refresh-token.ts';
import {
  judgeRotation,
  type Rotation,
  type RotationState,
  readRotatedBy,
  writeRotatedBy,
} from '../src/auth/session.ts';

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
    ['the same client at another address of its network', marked('Firefox/140 Android', '192.0.2.99'), 'repeat'],
    ['the same program in another network', marked('Firefox/140 Android', '198.51.100.1'), 'repeat'],
    ['the same program, now by IPv6', marked('Firefox/140 Android', '2001:db8:1:2::/64'), 'repeat'],
    ['another program in the same network', marked('curl/8', '192.0.2.7'), 'repeat'],
    ['another program in another network', marked('curl/8', '198.51.100.1'), 'reused'],
    ['another program in another IPv6 network', marked('curl/8', '2001:db8:1:2::/64'), 'reused'],
    ['no program named, in another network', marked(undefined, '198.51.100.1'), 'reused'],
    ['another program at an address that is not known', marked('curl/8', 'unknown'), 'repeat'],
    ['a client of which nothing is known', undefined, 'repeat'],
  ];
  for (const [who, client, expected] of clients) {
    it(`that is repeated within the grace by ${who}: ${expected}`, () => {
      assert.equal(judged(client === undefined ? { client: undefined as never } : { client }), expected);
    });
  }

  it('that is the newest is renewed for whoever brings it', () => {
    assert.equal(judged({ counter: 5, client: marked('curl/8', '198.51.100.1') }), 'rotate');
  });

  it('is repeated by two clients that name no program, wherever they are', () => {
    const client = marked(undefined, '198.51.100.1');
    assert.equal(judged({ client }, { rotatedBy: marked(undefined, '192.0.2.7') }), 'repeat');
  });

  it('that was renewed by a node that writes no client down is repeated as ever', () => {
    assert.equal(judged({ client: marked('curl/8', '198.51.100.1') }, { rotatedBy: undefined }), 'repeat');
    const text = writeRotatedBy(5, phone);
    assert.deepEqual(readRotatedBy(text, 5), phone);
    assert.equal(readRotatedBy(text, 6), undefined, 'of an earlier renewal');
    assert.equal(readRotatedBy(null, 5), undefined);
    assert.equal(writeRotatedBy(5, undefined), null);
  });

  it('that is late, older, ahead, of another seed or of an ended session is judged before any client', () => {
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

describe('the marks of a client', () => {
  it('differ from session to session and hold nothing of what they mark', () => {
    const other = markClient(Buffer.alloc(16, 8), { userAgent: 'Firefox/140 Android', ip: '192.0.2.7' });
    assert.notEqual(other.agent, phone.agent);
    assert.notEqual(other.network, phone.network);
    assert.match(`${phone.agent} ${phone.network}`, /^[\w-]{11} [\w-]{11}$/);
  });
});
