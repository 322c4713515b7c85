// The SMS spending brake: its counters, which rule refuses a message and for how long, and when unused codes suspend a country.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type BrakeCounts,
  type BrakePolicy,
  brakeFailure,
  brakeIds,
  countBrake,
  countUse,
  countUsedCode,
  dayCounter,
  findBrake,
  hasUnusedCodes,
  isSuspended,
  prefixId,
  readBrake,
  recentUse,
  type SmsBrakeCheck,
  type UseSpan,
  usageCounterId,
} from '../../src/abuse/sms-brake.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { asPhone } from '../helpers/people/ids.ts';
import { brakePolicy, day, hour, minute, noon } from '../helpers/store/fixtures.ts';

const unused = { share: 0.75, least: 10 };
const policy: BrakePolicy = {
  countries: [],
  perDay: 5,
  perCountryPerDay: 3,
  perPrefix: [{ count: 2, windowSeconds: 3600 }],
  unused,
};
const check: SmsBrakeCheck = { phone: asPhone('+4915112345678'), country: 'DE', policy, now: noon };
const all = {
  total: 'sms:2031-05-05',
  country: 'sms:2031-05-05:DE',
  prefix: 'sms-prefix:+491511234',
  use: 'sms-use:DE',
};
const nothing: BrakeCounts = { total: 0, country: 0, prefix: [], use: [] };
/** The span that is open at noon. */
const at = noon / (10 * minute);

describe('the counters of the spending brake', () => {
  const cases: [what: string, changes: Partial<BrakePolicy>, expected: object][] = [
    ['all of them where every rule is on', policy, all],
    ['none where every rule is off', {}, {}],
    ['the day', { perDay: 1 }, { total: all.total }],
    ['the day of a country', { perCountryPerDay: 1 }, { country: all.country }],
    ['the prefix', { perPrefix: policy.perPrefix }, { prefix: all.prefix }],
    ['the use of codes', { unused }, { use: all.use }],
  ];
  for (const [what, changes, expected] of cases) {
    it(`the counters of the spending brake are ${what}`, () => {
      const given = { ...check, policy: { ...brakePolicy, ...changes } };
      assert.deepEqual(brakeIds(given), expected);
      const counted = countBrake(given, () => undefined, true).map(({ id }) => id);
      assert.deepEqual(counted, Object.values(expected));
    });
  }

  it('a day is a day in UTC', () => {
    const midnight = Date.UTC(2031, 4, 6);
    assert.deepEqual([dayCounter(midnight - 1), dayCounter(midnight)], ['sms:2031-05-05', 'sms:2031-05-06']);
    assert.equal(dayCounter(midnight, 'FR'), 'sms:2031-05-06:FR');
  });

  it('a prefix is all but the last four digits of a number', () => {
    assert.equal(prefixId(asPhone('+4915112345678')), 'sms-prefix:+491511234');
    assert.equal(prefixId(asPhone('+4915112345678')), prefixId(asPhone('+4915112340000')));
    assert.notEqual(prefixId(asPhone('+4915112345678')), prefixId(asPhone('+4915112355678')));
  });

  it('the use of codes is counted for each country', () => assert.equal(usageCounterId('FR'), 'sms-use:FR'));

  it('counters that are off or not kept are read as nothing', () => {
    assert.deepEqual(
      readBrake(check, () => undefined),
      nothing,
    );
    assert.deepEqual(
      readBrake({ ...check, policy: brakePolicy }, () => assert.fail('read')),
      nothing,
    );
  });

  it('counters are read by their ids', () => {
    const kept: Record<string, unknown> = {
      [all.total]: 4,
      [all.country]: 2,
      [all.prefix]: [noon],
      [all.use]: [[at, 1, 0, 1]],
    };
    assert.deepEqual(
      readBrake(check, (id) => kept[id]),
      { total: 4, country: 2, prefix: [noon], use: [[at, 1, 0, 1]] },
    );
  });
});

