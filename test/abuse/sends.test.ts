// Limits on requests for messages: the counters of a request, the refusal that lasts longest, growing pauses, and what is counted.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Hits } from '../../src/abuse/limits.ts';
import {
  countSend,
  isLastForRecipient,
  refuseSend,
  type SendCheck,
  type SendPolicy,
  sendCounterIds,
  sendCounters,
} from '../../src/abuse/sends.ts';
import { sha256 } from '../../src/kernel/crypto/digest.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { asPhone } from '../helpers/people/ids.ts';
import { hour, noon, sendPolicy } from '../helpers/store/fixtures.ts';

const phone = asPhone('+491510000001');
const policy: SendPolicy = {
  resendAfterSeconds: [30, 60, 120],
  perRecipient: [{ count: 3, windowSeconds: 600 }],
  perIp: [{ count: 2, windowSeconds: 300 }],
};
const check: SendCheck = { purpose: 'phone-login', recipient: phone, ip: '192.0.2.1', policy, now: noon };
const pauseId = `pause:${sha256(`phone-login ${phone}`)}`;
const recipientId = `sends:${sha256(phone)}`;
const callerId = `sends-ip:${sha256('192.0.2.1')}`;
const seconds = (...ago: number[]): Hits => ago.map((each) => noon - each * 1000);

/** Counters as the store would keep them. */
function createCounting() {
  const kept = new Map<string, unknown>();
  const read = (id: string) => kept.get(id);
  const count = (given: SendCheck) => {
    for (const { id, value } of countSend(given, read)) kept.set(id, value);
  };
  return { read, count };
}

describe('the counters of a request for a message', () => {
  it('a request is counted for its recipient, its recipient and purpose, and its caller', () => {
    const counters = sendCounters(check);
    assert.deepEqual([counters.pause, counters.recipient], [pauseId, recipientId]);
    assert.deepEqual(
      counters.caller.map(({ id, rules }) => [id, rules]),
      [[callerId, policy.perIp]],
    );
    assert.deepEqual(sendCounterIds(check), [pauseId, recipientId, callerId]);
  });

  const cases: [off: keyof SendPolicy, expected: (string | undefined)[]][] = [
    ['resendAfterSeconds', [undefined, recipientId, callerId]],
    ['perRecipient', [pauseId, undefined, callerId]],
    ['perIp', [pauseId, recipientId]],
  ];
  for (const [off, expected] of cases) {
    it(`a request has no counter for ${off} where that limit is off, and is not counted on it`, () => {
      const given = { ...check, policy: { ...policy, [off]: [] } };
      assert.deepEqual(sendCounterIds(given), expected);
      const counted = countSend(given, () => undefined).map(({ id }) => id);
      assert.deepEqual(counted.sort(), expected.filter((id) => id !== undefined).sort());
    });
  }

  it('each purpose has its own pause, and all purposes share the limit of the recipient', () => {
    const other = { ...check, purpose: 'login-link' };
    assert.notEqual(sendCounters(other).pause, pauseId);
    assert.equal(sendCounters(other).recipient, recipientId);
  });
});

describe('a request for a message', () => {
  type Refused = [code: string, name: string, quota: number, windowSeconds: number, seconds: number];
  const byCaller = (wait: number): Refused => ['RATE_LIMITED', 'sends-per-ip', 2, 300, wait];
  const byRecipient = (wait: number): Refused => ['OTP_SEND_LIMIT', 'sends-per-recipient', 3, 600, wait];
  const byPause = (wait: number): Refused => ['OTP_RESEND_TOO_SOON', 'resend', 1, wait, wait];
  const cases: [what: string, counters: Record<string, Hits>, expected: Refused | undefined][] = [
    ['is allowed where nothing was sent', {}, undefined],
    ['waits for the first pause after the first message', { [pauseId]: seconds(10) }, byPause(20)],
    ['waits for the second pause after the second message', { [pauseId]: seconds(100, 10) }, byPause(50)],
    ['waits for the last pause after the third message', { [pauseId]: seconds(200, 100, 10) }, byPause(110)],
    ['waits for the last pause after any further message', { [pauseId]: seconds(300, 200, 100, 10) }, byPause(110)],
    ['is allowed at the end of a pause', { [pauseId]: seconds(30) }, undefined],
    ['waits a full second in the last millisecond of a pause', { [pauseId]: seconds(29.999) }, byPause(1)],
    ['waits no longer than the pause after a message in the future', { [pauseId]: seconds(-500) }, byPause(30)],
    ['is refused for its recipient', { [recipientId]: seconds(90, 80, 70) }, byRecipient(510)],
    ['is refused for its caller', { [callerId]: seconds(90, 80) }, byCaller(210)],
    [
      'is refused for its caller if that lasts longest',
      { [callerId]: seconds(1, 1), [recipientId]: seconds(590, 80, 70), [pauseId]: seconds(10) },
      byCaller(299),
    ],
    [
      'is refused for its recipient if that lasts longest',
      { [callerId]: seconds(299, 1), [recipientId]: seconds(90, 80, 70), [pauseId]: seconds(10) },
      byRecipient(510),
    ],
    [
      'is refused for its pause if that lasts longest',
      { [callerId]: seconds(299, 1), [recipientId]: seconds(590, 80, 70), [pauseId]: seconds(10) },
      byPause(20),
    ],
    [
      'is refused for its caller before its recipient and its pause, if all last equally long',
      { [callerId]: seconds(280, 1), [recipientId]: seconds(580, 80, 70), [pauseId]: seconds(10) },
      byCaller(20),
    ],
    [
      'is refused for its recipient before its pause, if both last equally long',
      { [recipientId]: seconds(580, 80, 70), [pauseId]: seconds(10) },
      byRecipient(20),
    ],
  ];
  for (const [what, counters, expected] of cases) {
    it(`a request for a message ${what}`, () => {
      const failure = refuseSend(check, (id) => counters[id]);
      if (expected === undefined) return assert.equal(failure, undefined);
      const [code, name, quota, windowSeconds, wait] = expected;
      const detail = { retryAfterSeconds: wait, policy: { name, quota, windowSeconds, resetSeconds: wait } };
      assert.deepEqual([failure?.code, failure?.detail], [code, detail]);
    });
  }

  it('a request for a message is never refused where all limits are off, whatever is kept', () => {
    const given = { ...check, policy: sendPolicy };
    assert.equal(
      refuseSend(given, () => assert.fail('read')),
      undefined,
    );
  });

  const pauses: [what: string, resendAfterSeconds: number[], hits: Hits, expected: number | undefined][] = [
    ['starts over an hour after the last message', [30, 7, 9], seconds(3700, 3600), undefined],
    ['does not start over before', [30, 3600, 9], seconds(3700, 3599), 1],
    ['of more than an hour is waited for to its end', [7200], seconds(3600), 3600],
    ['of more than an hour ends', [7200], seconds(7200), undefined],
  ];
  for (const [what, resendAfterSeconds, hits, expected] of pauses) {
    it(`the pause between two messages ${what}`, () => {
      const given = { ...check, policy: { ...sendPolicy, resendAfterSeconds } };
      assert.equal(refuseSend(given, () => hits)?.detail.retryAfterSeconds, expected);
    });
  }
});

