// The limits on wrong codes, without a store: at most 25 guesses a day are judged, and strangers lock out neither the asker nor a known device.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addFailure,
  type Budget,
  budgetIds,
  chooseCharge,
  type Guesser,
  hitsOfReserve,
  useDeviceReserve,
  useReserve,
} from '../../../src/auth/codes/attempt-budget.ts';
import { type Challenge, type CodeAttempt, openChallenge } from '../../../src/auth/codes/challenge.ts';
import { tryCode } from '../../../src/auth/codes/try-code.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { attempt, newChallengeSeed, noon, otpPolicy, right } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+491510000001');
const second = 1000;
const day = 86_400 * second;
const policy = { ...otpPolicy, failuresPerRecipient: [{ count: 15, windowSeconds: 86_400 }] };

/** One recipient as the store would keep it, with a clock. */
function createRecipient(changes: Partial<typeof policy> = {}) {
  const challenges = new Map<string, Challenge>();
  const limits = new Map<unknown, unknown>();
  const rules = { ...policy, ...changes };
  const base = attempt(phone, noon, rules);
  let now = noon;
  const give = (given: CodeAttempt) => {
    const { outcome, challenge, counts } = tryCode(challenges.get(given.slot), given, (id) => limits.get(id));
    if (challenge !== undefined) challenges.set(given.slot, challenge);
    for (const { id, value } of counts) limits.set(id, value);
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  };
  return {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    now: () => now,
    send: () => {
      const { slot } = base;
      challenges.set(slot, openChallenge(challenges.get(slot), newChallengeSeed(), rules, now));
    },
    wrong: (asker?: string, caller = '192.0.2.1') => give({ ...base, now, asker, caller }),
    right: (asker?: string, caller = '192.0.2.1') => give({ ...right(base), now, asker, caller }),
    /** The same on a known device. */
    wrongOn: (device: string, asker?: string) => give({ ...base, now, device, asker }),
    rightOn: (device: string, asker?: string) => give({ ...right(base), now, device, asker }),
  };
}

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, () => act());

