// The limits of a recipient or a caller as staff see them: whom a text names, and what each counter says.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countSend, refuseSend, type SendPolicy } from '../../src/abuse/sends.ts';
import { budgetIds } from '../../src/auth/codes/attempt-budget.ts';
import {
  countersOf,
  type LimitPolicies,
  type LimitSubject,
  limitKinds,
  maskSubject,
  readLimitSubject,
  subjectsOf,
} from '../../src/support/recipient-limits.ts';
import { asEmail, asEmailKey, asPhone } from '../helpers/people/ids.ts';
import { makeUser } from '../helpers/people/user.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const phone = asPhone('+12025550123');

const sends: SendPolicy = {
  resendAfterSeconds: [30, 60],
  perRecipient: [{ count: 2, windowSeconds: 3600 }],
  perIp: [{ count: 1, windowSeconds: 3600 }],
};
const off: SendPolicy = { resendAfterSeconds: [], perRecipient: [], perIp: [] };
const otp = {
  lifeSeconds: 300,
  capSeconds: 600,
  attempts: 5,
  failuresPerRecipient: [{ count: 3, windowSeconds: 86_400 }],
  failuresPerCaller: [{ count: 4, windowSeconds: 3600 }],
};
const brake = {
  countries: [],
  perDay: 0,
  perCountryPerDay: 0,
  perPrefix: [{ count: 1, windowSeconds: 3600 }],
  unused: undefined,
};
const policies: LimitPolicies = { sends: { sms: sends, mail: sends }, otp: { sms: otp, mail: otp }, brake };
const policiesOff: LimitPolicies = {
  sends: { sms: off, mail: off },
  otp: { sms: { ...otp, failuresPerRecipient: [], failuresPerCaller: [] }, mail: otp },
  brake: { ...brake, perPrefix: [] },
};

const toCaller = (text: string) => (text === '203.0.113.7' ? text : undefined);

describe('the subject of limits', () => {
  for (const [text, kind, read] of [
    [asPhone('+12025550123'), 'phone', phone],
    [' +1 (202) 555-01.23 ', 'phone', phone],
    ['Ann@Example.com', 'email', 'ann@example.com'],
    ['203.0.113.7', 'address', '203.0.113.7'],
  ] as const) {
    it(`${JSON.stringify(text)} is the ${kind} ${read}`, () =>
      assert.deepEqual(readLimitSubject(text, toCaller), { kind, text: read }));
  }

  for (const [text, code] of [
    ['ann@', 'EMAIL_INVALID'],
    ['ann', 'REQUEST_INVALID'],
    ['+123', 'REQUEST_INVALID'],
    ['12025550123', 'REQUEST_INVALID'],
    ['', 'REQUEST_INVALID'],
  ] as const) {
    it(`${JSON.stringify(text)} is refused with ${code}`, () =>
      assert.throws(() => readLimitSubject(text, toCaller), { code }));
  }

  it('a user is the subject by phone and, if there is one, by e-mail address in lower case', () => {
    const user = makeUser({ phone });
    assert.deepEqual(subjectsOf(user), [{ kind: 'phone', text: phone }]);
    assert.deepEqual(subjectsOf({ ...user, email: asEmail('Ann@Example.com') }), [
      { kind: 'phone', text: phone },
      { kind: 'email', text: asEmailKey('ann@example.com') },
    ]);
  });

  for (const [subject, masked] of [
    [{ kind: 'phone', text: phone }, '+12•••23'],
    [{ kind: 'email', text: asEmailKey('ann@example.com') }, 'a•••@example.com'],
    [{ kind: 'address', text: '203.0.113.7' }, '203.0.113.7'],
  ] as [LimitSubject, string][]) {
    it(`a ${subject.kind} is shown as ${masked}`, () => assert.equal(maskSubject(subject), masked));
  }
});