describe('a message that was sent', () => {
  const counts = (kept: Record<string, unknown>, opensCode: boolean) =>
    Object.fromEntries(countBrake(check, (id) => kept[id], opensCode).map(({ id, ...count }) => [id, count]));

  it('a message that was sent is the first of its counters', () => {
    assert.deepEqual(counts({}, true), {
      [all.total]: { value: 1, endsAt: noon + 2 * day },
      [all.country]: { value: 1, endsAt: noon + 2 * day },
      [all.prefix]: { value: [noon], endsAt: noon + hour },
      [all.use]: { value: [[at, 1, 0, 1]], endsAt: noon + 6 * hour },
    });
  });

  it('a message that was sent is added to those before; one that repeats a code opens none', () => {
    const kept = { [all.total]: 4, [all.country]: 2, [all.prefix]: [noon - 5], [all.use]: [[at, 7, 3, 8]] };
    const after = counts(kept, false);
    assert.deepEqual(
      [all.total, all.country, all.prefix, all.use].map((id) => after[id]?.value),
      [5, 3, [noon - 5, noon], [[at, 7, 3, 9]]],
    );
  });
});

describe('a use of codes', () => {
  const cases: [
    what: string,
    UseSpan[],
    openedAt: number,
    added: Parameters<typeof countUse>[3],
    expected: UseSpan[],
  ][] = [
    ['opens a span', [], noon, { opened: 1, sent: 1 }, [[at, 1, 0, 1]]],
    ['is added to its span', [[at, 3, 1, 4]], noon, { opened: 1, used: 2, sent: 3 }, [[at, 4, 3, 7]]],
    ['of nothing changes nothing', [[at, 3, 1, 4]], noon, {}, [[at, 3, 1, 4]]],
    [
      'is added to the span in which the code was opened',
      [
        [at - 1, 3, 1, 4],
        [at, 9, 9, 9],
      ],
      noon - 1,
      { used: 1 },
      [
        [at, 9, 9, 9],
        [at - 1, 3, 2, 4],
      ],
    ],
    ['stays in its span to its end', [[at, 1, 0, 1]], noon + 10 * minute - 1, { used: 1 }, [[at, 1, 1, 1]]],
    [
      'keeps the spans of six hours',
      [
        [at - 36, 1, 1, 1],
        [at - 35, 2, 2, 2],
      ],
      noon,
      { sent: 1 },
      [
        [at - 35, 2, 2, 2],
        [at, 0, 0, 1],
      ],
    ],
    [
      'takes the opened codes of a span without messages as its messages',
      [[at, 3, 1]],
      noon,
      { sent: 1 },
      [[at, 3, 1, 4]],
    ],
  ];
  for (const [what, spans, openedAt, added, expected] of cases) {
    it(`a use of codes ${what}`, () => assert.deepEqual(countUse(spans, openedAt, noon, added), expected));
  }

  it('a used code counts for its country, in the span in which it was opened, and is kept for a day', () => {
    const read = (id: string) => (id === 'sms-use:DE' ? [[at - 1, 4, 0, 4]] : assert.fail(id));
    assert.deepEqual(countUsedCode('DE', read, noon - 1, noon), {
      id: 'sms-use:DE',
      value: [[at - 1, 4, 1, 4]],
      endsAt: noon + day,
    });
    assert.deepEqual(countUsedCode('DE', () => undefined, noon, noon).value, [[at, 0, 1, 0]]);
  });

  it('recent uses are those of six hours, of all spans together', () => {
    const spans: UseSpan[] = [
      [at - 36, 100, 100],
      [at - 35, 1, 0],
      [at, 5, 2],
    ];
    assert.deepEqual(recentUse(spans, noon), { opened: 6, used: 2 });
    assert.deepEqual(recentUse([], noon), { opened: 0, used: 0 });
  });
});