describe('wrong codes', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ act: 'send' as const }) },
    { weight: 10, arbitrary: fc.constant({ act: 'stranger' as const }) },
    {
      weight: 10,
      arbitrary: fc.record({ act: fc.constant('asker' as const), asker: fc.constantFrom('a', 'b', 'c', 'd') }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        act: fc.constant('device' as const),
        device: fc.constantFrom('x', 'y'),
        asker: fc.constantFrom('a', undefined),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ act: 'sign in' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('wait' as const),
        milliseconds: fc.oneof(
          fc.constantFrom(1, 30 * second, 299 * second, 300 * second, 600 * second, day - 1, day, day + 1),
          fc.integer({ min: 1, max: day / 6 }),
        ),
      }),
    },
  );

  it('at most 25 of a million codes are tried in any 24 hours, by strangers, askers and known devices together', () => {
    let most = 0;
    const property = fc.property(fc.array(step, { size: 'max', maxLength: 250 }), (steps) => {
      const recipient = createRecipient();
      const judged: number[] = [];
      for (const each of steps) {
        if (each.act === 'send') recipient.send();
        if (each.act === 'sign in') recipient.right('a');
        if (each.act === 'wait') recipient.pass(each.milliseconds);
        if (each.act !== 'stranger' && each.act !== 'asker' && each.act !== 'device') continue;
        const asker = each.act === 'stranger' ? undefined : each.asker;
        const verdict = each.act === 'device' ? recipient.wrongOn(each.device, asker) : recipient.wrong(asker);
        assert.ok(verdict === 'OTP_INVALID' || verdict === 'OTP_ATTEMPTS_EXCEEDED', verdict);
        if (verdict === 'OTP_INVALID') judged.push(recipient.now());
      }
      for (const end of judged) {
        const within = judged.filter((at) => at <= end && at > end - day).length;
        most = Math.max(most, within);
        assert.ok(within <= 25, `${within} in 24 hours`);
      }
    });
    fc.assert(property, { numRuns: rounds(100), seed });
    assert.equal(most, 25, 'the maximum is reached');
  });

  it('wrong codes from strangers never keep the user who asked for the code from signing in', () => {
    const strangers = fc.array(fc.oneof(fc.constant(0), fc.constantFrom(1, 60 * second, 299 * second, 301 * second)), {
      maxLength: 120,
    });
    const property = fc.property(strangers, fc.nat(3), (pauses, typos) => {
      const recipient = createRecipient();
      for (const pause of pauses) {
        recipient.pass(pause);
        recipient.wrong();
      }
      recipient.send();
      for (const _ of pauses) recipient.wrong();
      for (let count = 0; count < Math.min(typos, 1); count++) assert.equal(recipient.wrong('a'), 'OTP_INVALID');
      for (const _ of pauses) recipient.wrong();
      assert.equal(recipient.right('a'), 'proved');
    });
    fc.assert(property, { numRuns: rounds(200), seed });
  });

  it('10,000 wrong codes from 100 addresses lock out neither the owner on a known device nor whoever asked for the code', () => {
    const recipient = createRecipient({ failuresPerCaller: [{ count: 30, windowSeconds: 3600 }] });
    recipient.send();
    const attack = () => {
      for (let index = 0; index < 2000; index++) {
        if (index % 25 === 0) recipient.pass(second);
        recipient.wrong(undefined, `198.51.100.${index % 100}`);
      }
    };
    attack();
    assert.equal(recipient.right(undefined, '203.0.113.1'), 'OTP_ATTEMPTS_EXCEEDED', 'a stranger is locked out');
    assert.equal(recipient.wrongOn('x'), 'OTP_INVALID', 'a typo of the owner');
    attack();
    assert.equal(recipient.rightOn('x'), 'proved', 'the owner on a known device, without an ask token');
    attack();
    recipient.send();
    attack();
    assert.equal(recipient.right('a'), 'proved', 'whoever asked for the code');
    recipient.send();
    attack();
    assert.equal(recipient.rightOn('y', 'b'), 'proved', 'the owner on a known device who asked');
  });

  it('askers who use up their reserve and their attempts do not lock out a known device', () => {
    const recipient = createRecipient();
    for (let round = 0; round < 3; round++) {
      recipient.send();
      times(5, recipient.wrong);
    }
    recipient.send();
    for (const asker of ['a', 'b', 'c']) times(2, () => recipient.wrong(asker));
    assert.equal(recipient.right('owner'), 'OTP_ATTEMPTS_EXCEEDED', 'the reserve of askers is used up');
    assert.equal(recipient.rightOn('x', 'owner'), 'proved');
  });

  it('five wrong codes on known devices use up their reserve, and the asker still has another', () => {
    const recipient = createRecipient();
    for (let round = 0; round < 3; round++) {
      recipient.send();
      times(5, recipient.wrong);
    }
    recipient.send();
    assert.deepEqual(
      times(6, () => recipient.wrongOn('x')),
      [...Array(5).fill('OTP_INVALID'), 'OTP_ATTEMPTS_EXCEEDED'],
    );
    recipient.send();
    assert.equal(recipient.rightOn('y'), 'OTP_ATTEMPTS_EXCEEDED', 'all devices share one reserve');
    assert.equal(recipient.right('owner'), 'proved');
  });

  it('wrong codes without an ask token count five for a code and fifteen a day', () => {
    const recipient = createRecipient();
    for (let round = 0; round < 3; round++) {
      recipient.send();
      assert.deepEqual(times(6, recipient.wrong), [...Array(5).fill('OTP_INVALID'), 'OTP_ATTEMPTS_EXCEEDED']);
      assert.equal(recipient.right(), 'OTP_ATTEMPTS_EXCEEDED');
    }
    recipient.send();
    assert.equal(
      recipient.right(),
      'OTP_ATTEMPTS_EXCEEDED',
      'the right code of a stranger, on the day the count is used up',
    );
    recipient.pass(day);
    recipient.send();
    assert.equal(recipient.right(), 'proved');
  });

  it('five wrong codes from the user who asked end the code, and then even the right code is refused', () => {
    const recipient = createRecipient();
    recipient.send();
    assert.deepEqual(
      times(6, () => recipient.wrong('a')),
      [...Array(5).fill('OTP_INVALID'), 'OTP_ATTEMPTS_EXCEEDED'],
    );
    assert.equal(recipient.right('a'), 'OTP_ATTEMPTS_EXCEEDED');
    assert.equal(recipient.wrong(), 'OTP_INVALID', 'a stranger has attempts of their own');
    recipient.send();
    assert.equal(recipient.right('a'), 'proved');
  });

  it('one ask token may use two guesses of the reserve, and all ask tokens together five', () => {
    const recipient = createRecipient();
    for (let round = 0; round < 3; round++) {
      recipient.send();
      times(5, recipient.wrong);
    }
    recipient.send();
    for (const asker of ['a', 'b', 'c']) times(3, () => recipient.wrong(asker));
    const judged = ['d', 'e'].map((asker) => recipient.wrong(asker));
    assert.deepEqual(judged, Array(2).fill('OTP_ATTEMPTS_EXCEEDED'));
    const other = createRecipient();
    for (let round = 0; round < 3; round++) {
      other.send();
      times(5, other.wrong);
    }
    other.send();
    assert.deepEqual(
      times(3, () => other.wrong('thief')),
      ['OTP_INVALID', 'OTP_INVALID', 'OTP_ATTEMPTS_EXCEEDED'],
    );
    assert.equal(other.right('owner'), 'proved');
  });

  it('wrong codes are limited for one caller over all recipients, and a limited caller uses up nothing of the recipient', () => {
    const recipient = createRecipient({ failuresPerCaller: [{ count: 3, windowSeconds: 3600 }] });
    recipient.send();
    assert.deepEqual(times(4, recipient.wrong), [...Array(3).fill('OTP_INVALID'), 'RATE_LIMITED']);
    assert.equal(recipient.right(), 'RATE_LIMITED', 'no code is compared for a refused caller');
    assert.equal(recipient.right('a'), 'proved', 'the user who asked is judged from the same IP address');
    recipient.send();
    times(50, recipient.wrong);
    assert.deepEqual(
      times(2, () => recipient.wrong(undefined, '192.0.2.2')),
      Array(2).fill('OTP_INVALID'),
      'those fifty used up nothing',
    );
    const site = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index}::/64`);
    const open = createRecipient({
      failuresPerCaller: [{ count: 1, windowSeconds: 3600 }],
      failuresPerRecipient: [],
      attempts: 100,
    });
    const verdicts = site.map((caller) => open.wrong(undefined, caller));
    assert.equal(verdicts.filter((verdict) => verdict === 'OTP_INVALID').length, 4, 'a /48 has four times as many');
  });
});

describe('the budget of an attempt', () => {
  const rules = { failuresPerRecipient: [{ count: 2, windowSeconds: 3600 }] };
  const free: Budget = { failures: [noon - 5000], reserve: [], devices: [] };
  const full: Budget = { failures: [noon - 10_000, noon - 5000], reserve: [], devices: [] };
  const used = (...askers: string[]) => askers.map((asker): [number, string] => [noon - 1000, asker]);
  const dayAgo = (ago: number, asker: string): [number, string] => [noon - ago, asker];
  const none = (retryAfterSeconds: number) => ({
    name: 'none',
    block: { rule: rules.failuresPerRecipient[0], retryAfterSeconds },
  });
  const cases: [what: string, Budget, asker: string | undefined, expected: object][] = [
    ['of a stranger is the day', free, undefined, { name: 'day' }],
    ['of the asker is the day as well', free, 'a', { name: 'day' }],
    ['of a stranger is used up with the day', full, undefined, none(3590)],
    ['of the asker is then the reserve', full, 'a', { name: 'reserve' }],
    ['of the asker is the reserve a second time', { ...full, reserve: used('a') }, 'a', { name: 'reserve' }],
    ['of the asker is used up after two of the reserve', { ...full, reserve: used('a', 'a') }, 'a', none(3590)],
    ['of another asker is the reserve still', { ...full, reserve: used('a', 'a', 'b', 'b') }, 'c', { name: 'reserve' }],
    ['of all askers is used up after five', { ...full, reserve: used('a', 'a', 'b', 'b', 'c') }, 'c', none(3590)],
    ['of a stranger is never the reserve', { ...full, reserve: used('a') }, undefined, none(3590)],
    [
      'of the asker counts the reserve of a day',
      { ...full, reserve: [dayAgo(day, 'a'), dayAgo(day, 'a')] },
      'a',
      { name: 'reserve' },
    ],
    [
      'of the asker counts the reserve until the day is over',
      { ...full, reserve: [dayAgo(day - 1, 'a'), dayAgo(day - 1, 'a')] },
      'a',
      none(3590),
    ],
    [
      'of all askers is free again when the reserve is, if that is sooner',
      { ...full, reserve: [dayAgo(day - 7000, 'a'), ...used('b', 'b', 'c', 'd')] },
      'e',
      none(7),
    ],
  ];
  for (const [what, budget, asker, expected] of cases) {
    it(`the budget of an attempt ${what}`, () => {
      assert.deepEqual(chooseCharge(budget, rules, { asker }, noon), expected);
    });
  }

  const usedUp = { ...full, devices: Array<number>(5).fill(noon - 1000) };
  const deviceCases: [what: string, Budget, Guesser, expected: object][] = [
    ['is the day first', free, { device: 'x' }, { name: 'day' }],
    ['is then the reserve of devices', full, { device: 'x' }, { name: 'device reserve' }],
    ['is the reserve of devices for an asker too', full, { device: 'x', asker: 'a' }, { name: 'device reserve' }],
    ['is used up after five', usedUp, { device: 'x' }, none(3590)],
    ['is then the reserve of askers, for an asker', usedUp, { device: 'x', asker: 'a' }, { name: 'reserve' }],
    ['is no reserve for an asker without a device', { ...usedUp, reserve: used('a', 'a') }, { asker: 'a' }, none(3590)],
    [
      'is free again when the reserve is, if that is sooner',
      { ...full, devices: [noon - day + 9000, ...Array<number>(4).fill(noon)] },
      { device: 'x' },
      none(9),
    ],
  ];
  for (const [what, budget, guesser, expected] of deviceCases) {
    it(`the budget of an attempt on a known device ${what}`, () => {
      assert.deepEqual(chooseCharge(budget, rules, guesser, noon), expected);
    });
  }

  it('the budget of an attempt is without end where the limit is off', () => {
    assert.deepEqual(chooseCharge(full, { failuresPerRecipient: [] }, {}, noon), { name: 'day' });
  });

  it('a wrong code is added to those of the recipient, and kept as long as the longest window', () => {
    assert.deepEqual(addFailure([noon - 5, noon - 1], rules, noon), {
      value: [noon - 1, noon],
      endsAt: noon + 3_600_000,
    });
  });

  it('a use of the reserve is added to those of the last day, and kept for a day', () => {
    const reserve = [dayAgo(day, 'a'), dayAgo(day - 1, 'b')];
    assert.deepEqual(useReserve(reserve, 'c', noon), {
      value: [dayAgo(day - 1, 'b'), [noon, 'c']],
      endsAt: noon + day,
    });
  });

  it('a use of the reserve of devices is added to those of the last day, and kept for a day', () => {
    const value = [noon - day + 1, noon];
    assert.deepEqual(useDeviceReserve([noon - day + 1], noon), { value, endsAt: noon + day });
    assert.equal(budgetIds(phone).deviceReserveId, `reserve-device:${sha256(phone)}`);
  });

  it('the reserve of a recipient has its own counter, whose times staff see', () => {
    assert.equal(budgetIds(phone).reserveId, `reserve:${sha256(phone)}`);
    assert.deepEqual(hitsOfReserve([dayAgo(2, 'a'), dayAgo(1, 'b')]), [noon - 2, noon - 1]);
    assert.deepEqual(hitsOfReserve(undefined), []);
  });
});
