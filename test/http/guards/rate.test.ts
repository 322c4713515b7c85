// Tests how the requests of one IP address are counted: no double burst where two windows meet, and bounded memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LimitRule } from '../../../src/abuse/limits.ts';
import { createRateGuard } from '../../../src/http/guards/rate.ts';
import type { AnyDetail, Failure } from '../../../src/kernel/failure.ts';
import { networksOf } from '../../../src/kernel/net/network.ts';
import { detailOf } from '../../helpers/detail-of.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const rule = { count: 100, windowSeconds: 60 };

type Check = (address: string) => void;

/** The refusal of a request, or undefined if it passes. */
function refusalOf(check: Check, address: string): Failure | undefined {
  try {
    check(address);
    return undefined;
  } catch (error) {
    return error as Failure;
  }
}

/** How many of that many requests at once pass. */
function passing(check: Check, address: string, tries: number): number {
  return Array.from({ length: tries }).filter(() => refusalOf(check, address) === undefined).length;
}

function refusedWith(check: Check, address: string): AnyDetail {
  const refusal = refusalOf(check, address);
  return refusal === undefined ? {} : detailOf(refusal);
}

function waitOf(check: Check, address: string): number {
  return refusedWith(check, address).retryAfterSeconds ?? 0;
}

/** Keeps every request that passed, and counts again each time. */
function createPlainLimit(rules: readonly LimitRule[]) {
  const passed: { at: number; texts: string[] }[] = [];
  return (address: string, now: number): boolean => {
    const networks = networksOf(address);
    const fits = rules.every(({ count, windowSeconds }) => {
      const index = Math.floor(now / 1000 / windowSeconds);
      const left = index + 1 - now / 1000 / windowSeconds;
      return networks.every(({ text, share }) => {
        const inWindow = (wanted: number) =>
          passed.filter(({ at, texts }) => texts.includes(text) && Math.floor(at / 1000 / windowSeconds) === wanted)
            .length;
        return inWindow(index) + Math.floor(inWindow(index - 1) * left) < count * share;
      });
    });
    if (fits) passed.push({ at: now, texts: networks.map(({ text }) => text) });
    return fits;
  };
}