describe('the spending brake', () => {
  const pumped: UseSpan[] = [[at - 2, 10, 0, 10]];
  const cases: [
    what: string,
    changes: Partial<BrakePolicy>,
    Partial<BrakeCounts>,
    now: number,
    expected: [string, number] | undefined,
  ][] = [
    ['lets a message through where nothing was counted', policy, {}, noon, undefined],
    [
      'lets a message through below every limit',
      policy,
      { total: 4, country: 2, prefix: [noon], use: [[at - 2, 9, 0, 9]] },
      noon,
      undefined,
    ],
    ['refuses what the day does not allow until tomorrow', policy, { total: 5 }, noon, ['day', 43_200]],
    ['refuses for one more second at the end of a day', policy, { total: 5 }, Date.UTC(2031, 4, 6) - 1, ['day', 1]],
    ['refuses for a whole day at its start', policy, { total: 5 }, Date.UTC(2031, 4, 6), ['day', 86_400]],
    [
      'refuses what the country does not allow until tomorrow',
      policy,
      { total: 4, country: 3 },
      noon,
      ['country', 43_200],
    ],
    [
      'refuses what the prefix does not allow until its window ends',
      policy,
      { prefix: [noon - 1000, noon] },
      noon,
      ['prefix', 3599],
    ],
    ['refuses what unused codes do not allow until the next span', policy, { use: pumped }, noon, ['unused', 600]],
    [
      'refuses unused codes for one more second at the end of a span',
      policy,
      { use: pumped },
      noon + 10 * minute - 1,
      ['unused', 1],
    ],
    ['names the day before the country', policy, { total: 5, country: 3 }, noon, ['day', 43_200]],
    ['names the country before the prefix', policy, { country: 3, prefix: [noon, noon] }, noon, ['country', 43_200]],
    ['names the prefix before unused codes', policy, { prefix: [noon, noon], use: pumped }, noon, ['prefix', 3600]],
    [
      'never refuses where every rule is off',
      {},
      { total: 9, country: 9, prefix: [noon, noon], use: pumped },
      noon,
      undefined,
    ],
  ];
  for (const [what, changes, counts, now, expected] of cases) {
    it(`the spending brake ${what}`, () => {
      const given = { ...check, policy: { ...brakePolicy, ...changes }, now };
      assert.deepEqual(
        findBrake(given, { ...nothing, ...counts }),
        expected && { rule: expected[0], retryAfterSeconds: expected[1] },
      );
    });
  }

  it('the spending brake tells the caller when to try again, and the log why', () => {
    const failure = brakeFailure(77);
    assert.deepEqual([failure.code, failure.detail], ['SMS_SUSPENDED', { retryAfterSeconds: 77 }]);
    assert.equal((failure.cause as Error).message, 'the spending brake is on');
  });

  it('the spending brake never lets more messages through than the day, the country and the prefix allow, in any order', () => {
    const step = fc.tuple(fc.constantFrom('DE', 'FR'), fc.nat(2), fc.integer({ min: 0, max: 4 * hour }));
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 50 }), (steps) => {
        const kept = new Map<string, unknown>();
        const sent: { now: number; country: string; prefix: string }[] = [];
        let now = noon;
        for (const [country, area, pause] of steps) {
          now += pause;
          const given = { ...check, phone: asPhone(`+4915112${area}45678`), country, now };
          const read = (id: string) => kept.get(id);
          if (findBrake(given, readBrake(given, read)) !== undefined) continue;
          for (const { id, value } of countBrake(given, read, true)) kept.set(id, value);
          sent.push({ now, country, prefix: prefixId(given.phone) });
        }
        for (const end of sent) {
          const before = sent.filter((other) => other.now <= end.now);
          const today = before.filter((other) => dayCounter(other.now) === dayCounter(end.now));
          assert.ok(today.length <= 5);
          assert.ok(today.filter((other) => other.country === end.country).length <= 3);
          const alike = before.filter((other) => other.prefix === end.prefix && other.now > end.now - hour);
          assert.ok(alike.length <= 2);
        }
      }),
      { numRuns: rounds(40), seed },
    );
  });
});

