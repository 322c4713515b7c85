// The rules of the outbox: claims, retries, parking and sending anew.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UnsentOutcome } from '../../src/messages/delivery/sender.ts';
import { outboxStates } from '../../src/messages/message-log.ts';
import {
  asksNext,
  beginMessage,
  claimAtOnce,
  claimMessage,
  findReasonToPark,
  giveBackMessage,
  hasWaitedLong,
  joinOutcomes,
  judgeResend,
  judgeUnsent,
  type MessageProgress,
  orderProviders,
  parkMessage,
  requeueMessage,
  retryMessage,
  showState,
} from '../../src/messages/outbox-rules.ts';
import { noon } from '../helpers/store/fixtures.ts';

const queued: MessageProgress = { state: 'queued', tries: 2, doubts: 1, dueAt: noon };

describe('a message in the outbox', () => {
  it('is claimed under a lease, and is in doubt only if it was begun', () => {
    const claim = { now: noon, leaseSeconds: 20 };
    const held = { state: 'claimed', tries: 2, doubts: 1, dueAt: noon + 20_000 };
    for (const state of ['queued', 'claimed', undefined] as const)
      assert.deepEqual(claimMessage({ ...queued, state }, claim), held);
    assert.deepEqual(claimMessage({ ...queued, state: 'sending' }, claim), { ...held, tries: 3, doubts: 2 });
  });

  it('is claimed by its own node from the start', () => {
    const held = { state: 'claimed', tries: 0, doubts: 0, dueAt: noon + 20_000 };
    assert.deepEqual(claimAtOnce({ now: noon, leaseSeconds: 20 }), held);
  });

  const begins: [what: string, MessageProgress, kind: string, doubts: number | undefined][] = [
    ['claimed', { ...queued, state: 'claimed' }, 'phone-login', 1],
    ['begun once before, in doubt', { ...queued, doubts: 0, state: 'sending' }, 'phone-login', 1],
    ['begun twice before', { ...queued, doubts: 1, state: 'sending' }, 'phone-login', undefined],
    ['in doubt twice', { ...queued, doubts: 2, state: 'claimed' }, 'phone-login', undefined],
    ['in doubt twice, and a notice', { ...queued, doubts: 2, state: 'claimed' }, 'notice', 2],
    ['in doubt five times, and a notice', { ...queued, doubts: 5, state: 'claimed' }, 'notice', undefined],
    ['held by another node', { ...queued, state: 'claimed', dueAt: noon + 1 }, 'phone-login', undefined],
    ['queued', queued, 'phone-login', undefined],
    ['parked', { ...queued, state: 'parked' }, 'phone-login', undefined],
  ];
  for (const [what, progress, kind, doubts] of begins) {
    it(`that is ${what} is ${doubts === undefined ? 'not begun' : `begun with ${doubts} doubts`}`, () => {
      const begun = beginMessage(progress, { heldUntil: noon, kind, now: noon + 5, leaseSeconds: 20 });
      const expected = { state: 'sending', tries: 2, doubts, dueAt: noon + 20_005 };
      assert.deepEqual(begun, doubts === undefined ? undefined : expected);
    });
  }

  it('is given back as if nobody had claimed it, unless it was begun or its lease is not the same any more', () => {
    const held: MessageProgress = { state: 'claimed', tries: 3, doubts: 1, dueAt: noon + 20_000 };
    const lease = { heldUntil: noon + 20_000, createdAt: noon - 5 };
    const given = { state: 'queued', tries: 3, doubts: 1, dueAt: noon - 5 };
    assert.deepEqual(giveBackMessage(held, lease), given);
    assert.equal(giveBackMessage({ ...held, dueAt: noon + 20_001 }, lease), undefined);
    for (const state of ['queued', 'sending', 'parked', undefined] as const)
      assert.equal(giveBackMessage({ ...held, state }, lease), undefined);
  });

  it('has waited too long in memory when half its lease is over', () => {
    assert.equal(hasWaitedLong(noon + 10_000, noon, 20), false);
    assert.equal(hasWaitedLong(noon + 9999, noon, 20), true);
  });

  it('waits for its next try or is parked with what was counted, unless another node has it', () => {
    const heldUntil = noon;
    for (const state of ['claimed', 'sending'] as const) {
      const held: MessageProgress = { ...queued, state };
      const next = { state: 'queued', dueAt: noon + 5 };
      const retry = { heldUntil, dueAt: noon + 5, isTry: true, isDoubtful: true };
      assert.deepEqual(retryMessage(held, retry), { ...next, tries: 3, doubts: 2 });
      assert.deepEqual(retryMessage(held, { ...retry, isDoubtful: false }), { ...next, tries: 3, doubts: 1 });
      const unasked = { ...retry, isTry: false, isDoubtful: false };
      assert.deepEqual(retryMessage(held, unasked), { ...next, tries: 2, doubts: 1 });
      const parked = { ...queued, state: 'parked' };
      assert.deepEqual(parkMessage(held, { heldUntil, isDoubtful: false }), parked);
      assert.deepEqual(parkMessage(held, { heldUntil, isDoubtful: true }), { ...parked, doubts: 2 });
      assert.equal(retryMessage({ ...held, dueAt: noon + 1 }, retry), undefined);
      assert.equal(parkMessage({ ...held, dueAt: noon + 1 }, retry), undefined);
    }
    assert.equal(parkMessage(queued, { heldUntil, isDoubtful: false }), undefined);
  });

  it('has all its tries again when it is queued anew', () => {
    assert.deepEqual(requeueMessage(noon), { state: 'queued', tries: 0, doubts: 0, dueAt: noon });
  });

  it('is shown as waiting until somebody begins to send it', () => {
    assert.deepEqual(outboxStates.map(showState), ['queued', 'queued', 'sending', 'parked']);
  });

  const parked: [expiresAt: number, doubts: number, kind: string, reason: string | undefined][] = [
    [noon + 1, 0, 'phone-login', undefined],
    [noon + 1, 1, 'phone-login', undefined],
    [noon + 1, 2, 'phone-login', 'sent twice without a known outcome'],
    [noon + 1, 2, 'notice', undefined],
    [noon + 1, 5, 'notice', 'sent five times without a known outcome'],
    [noon, 0, 'phone-login', 'expired before it could be sent'],
    [noon, 2, 'phone-login', 'expired before it could be sent'],
  ];
  for (const [expiresAt, doubts, kind, reason] of parked) {
    it(`${kind} with ${expiresAt - noon} ms left and ${doubts} doubts is ${reason ?? 'sent'}`, () =>
      assert.equal(findReasonToPark({ expiresAt, doubts, kind }, noon), reason));
  }
});

