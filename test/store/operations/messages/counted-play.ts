// Plays random orders of sends, answers, ends, uses and kills against a store, and compares its limits with what they should count.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Counted } from '../../../../src/abuse/counted.ts';
import { isCounter } from '../../../../src/abuse/limit-store.ts';
import { sendCounters } from '../../../../src/abuse/sends.ts';
import { dayCounter, prefixId, type UseSpan, usageCounterId } from '../../../../src/abuse/sms-brake.ts';
import type { SendRequest } from '../../../../src/auth/codes/send-request.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asPhone } from '../../../helpers/people/ids.ts';
import { defaultLimits } from '../../../helpers/services/default-limits.ts';
import { attempt, codeRequest, noon, phoneSignIn, right } from '../../../helpers/store/fixtures.ts';
import type { TestStore } from '../../../helpers/store/test-store.ts';

const { sends, brake, otp } = defaultLimits();
const second = 1000;
const leaseSeconds = 20;
const by = { actor: 'cli', why: 'a test' } as const;

/** Two of them share a prefix. */
const phones = ['+4915110000001', '+4915110000002', '+33610000001', '+33620000001'];
const countryOf = (phone: string) => (phone.startsWith('+49') ? 'DE' : 'FR');
export const callers = ['198.51.100.1', '198.51.100.2', '2a00:1450:4001:0::/64'];

/** answered: a provider answered about the recipient. */
type Left = 'unsent' | 'answered' | 'doubtful';

const chosen = fc.nat(7);
export const countedStep = fc.oneof(
  fc.record({ do: fc.constant('send' as const), phone: fc.nat(3), ip: fc.nat(2) }),
  fc.record({ do: fc.constant('send' as const), phone: fc.nat(3), ip: fc.nat(2) }),
  fc.record({ do: fc.constant('claim' as const) }),
  fc.record({
    do: fc.constantFrom('accept' as const, 'refuse' as const, 'refuse recipient' as const, 'doubt' as const),
    chosen,
  }),
  fc.record({
    do: fc.constant('park' as const),
    chosen,
    left: fc.constantFrom<Left[]>('unsent', 'answered', 'doubtful'),
  }),
  fc.record({
    do: fc.constantFrom('begin' as const, 'drop' as const, 'resend' as const, 'use' as const, 'kill' as const),
    chosen,
  }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 5, 31, 60) }),
);

type CountedStep = typeof countedStep extends fc.Arbitrary<infer Step> ? Step : never;

/** A message as it should count: its limits, its caller, its code among the messages of a burst and among those opened. */
type Known = {
  readonly phone: string;
  readonly ip: string;
  readonly at: number;
  readonly opened: boolean;
  limits: boolean;
  caller: boolean;
  burst: boolean;
  code: boolean;
  state: 'waiting' | 'parked' | 'gone';
  doubts: number;
  /** It may have left before it was sent again: it counts for good. */
  isSealed: boolean;
  /** Its caller gets nothing back. */
  isAnswered: boolean;
};

/** A request with the default limits of production. */
export function limitedRequest(phone: string, ip: string, now: number): SendRequest {
  const country = countryOf(phone);
  return codeRequest(phone, now, { ip, country, policy: sends.sms, brake, otp: otp.sms });
}

export async function countersIn(test: TestStore): Promise<Map<string, unknown>> {
  return new Map((await test.rows('limits')).map(({ id, hits }) => [id, JSON.parse(hits)]));
}

export async function emptyForCounting(test: TestStore): Promise<void> {
  for (const table of ['limits', 'outbox', 'challenges', 'users']) await test.query(`delete from ${table}`);
}