describe('unused codes', () => {
  const cases: [what: string, UseSpan[], changes: Partial<typeof unused>, isTripped: boolean][] = [
    ['nothing was sent', [], {}, false],
    ['enough codes went unused', [[at - 2, 10, 2, 10]], {}, true],
    ['exactly the allowed share went unused', [[at - 2, 12, 3, 12]], {}, false],
    ['too few codes were sent to tell', [[at - 2, 9, 0, 9]], {}, false],
    [
      'the codes of several spans went unused',
      [
        [at - 3, 5, 0, 5],
        [at - 2, 5, 0, 5],
      ],
      {},
      true,
    ],
    [
      'the codes of one span were used and of another not',
      [
        [at - 3, 20, 20, 20],
        [at - 2, 10, 0, 10],
      ],
      {},
      false,
    ],
    [
      'the unused codes are of the last two spans and may still be used',
      [
        [at - 1, 10, 0, 10],
        [at, 10, 0, 10],
      ],
      {},
      false,
    ],
    ['the unused codes are six hours old', [[at - 36, 50, 0, 50]], {}, false],
    ['the unused codes are almost six hours old', [[at - 35, 10, 0, 10]], {}, true],
    ['the unused codes are in the future', [[at + 1, 500, 0, 500]], {}, false],
    [
      'a burst of messages is too large to wait for their use',
      [
        [at - 1, 10, 0, 20],
        [at, 10, 0, 20],
      ],
      {},
      true,
    ],
    [
      'a burst is one message too small',
      [
        [at - 1, 10, 0, 20],
        [at, 10, 0, 19],
      ],
      {},
      false,
    ],
    [
      'enough codes of a burst were used',
      [
        [at - 1, 10, 5, 20],
        [at, 10, 5, 20],
      ],
      {},
      false,
    ],
    ['a burst was sent one span before the last two', [[at - 2, 9, 0, 50]], {}, false],
    ['a span does not say how many messages it had', [[at, 40, 0]], {}, true],
    [
      'the rule has no least number',
      [
        [at - 2, 10, 0, 10],
        [at, 50, 0, 50],
      ],
      { least: 0 },
      false,
    ],
  ];
  for (const [what, spans, changes, isTripped] of cases) {
    it(`the brake on unused codes ${isTripped ? 'trips' : 'does not trip'} where ${what}`, () => {
      assert.equal(hasUnusedCodes(spans, { ...unused, ...changes }, noon), isTripped);
    });
  }

  const before: UseSpan = [at - 3, 10, 0, 10];
  const trickles: [what: string, UseSpan[], isRefused: boolean][] = [
    ['where it is off', [], false],
    ['in the span in which it trips', [[at - 2, 10, 0, 10]], true],
    ['in a later span, at first', [before], false],
    ['in a later span, after two messages', [before, [at, 2, 0, 2]], false],
    ['in a later span, after three messages', [before, [at, 3, 0, 3]], true],
    ['after three messages, one of which opened no code', [before, [at, 2, 0, 3]], true],
    ['after five messages and one used code', [before, [at, 5, 1, 5]], false],
    ['after six messages and one used code', [before, [at, 6, 1, 6]], true],
    ['after eight messages and two used codes', [before, [at, 8, 2, 8]], false],
    ['after nine messages and two used codes', [before, [at, 9, 2, 9]], true],
  ];
  for (const [what, spans, isRefused] of trickles) {
    it(`the brake on unused codes ${isRefused ? 'refuses' : 'allows'} a message ${what}`, () => {
      assert.equal(isSuspended(spans, unused, noon), isRefused);
    });
  }

  it('the brake on unused codes rounds down what used codes let through', () => {
    const rule = { share: 0.7, least: 10 };
    assert.equal(isSuspended([before, [at, 4, 1, 4]], rule, noon), false);
    assert.equal(isSuspended([before, [at, 5, 1, 5]], rule, noon), true);
  });

  /** After these, three messages in each ten minutes. */
  const steady = (...first: number[]) => [...first, ...Array(36 - first.length).fill(3)];
  const bounds: [repeats: number, most: number][] = [
    [0, 400],
    [4, 600],
  ];
  for (const [repeats, most] of bounds) {
    it(`the brake on unused codes holds six hours of pumping that repeats each code ${repeats} times, at any pace, below ${most} messages`, () => {
      const paces = fc.array(fc.oneof(fc.integer({ min: 0, max: 250 }), fc.nat(3)), { minLength: 36, maxLength: 36 });
      fc.assert(
        fc.property(paces, (perSpan) => {
          let spans: readonly UseSpan[] = [];
          let sent = 0;
          perSpan.forEach((count, index) => {
            const now = noon + index * 10 * minute;
            for (let tried = 0; tried < count && !isSuspended(spans, rule, now); tried++) {
              spans = countUse(spans, now, now, { opened: sent % (repeats + 1) === 0 ? 1 : 0, sent: 1 });
              sent += 1;
            }
          });
          assert.ok(sent < most, `${sent} messages`);
          assert.ok(spans.length <= 36);
        }),
        {
          numRuns: rounds(40),
          seed,
          examples: [[steady(49, 150, 49)], [steady(200, 0, 45, 155)], [steady(150, 127, 45, 181, 48, 47, 106)]],
        },
      );
    });
  }
});