const refused = { kind: 'refused', error: 'busy' } as const;
const doubtful = { kind: 'doubtful', error: 'time-out' } as const;
const hopeless = { kind: 'hopeless', error: 'no such number' } as const;

describe('a message that one provider did not accept', () => {
  const cases: [UnsentOutcome, kind: string, doubts: number, asksNext: boolean][] = [
    [refused, 'phone-login', 0, true],
    [refused, 'notice', 0, true],
    [hopeless, 'phone-login', 1, true],
    [hopeless, 'notice', 1, true],
    [doubtful, 'phone-login', 1, true],
    [doubtful, 'login-link', 1, true],
    [doubtful, 'phone-login', 2, false],
    [doubtful, 'notice', 1, false],
    [doubtful, 'notice-sms', 1, false],
  ];
  for (const [outcome, kind, doubts, expected] of cases) {
    it(`${outcome.kind}, as ${kind} with ${doubts} doubts: ${expected ? 'the next is asked' : 'it waits'}`, () =>
      assert.equal(asksNext(outcome, { kind, doubts }), expected));
  }

  it('begins with the next provider after each doubt', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((doubts) => orderProviders(['a', 'b', 'c'], doubts).join('')),
      ['abc', 'bca', 'cab', 'abc'],
    );
    assert.deepEqual(orderProviders([], 1), []);
  });

  it('is hopeless only if all say so', () => {
    assert.equal(joinOutcomes(undefined, hopeless), hopeless);
    assert.equal(joinOutcomes(refused, hopeless), refused);
    assert.equal(joinOutcomes(doubtful, hopeless), doubtful);
    assert.equal(joinOutcomes(hopeless, refused), refused);
    assert.equal(joinOutcomes(refused, doubtful), doubtful);
  });
});

describe('a message that no provider accepted', () => {
  const pauseAfter = (message: { tries?: number; doubts?: number; kind: string }, outcome: UnsentOutcome = refused) => {
    const next = judgeUnsent(outcome, { tries: 0, doubts: 0, ...message }, noon);
    return next.kind === 'park' ? next.kind : (next.dueAt - noon) / 1000;
  };

  it('waits longer after each try, and is parked after the sixth', () => {
    const pauses = [0, 1, 2, 3, 4, 5].map((tries) => pauseAfter({ tries, kind: 'phone-login' }));
    assert.deepEqual(pauses, [1, 3, 10, 30, 60, 'park']);
    assert.equal(pauseAfter({ tries: 5, kind: 'login-link' }), 'park');
    assert.equal(pauseAfter({ tries: 5, kind: 'of a later version' }), 'park');
  });

  it('is tried every quarter of an hour until it expires if it is a notice', () => {
    for (const kind of ['notice', 'notice-sms', 'email-replaced']) {
      const pauses = [0, 1, 2, 3, 4, 5, 6, 89].map((tries) => pauseAfter({ tries, kind }));
      assert.deepEqual(pauses, [1, 3, 10, 30, 60, 900, 900, 900]);
    }
  });

  it('is parked at once where it is hopeless', () => {
    assert.equal(pauseAfter({ kind: 'notice' }, hopeless), 'park');
  });

  it('comes back soon after one doubt if it is a code, and is parked after two', () => {
    const pauses = [1, 2].map((doubts) => pauseAfter({ doubts, kind: 'phone-login' }, doubtful));
    assert.deepEqual(pauses, [1, 'park']);
  });

  it('comes back after a longer pause with each doubt if it is a notice, and is parked after five', () => {
    const minutes = [1, 2, 3, 4, 5].map((doubts) => pauseAfter({ doubts, kind: 'notice' }, doubtful));
    assert.deepEqual(minutes, [900, 3600, 14_400, 57_600, 'park']);
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
    ['that a node is about to send', { ...entry, state: 'claimed' }, 'sending'],
    ['whose lease has ended', { ...entry, state: 'sending', dueAt: noon }, 'queued'],
    ['that a node is sending and has expired', { ...entry, state: 'sending', expiresAt: noon }, 'expired'],
  ];
  for (const [what, given, expected] of cases) {
    it(`${what}: ${expected}`, () => assert.equal(judgeResend(given, noon), expected));
  }
});