describe('the limit of requests', () => {
  it('the request limit allows no double burst where two windows meet', () => {
    let now = 59_999;
    const check = createRateGuard([rule], 'requests-per-ip', () => now);
    assert.equal(passing(check, 'a', 150), 100);
    now = 60_001;
    assert.ok(passing(check, 'a', 150) <= 1);
    now = 90_000;
    const half = passing(check, 'a', 150);
    assert.ok(half >= 45 && half <= 51, `${half} half a window later`);
    now = 1_000_000;
    assert.equal(passing(check, 'a', 150), 100);
  });

  it('the request limit counts IPv6 networks with the IP addresses in them', () => {
    const check = createRateGuard([{ count: 10, windowSeconds: 60 }], 'requests-per-ip', () => 10_000);
    const site = (third: number) => Array.from({ length: 5 }, (_, index) => `2001:db8:${third}:${index}::/64`);
    const all = (addresses: string[]) => addresses.reduce((sum, address) => sum + passing(check, address, 15), 0);
    assert.equal(passing(check, '2001:db8:1:0::/64', 50), 10, 'a refused request does not count for its network');
    assert.equal(all(site(1)), 30, 'four times as many in a /48');
    for (let third = 2; third <= 10; third++) assert.equal(all(site(third)), 40);
    assert.equal(all(site(11)), 0, 'forty times as many in a /32');
    assert.equal(passing(check, '2001:db9:1:1::/64', 1), 1);
  });

  for (const [what, address, before, quota] of [
    ['an IPv4 address', '1.2.3.4', [], 2],
    ['an IPv6 address', '2001:db8:1:1::/64', [], 2],
    [
      'a /48',
      '2001:db8:1:9::/64',
      ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64', '2001:db8:1:4::/64'],
      8,
    ],
  ] as const) {
    it(`the request limit tells its quota, its window and its wait: ${what}`, () => {
      const check = createRateGuard([{ count: 2, windowSeconds: 60 }], 'uploads-per-user', () => 15_000);
      for (const other of before) passing(check, other, 2);
      passing(check, address, 2);
      const policy = { name: 'uploads-per-user', quota, windowSeconds: 60, resetSeconds: 46 };
      const { code, detail } = refusalOf(check, address) ?? assert.fail('it passed');
      assert.deepEqual([code, detail], ['RATE_LIMITED', { retryAfterSeconds: 46, policy }]);
    });
  }

  it('the request limit counts every address separately', () => {
    const check = createRateGuard([{ count: 1, windowSeconds: 60 }], 'requests-per-ip', () => 0);
    for (const address of ['1.2.3.4', '1.2.3.5', 'unknown', '2001:db8:1:1::/64'])
      assert.equal(passing(check, address, 3), 1, address);
  });

  it('the request limit refuses nothing without a rule', () => {
    assert.equal(
      passing(
        createRateGuard([], 'requests-per-ip', () => 0),
        'a',
        50,
      ),
      50,
    );
  });

  it('the request limit reports a wait after which the request passes', () => {
    for (let begin = 0; begin <= 60_000; begin += 7500) {
      let now = begin;
      const check = createRateGuard([{ count: 1, windowSeconds: 60 }], 'requests-per-ip', () => now);
      check('a');
      now += waitOf(check, 'a') * 1000;
      assert.ok(now > begin);
      check('a');
    }
  });

  it('the request limit never reports a longer wait than needed', () => {
    for (const begin of [0, 30_000, 59_000]) {
      let now = begin;
      const check = createRateGuard([rule], 'requests-per-ip', () => now);
      assert.equal(passing(check, 'a', 101), 100);
      for (now = 60_001; now < 119_000; now += 2700) {
        passing(check, 'a', 101);
        const waited = waitOf(check, 'a');
        assert.ok(waited <= 2, `${waited} s at ${now} ms`);
        now += waited * 1000;
        check('a');
      }
    }
  });

  it('the request limit reports the longest wait of its rules, and a refused request uses up no other rule', () => {
    let now = 0;
    const rules = [
      { count: 3, windowSeconds: 10 },
      { count: 2, windowSeconds: 100 },
    ];
    const check = createRateGuard(rules, 'requests-per-ip', () => now);
    assert.equal(passing(check, 'a', 50), 2);
    assert.deepEqual([waitOf(check, 'a'), refusedWith(check, 'a').policy?.windowSeconds], [101, 100]);
    now = 150_001;
    assert.equal(passing(check, 'a', 1), 1);
    const other = createRateGuard([rules[0] ?? rule, { count: 3, windowSeconds: 100 }], 'requests-per-ip', () => now);
    assert.equal(passing(other, 'a', 3), 3);
    assert.equal(refusedWith(other, 'a').policy?.windowSeconds, 100);
  });

  it('the request limit passes and refuses as a plain count of all requests does, and waits as long as needed', () => {
    const ruleOf = fc.record({ count: fc.integer({ min: 1, max: 4 }), windowSeconds: fc.constantFrom(1, 2, 10) });
    const address = fc.constantFrom(
      '1.2.3.4',
      '5.6.7.8',
      '2001:db8:1:1::/64',
      '2001:db8:1:2::/64',
      '2001:db8:2:1::/64',
    );
    const request = fc.record({ address, pause: fc.constantFrom(0, 0, 1, 250, 999, 1000, 3000, 25_000) });
    fc.assert(
      fc.property(
        fc.array(ruleOf, { maxLength: 2 }),
        fc.nat(20_000),
        fc.array(request, { maxLength: 40 }),
        (rules, begin, requests) => {
          // Between two moments at which a request stops counting, where the rounding of numbers would decide.
          let now = begin + 0.123;
          const check = createRateGuard(rules, 'requests-per-ip', () => now);
          const isFree = createPlainLimit(rules);
          for (const { address: one, pause } of requests) {
            now += pause;
            const wait = waitOf(check, one);
            assert.equal(wait === 0, isFree(one, now));
            if (wait === 0) continue;
            const at = now;
            now = at + (wait - 1) * 1000;
            assert.notEqual(waitOf(check, one), 0, 'the wait is longer than needed');
            now = at + wait * 1000;
            assert.ok(isFree(one, now), 'the wait is too short');
            assert.equal(waitOf(check, one), 0);
          }
        },
      ),
      { numRuns: 150, seed },
    );
  });

  it('the request limit forgets no busy IP address while others flood its memory, and its memory is bounded', () => {
    const check = createRateGuard([rule], 'requests-per-ip', () => 1000, 100);
    assert.equal(passing(check, 'busy', 100), 100);
    passing(check, 'idle', 100);
    for (let stranger = 0; stranger < 1000; stranger++) {
      check(`stranger ${stranger}`);
      if (stranger % 40 === 0) assert.equal(passing(check, 'busy', 1), 0);
    }
    assert.equal(passing(check, 'idle', 1), 1);
  });

  for (const [others, isKnown] of [
    [4, true],
    [8, true],
    [9, false],
    [50, false],
  ] as const) {
    it(`the request limit with a memory of ten ${isKnown ? 'knows' : 'forgets'} an address after ${others} others`, () => {
      const check = createRateGuard([{ count: 1, windowSeconds: 60 }], 'requests-per-ip', () => 1000, 10);
      check('a');
      for (let other = 0; other < others; other++) check(`other ${other}`);
      assert.equal(refusalOf(check, 'a') !== undefined, isKnown);
    });
  }

  it('the request limit uses a real clock', () => {
    const check = createRateGuard([{ count: 1, windowSeconds: 86_400 }], 'requests-per-ip');
    assert.equal(passing(check, 'a', 2), 1);
  });
});
