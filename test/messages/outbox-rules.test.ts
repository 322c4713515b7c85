// The rules of the outbox: claims, retries, parking and sending anew.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  claimAtOnce,
  claimMessage,
  findReasonToPark,
  giveBackMessage,
  hasWaitedLong,
  isLastTry,
  judgeResend,
  judgeUnsent,
  type MessageProgress,
  requeueMessage,
  retryMessage,
} from '../../src/messages/outbox-rules.ts';
import { noon } from '../helpers/store/fixtures.ts';

const queued: MessageProgress = { state: 'queued', tries: 2, doubts: 1, dueAt: noon };

describe('a message in the outbox', () => {
  it('is held under a lease, and counts as tried', () => {
    const claim = { now: noon, leaseSeconds: 20 };
    const held = { state: 'sending', tries: 3, doubts: 1, dueAt: noon + 20_000 };
    assert.deepEqual(claimMessage(queued, claim), held);
    assert.deepEqual(claimMessage({ ...queued, state: undefined }, claim), held);
    assert.deepEqual(claimMessage({ ...queued, state: 'sending' }, claim), { ...held, doubts: 2 });
  });

  it('is held by its own node from the start, as its first try', () => {
    const held = { state: 'sending', tries: 1, doubts: 0, dueAt: noon + 20_000 };
    assert.deepEqual(claimAtOnce({ now: noon, leaseSeconds: 20 }), held);
  });

  it('is given back as if nobody had claimed it, unless its lease is not the same any more', () => {
    const held: MessageProgress = { state: 'sending', tries: 3, doubts: 1, dueAt: noon + 20_000 };
    const lease = { heldUntil: noon + 20_000, createdAt: noon - 5 };
    const given = { state: 'queued', tries: 2, doubts: 1, dueAt: noon - 5 };
    assert.deepEqual(giveBackMessage(held, lease), given);
    assert.equal(giveBackMessage({ ...held, dueAt: noon + 20_001 }, lease), undefined);
    for (const state of ['queued', 'parked', undefined] as const)
      assert.equal(giveBackMessage({ ...held, state }, lease), undefined);
  });

  it('has waited too long in memory when half its lease is over', () => {
    assert.equal(hasWaitedLong(noon + 10_000, noon, 20), false);
    assert.equal(hasWaitedLong(noon + 9999, noon, 20), true);
  });

  it('waits for its next try, and remembers a doubtful one', () => {
    const next = { state: 'queued', tries: 2, dueAt: noon + 5 };
    const sending: MessageProgress = { ...queued, state: 'sending' };
    assert.deepEqual(retryMessage(sending, { dueAt: noon + 5, isDoubtful: false }), { ...next, doubts: 1 });
    assert.deepEqual(retryMessage(sending, { dueAt: noon + 5, isDoubtful: true }), { ...next, doubts: 2 });
  });

  it('has all its tries again when it is queued anew', () => {
    assert.deepEqual(requeueMessage(noon), { state: 'queued', tries: 0, doubts: 0, dueAt: noon });
  });

  const parked: [expiresAt: number, doubts: number, reason: string | undefined][] = [
    [noon + 1, 0, undefined],
    [noon + 1, 1, undefined],
    [noon + 1, 2, 'sent twice without a known outcome'],
    [noon, 0, 'expired before it could be sent'],
    [noon, 2, 'expired before it could be sent'],
  ];
  for (const [expiresAt, doubts, reason] of parked) {
    it(`with ${expiresAt - noon} ms left and ${doubts} doubts is ${reason ?? 'sent'}`, () =>
      assert.equal(findReasonToPark({ expiresAt, doubts }, noon), reason));
  }
});

describe('a message that no provider accepted', () => {
  const refused = { kind: 'refused', error: 'busy' } as const;
  const pauseAfter = (tries: number, kind: string) => {
    const next = judgeUnsent(refused, { tries, kind }, noon);
    return next.kind === 'park' ? next.kind : (next.dueAt - noon) / 1000;
  };

  it('waits longer after each try, and is parked after the sixth', () => {
    const pauses = [1, 2, 3, 4, 5, 6].map((tries) => pauseAfter(tries, 'phone-login'));
    assert.deepEqual(pauses, [1, 3, 10, 30, 60, 'park']);
    assert.deepEqual([pauseAfter(6, 'login-link'), pauseAfter(6, 'of a later version')], ['park', 'park']);
    assert.deepEqual([isLastTry(5), isLastTry(6)], [false, true]);
  });

  it('is tried every quarter of an hour until it expires if it is a notice', () => {
    for (const kind of ['notice', 'notice-sms', 'email-replaced']) {
      const pauses = [1, 2, 3, 4, 5, 6, 7, 90].map((tries) => pauseAfter(tries, kind));
      assert.deepEqual(pauses, [1, 3, 10, 30, 60, 900, 900, 900]);
    }
  });

  it('is parked at once where it is hopeless, and marked where it is doubtful', () => {
    const first = { tries: 1, kind: 'notice' };
    assert.deepEqual(judgeUnsent({ kind: 'hopeless', error: 'no such number' }, first, noon), { kind: 'park' });
    const retry = { kind: 'retry', dueAt: noon + 1000 };
    assert.deepEqual(judgeUnsent(refused, first, noon), { ...retry, isDoubtful: false });
    assert.deepEqual(judgeUnsent({ kind: 'doubtful', error: 'timeout' }, first, noon), { ...retry, isDoubtful: true });
  });
});

describe('sending a message anew', () => {
  const entry = { state: 'parked', dueAt: noon + 1, expiresAt: noon + 1 } as const;
  const cases: [what: string, Parameters<typeof judgeResend>[0], expected: string][] = [
    ['that is parked', entry, 'queued'],
    ['that waits', { ...entry, state: 'queued' }, 'queued'],
    ['that has left', undefined, 'gone'],
    ['that has expired', { ...entry, expiresAt: noon }, 'expired'],
    ['that a node is sending', { ...entry, state: 'sending' }, 'sending'],
    ['whose lease has ended', { ...entry, state: 'sending', dueAt: noon }, 'queued'],
    ['that a node is sending and has expired', { ...entry, state: 'sending', expiresAt: noon }, 'expired'],
  ];
  for (const [what, given, expected] of cases) {
    it(`${what}: ${expected}`, () => assert.equal(judgeResend(given, noon), expected));
  }
});