const rule = { share: 0.8, least: 50 };
const span = 10 * minute;

/** The messages of a country and the users who request them. */
function createCountry() {
  let spans: readonly UseSpan[] = [];
  const country = {
    sent: 0,
    /** False if the brake refuses the message. */
    send: (now: number, opened = 1): boolean => {
      if (isSuspended(spans, rule, now)) return false;
      spans = countUse(spans, now, now, { opened, sent: 1 });
      country.sent += 1;
      return true;
    },
    use: (openedAt: number, now: number): void => {
      spans = countUse(spans, openedAt, now, { used: 1 });
    },
    hasUnusedCodes: (now: number) => hasUnusedCodes(spans, rule, now),
  };
  return country;
}

describe('the brake on unused codes of a country', () => {
  const pumped = () => {
    const country = createCountry();
    for (let count = 0; count < 50; count++) assert.ok(country.send(noon));
    return country;
  };

  it('the brake on unused codes refuses everything in the span in which it trips, and lets three messages per span through afterwards', () => {
    const country = pumped();
    assert.equal(country.send(noon + 2 * span), false);
    assert.equal(country.send(noon + 3 * span - 1), false);
    for (const expected of [true, true, true, false]) assert.equal(country.send(noon + 3 * span), expected);
    assert.equal(country.send(noon + 4 * span), true);
  });

  it('the brake on unused codes lets honest users through within ten minutes after pumping ends', () => {
    const country = pumped();
    let refused = 0;
    let firstAt = 0;
    // A sign-in every minute, the code used half a minute later.
    for (let now = noon + 2 * span; now < noon + 6 * span; now += minute) {
      if (!country.send(now)) {
        refused += 1;
        continue;
      }
      firstAt ||= now;
      country.use(now, now + minute / 2);
    }
    assert.equal(firstAt, noon + 3 * span);
    assert.equal(refused, 10, 'only those of the span in which it tripped');
  });

  it('the brake on unused codes lets a rush through as fast as its codes are used', () => {
    const country = pumped();
    const now = noon + 3 * span;
    let passed = 0;
    for (let round = 0; round < 5; round++) {
      const opened = Array.from({ length: 40 }).filter(() => country.send(now + round * minute)).length;
      for (let count = 0; count < opened; count++) country.use(now, now + round * minute + 30_000);
      passed += opened;
    }
    assert.ok(passed >= 100, `${passed} of 200`);
  });

  it('the brake on unused codes goes off again once a fifth of the codes of a rush are used', () => {
    const country = createCountry();
    for (let count = 0; count < 200; count++) assert.ok(country.send(noon));
    assert.equal(country.send(noon), false, 'two hundred messages and not one code used');
    for (let count = 0; count < 41; count++) country.use(noon, noon + minute);
    assert.equal(country.send(noon + minute), true);
    assert.equal(country.hasUnusedCodes(noon + minute), false);
  });

  it('the brake on unused codes never trips for a country where most codes are used', () => {
    const country = createCountry();
    for (let now = noon; now < noon + 36 * span; now += minute) {
      for (let count = 0; count < 10; count++) {
        assert.ok(country.send(now));
        if (count < 3) country.use(now, now);
      }
    }
  });
});