describe('a counted request for a message', () => {
  const countsOf = (given: SendCheck, counters: Record<string, Hits> = {}) =>
    Object.fromEntries(countSend(given, (id) => counters[id]).map(({ id, value, endsAt }) => [id, [value, endsAt]]));

  it('a counted request is kept as long as each limit needs it', () => {
    assert.deepEqual(countsOf(check), {
      [callerId]: [[noon], noon + 300_000],
      [pauseId]: [[noon], noon + hour],
      [recipientId]: [[noon], noon + 600_000],
    });
    const long = { ...policy, resendAfterSeconds: [30, 7200] };
    assert.deepEqual(countsOf({ ...check, policy: long })[pauseId], [[noon], noon + 2 * hour]);
  });

  const pauses: [what: string, before: Hits, after: Hits][] = [
    ['continues the pauses', seconds(60), seconds(60, 0)],
    ['keeps no more messages than there are pauses', seconds(90, 80, 70, 60), seconds(70, 60, 0)],
    ['starts the pauses over after an hour', seconds(3700, 3600), seconds(0)],
    ['does not start them over before', seconds(3700, 3599), seconds(3700, 3599, 0)],
  ];
  for (const [what, before, after] of pauses) {
    it(`a counted request ${what}`, () =>
      assert.deepEqual(countsOf(check, { [pauseId]: before })[pauseId]?.[0], after));
  }

  it('a counted request is added to those of its recipient and its caller', () => {
    const counts = countsOf(check, { [recipientId]: seconds(700, 5), [callerId]: seconds(5) });
    assert.deepEqual([counts[recipientId]?.[0], counts[callerId]?.[0]], [seconds(5, 0), seconds(5, 0)]);
  });

  it('the last request that the limit of a recipient allows is known as such', () => {
    const { read, count } = createCounting();
    const isLast = [1, 2, 3].map(() => {
      count(check);
      return isLastForRecipient(check, read);
    });
    assert.deepEqual(isLast, [false, false, true]);
    assert.equal(
      isLastForRecipient({ ...check, policy: { ...policy, perRecipient: [] } }, () => seconds(1, 1, 1)),
      false,
    );
  });
});

describe('requests for messages at any pace', () => {
  const step = fc.tuple(fc.nat(1), fc.nat(2), fc.integer({ min: 0, max: 200_000 }));

  it('requests for messages never exceed a limit or cut a pause short, and pass after the wait that they were given', () => {
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 60 }), (steps) => {
        const { read, count } = createCounting();
        const sent: { at: number; recipient: string; ip: string }[] = [];
        let now = noon;
        for (const [last, host, pause] of steps) {
          now += pause;
          const given = { ...check, recipient: asPhone(`${phone}${last}`), ip: `192.0.2.${host}`, now };
          const refusal = refuseSend(given, read);
          if (refusal !== undefined) {
            const wait = (refusal.detail.retryAfterSeconds ?? assert.fail()) * 1000;
            assert.equal(refuseSend({ ...given, now: now + wait }, read), undefined);
            assert.notEqual(refuseSend({ ...given, now: now + wait - 1000 }, read), undefined);
            continue;
          }
          const { recipient, ip } = given;
          const before = sent.findLast((other) => other.recipient === recipient);
          assert.ok(before === undefined || now - before.at >= 30_000);
          assert.ok(sent.filter((other) => other.recipient === recipient && other.at > now - 600_000).length < 3);
          assert.ok(sent.filter((other) => other.ip === ip && other.at > now - 300_000).length < 2);
          sent.push({ at: now, recipient, ip });
          count(given);
        }
      }),
      { numRuns: rounds(50), seed },
    );
  });
});