export async function playCounted(test: TestStore, steps: readonly CountedStep[]): Promise<void> {
  await emptyForCounting(test);
  const { ports } = test;
  const { messageLog } = createOperatorPorts(test.store);
  let now = noon;
  const messages = new Map<string, Known>();
  const claimed = new Map<string, { heldUntil: number; isLate: boolean; isBegun: boolean }>();
  const used = new Map<string, number>();
  const among = (state: Known['state'], place: number) => {
    const some = [...messages].filter(([, known]) => known.state === state);
    return some[place % Math.max(1, some.length)];
  };
  const giveUp = (known: Known, left: Left) => {
    if (known.isSealed || left === 'doubtful' || known.doubts > 0) return;
    known.limits = false;
    known.burst = false;
    known.code = false;
    if (!known.isAnswered) known.caller = false;
  };
  for (const one of steps) {
    now += 1;
    if (one.do === 'send') {
      const phone = asPhone(phones[one.phone] ?? '');
      const ip = callers[one.ip] ?? '';
      const request = limitedRequest(phone, ip, now);
      const answer = await ports.sendRequests.request(request);
      const id = request.message?.id ?? '';
      const row = (await test.rows('outbox')).find((message) => message.id === id);
      assert.equal(answer === undefined, row !== undefined);
      if (row === undefined) continue;
      const { opened } = JSON.parse(row.counted ?? '{}') as Counted;
      const counts = { limits: true, caller: true, burst: true, code: opened };
      messages.set(id, {
        phone,
        ip,
        at: now,
        opened,
        ...counts,
        state: 'waiting',
        doubts: 0,
        isSealed: false,
        isAnswered: false,
      });
    } else if (one.do === 'claim') {
      const found = await ports.outbox.claim({ channel: 'sms', now, most: 99, leaseSeconds });
      for (const { id, doubts, heldUntil, isLate = false } of found) {
        const known = messages.get(id);
        if (known !== undefined) known.doubts = doubts;
        claimed.set(id, { heldUntil, isLate, isBegun: false });
      }
    } else if (one.do === 'kill') {
      // The node is gone. When its leases end, the next claim finds what it had.
      claimed.clear();
      now += 21 * second;
    } else if (one.do === 'pass') now += one.seconds * second;
    else if (one.do === 'use') {
      const phone = asPhone(phones[one.chosen % phones.length] ?? '');
      const given = right({ ...attempt(phone, now) });
      const country = countryOf(phone);
      const signIn = phoneSignIn(given, phone, now, { countsUse: true, country });
      const outcome = await ports.signIns.signInWithPhone(signIn);
      if (outcome.kind === 'signed in') used.set(country, (used.get(country) ?? 0) + 1);
    } else if (one.do === 'resend') {
      const [id = '', known] = among('parked', one.chosen) ?? [];
      if (known === undefined || (await messageLog.resend({ id, by, now })) !== 'queued') continue;
      known.state = 'waiting';
      if (known.doubts > 0 || known.isSealed) known.isSealed = true;
      else {
        known.limits = true;
        known.caller = true;
      }
      known.doubts = 0;
    } else {
      const [id = '', known] = among('waiting', one.chosen) ?? [];
      const lease = claimed.get(id);
      if (known === undefined || lease === undefined) continue;
      const { isLate } = lease;
      const asksProvider = one.do !== 'drop' && !(one.do === 'park' && one.left === 'unsent');
      if (asksProvider && !lease.isBegun) {
        const { heldUntil } = lease;
        const [mayBegin] = await ports.outbox.begin([{ id, heldUntil, now, leaseSeconds }]);
        if (!mayBegin) continue;
        lease.isBegun = true;
        lease.heldUntil = now + leaseSeconds * second;
      }
      const { heldUntil } = lease;
      if (one.do === 'begin') continue;
      claimed.delete(id);
      if (one.do === 'accept') {
        await ports.outbox.finishSent([{ id, detail: {}, now, ...(isLate && { isLate: true }) }]);
        known.state = 'gone';
        if (isLate) known.code = known.opened;
      } else if (one.do === 'drop') {
        await ports.outbox.finish(id);
        known.state = 'gone';
        giveUp(known, 'unsent');
      } else if (one.do === 'park') {
        const isDoubtful = one.left === 'doubtful';
        const parking = { id, heldUntil, error: 'over', isDoubtful, isAboutRecipient: one.left === 'answered', now };
        await ports.outbox.park(parking);
        await ports.outbox.park(parking);
        known.state = 'parked';
        if (one.left === 'answered') known.isAnswered = true;
        giveUp(known, one.left);
        if (isDoubtful) known.doubts += 1;
      } else {
        const isDoubtful = one.do === 'doubt';
        if (one.do === 'refuse recipient') known.isAnswered = true;
        await ports.outbox.retry({
          id,
          heldUntil,
          dueAt: now + second,
          error: 'no',
          isTry: true,
          isDoubtful,
          isOutage: true,
          isAboutRecipient: one.do === 'refuse recipient',
        });
        if (!isDoubtful && known.doubts === 0 && !known.isSealed) {
          known.burst = false;
          known.code = false;
        }
        if (isDoubtful) known.doubts += 1;
      }
    }
  }
  await compare(test, [...messages.values()], used);
}

async function compare(test: TestStore, messages: readonly Known[], used: ReadonlyMap<string, number>): Promise<void> {
  const kept = await countersIn(test);
  for (const [id, value] of kept) assert.ok(isCounter(value), `${id}: ${JSON.stringify(value)}`);
  const timesOf = (some: readonly Known[]) => some.map(({ at }) => at).sort((a, b) => a - b);
  const same = (id: string | undefined, some: readonly Known[]) =>
    assert.deepEqual(kept.get(id ?? '') ?? [], timesOf(some), id ?? '');
  const counting = messages.filter(({ limits }) => limits);
  assert.equal(kept.get(dayCounter(noon)) ?? 0, counting.length);
  for (const phone of phones) {
    const { recipient } = sendCounters({
      purpose: 'phone-login',
      recipient: asPhone(phone),
      ip: '',
      policy: sends.sms,
    });
    same(
      recipient,
      counting.filter((one) => one.phone === phone),
    );
    same(
      prefixId(asPhone(phone)),
      counting.filter((one) => prefixId(asPhone(one.phone)) === prefixId(asPhone(phone))),
    );
  }
  for (const ip of callers) {
    const { caller } = sendCounters({ purpose: '', recipient: asPhone(''), ip, policy: sends.sms });
    const own = messages.filter((one) => one.caller && one.ip === ip);
    for (const { id, isWide } of caller) {
      if (!isWide) same(id, own);
      else
        for (const spans of Object.values((kept.get(id) ?? {}) as Record<string, [number, number][]>))
          assert.equal(
            spans.reduce((sum, [, hits]) => sum + hits, 0),
            own.length,
            id,
          );
    }
  }
  for (const country of ['DE', 'FR']) {
    const of = messages.filter(({ phone }) => countryOf(phone) === country);
    const spans = (kept.get(usageCounterId(country)) ?? []) as UseSpan[];
    const sum = (part: (span: UseSpan) => number) => spans.reduce((total, span) => total + part(span), 0);
    assert.equal(kept.get(dayCounter(noon, country)) ?? 0, of.filter(({ limits }) => limits).length);
    assert.deepEqual(
      [sum(([, opened]) => opened), sum(([, , uses]) => uses), sum(([, , , all = 0]) => all)],
      [of.filter(({ code }) => code).length, used.get(country) ?? 0, of.filter(({ burst }) => burst).length],
    );
  }
}