describe('the counters of a subject', () => {
  const kindsOf = (subject: LimitSubject, given = policies) =>
    countersOf(subject, given).map(({ kind, name }) => `${kind}: ${name}`);

  it('a phone has a pause for each kind of SMS, sends, similar numbers, failures and reserves', () =>
    assert.deepEqual(kindsOf({ kind: 'phone', text: phone }), [
      'pause: pause after phone-login',
      'pause: pause after proof-phone',
      'pause: pause after phone-change',
      'sends: messages to this recipient',
      'alike: messages to similar numbers',
      'failures: wrong codes',
      'reserve: wrong codes by clients that requested one',
      'devices: wrong codes on known devices',
    ]));

  it('an e-mail address has a pause for each kind of mail, and no similar numbers', () =>
    assert.deepEqual(kindsOf({ kind: 'email', text: asEmailKey('ann@example.com') }), [
      'pause: pause after email-binding',
      'pause: pause after login-link',
      'pause: pause after proof-email',
      'sends: messages to this recipient',
      'failures: wrong codes',
      'reserve: wrong codes by clients that requested one',
    ]));

  it('an IPv4 address has its messages and its guesses', () =>
    assert.deepEqual(kindsOf({ kind: 'address', text: '203.0.113.7' }), [
      'address: messages requested from this IP address',
      'guesses: wrong codes from this IP address',
    ]));

  it('a limit that is off has the same counters, and none of them blocks', () => {
    for (const subject of [
      { kind: 'phone', text: phone },
      { kind: 'email', text: asEmailKey('ann@example.com') },
      { kind: 'address', text: '203.0.113.7' },
    ] as const) {
      assert.deepEqual(kindsOf(subject, policiesOff), kindsOf(subject));
      const ids = countersOf(subject, policies).map(({ id }) => id);
      assert.deepEqual(
        countersOf(subject, policiesOff).map(({ id }) => id),
        ids,
      );
      assert.equal(new Set(ids).size, ids.length);
    }
    const many = Array.from({ length: 50 }, (_, index) => noon - index).reverse();
    for (const { kind, read } of countersOf({ kind: 'phone', text: phone }, policiesOff))
      if (kind !== 'reserve' && kind !== 'devices') assert.equal(read(many, noon).blockedSeconds, 0, kind);
  });

  it('every kind of counter is in the list of kinds', () => {
    const shown = ['phone', 'email', 'address'].flatMap((kind) =>
      countersOf({ kind, text: kind === 'address' ? '2001:db8:5:6::/64' : 'x@y.zz' } as LimitSubject, policies),
    );
    assert.deepEqual(new Set(shown.map(({ kind }) => kind)), new Set(limitKinds));
  });
});

describe('the readings of counters', () => {
  const reader = (kind: string, subject: LimitSubject = { kind: 'phone', text: phone }) =>
    countersOf(subject, policies).find((counter) => counter.kind === kind) ?? assert.fail(kind);
  const nothing = { hits: 0, lastAt: undefined, blockedSeconds: 0 };

  for (const kind of ['pause', 'sends', 'alike', 'failures', 'reserve']) {
    it(`${kind} without a value has no hits and does not block`, () =>
      assert.deepEqual(reader(kind).read(undefined, noon), nothing));
  }

  for (const [kind, hits, blockedSeconds] of [
    ['sends', [noon - 10_000], 0],
    ['sends', [noon - 10_000, noon], 3590],
    ['alike', [noon], 3600],
    ['failures', [noon - 2, noon - 1], 0],
    ['failures', [noon - 2, noon - 1, noon], 86_400],
    ['pause', [noon - 10_000], 20],
    ['pause', [noon - 40_000], 0],
    ['pause', [noon - 40_000, noon - 10_000], 50],
  ] as const) {
    it(`${kind} with ${hits.length} hits blocks for ${blockedSeconds} s`, () =>
      assert.deepEqual(reader(kind).read(hits, noon), { hits: hits.length, lastAt: hits.at(-1), blockedSeconds }));
  }

  it('the reserve is read from its pairs of time and client', () => {
    const uses = Array.from({ length: 5 }, (_, index) => [noon - 5 + index, `client ${index}`]);
    const reading = reader('reserve').read(uses, noon);
    assert.deepEqual([reading.hits, reading.lastAt], [5, noon - 1]);
    assert.ok(reading.blockedSeconds > 86_390);
    assert.equal(reader('reserve').read(uses.slice(1), noon).blockedSeconds, 0);
  });

  it('the counters that staff see are those that a request counts under and is refused by', () => {
    const check = { purpose: 'phone-login', recipient: phone, ip: '203.0.113.7', policy: sends, now: noon };
    const kept = new Map<string, unknown>();
    const read = (id: string) => kept.get(id);
    for (const { id, value } of countSend(check, read)) kept.set(id, value);
    const subjects: LimitSubject[] = [
      { kind: 'phone', text: phone },
      { kind: 'address', text: '203.0.113.7' },
    ];
    const shown = subjects.flatMap((subject) => countersOf(subject, policies));
    for (const id of kept.keys())
      assert.ok(
        shown.some((counter) => counter.id === id),
        id,
      );
    const blocked = shown.map((counter) => counter.read(read(counter.id), noon).blockedSeconds);
    assert.equal(Math.max(...blocked), refuseSend(check, read)?.detail.retryAfterSeconds);
  });

  it('the counters of failures are those that wrong codes are counted under', () => {
    assert.equal(reader('failures').id, budgetIds(phone).failuresId);
    assert.equal(reader('reserve').id, budgetIds(phone).reserveId);
  });
});
