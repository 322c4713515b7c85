// The price of a captcha: constant on a normal day, higher when messages are spent fast or codes stay unused, and never above four.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createCaptchaPrice, priceOf } from '../../src/abuse/captcha-price.ts';
import type { CountrySpend, Spend } from '../../src/abuse/show-spend.ts';
import type { BrakePolicy } from '../../src/abuse/sms-brake.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { createLimits } from '../helpers/people/auth-fakes.ts';
import { brakePolicy, noon } from '../helpers/store/fixtures.ts';

const unused = { share: 0.8, least: 50 };
const country = (changes: Partial<CountrySpend> = {}): CountrySpend => ({
  country: 'DE',
  sent: 0,
  opened: 0,
  used: 0,
  suspendedBy: undefined,
  ...changes,
});
const spend = (sent: number, ...countries: CountrySpend[]): Spend => ({
  day: '',
  sent,
  most: 1000,
  mostPerCountry: 100,
  isSuspended: false,
  countries,
});

describe('the price of a captcha by what was spent', () => {
  const cases: [what: string, Spend, rule: BrakePolicy['unused'], price: number][] = [
    ['nothing', spend(0), unused, 1],
    ['half of a day', spend(500), unused, 1],
    ['five eighths of a day', spend(625), unused, 1.25],
    ['three quarters of a day', spend(750), unused, 1.5],
    ['all of a day', spend(1000), unused, 2],
    ['ten times a day', spend(10_000), unused, 2],
    ['any number on a day without a limit', { ...spend(9999), most: 0 }, unused, 1],
    ['three quarters of a country', spend(0, country({ sent: 75 })), unused, 1.5],
    ['most in the worst country', spend(0, country(), country({ sent: 75 }), country({ sent: 60 })), unused, 1.5],
    ['any number in a country without a limit', { ...spend(0, country({ sent: 75 })), mostPerCountry: 0 }, unused, 1],
    ['codes of which 60 % are unused', spend(0, country({ opened: 50, used: 20 })), unused, 1],
    ['codes of which 70 % are unused', spend(0, country({ opened: 50, used: 15 })), unused, 1.5],
    ['codes of which all are unused', spend(0, country({ opened: 50 })), unused, 2],
    ['too few codes to tell', spend(0, country({ opened: 49 })), unused, 1],
    ['no code at all, under a rule without a least number', spend(0, country()), { share: 0.8, least: 0 }, 1],
    ['unused codes without a rule', spend(0, country({ opened: 50 })), undefined, 1],
    ['unused codes under a rule of no share', spend(0, country({ opened: 50 })), { share: 0, least: 1 }, 1],
    ['few codes of a suspended country', spend(0, country({ opened: 1, suspendedBy: 'unused' })), undefined, 2],
    [
      'few codes of a country that is suspended for its number',
      spend(0, country({ suspendedBy: 'country' })),
      unused,
      1,
    ],
    [
      'unused codes in the worst country',
      spend(0, country(), country({ opened: 50, used: 15 }), country()),
      unused,
      1.5,
    ],
    ['three quarters of a day, with 70 % of codes unused', spend(750, country({ opened: 50, used: 15 })), unused, 2.25],
    ['all of a day, with all codes unused', spend(1000, country({ opened: 50 })), unused, 4],
  ];
  for (const [what, spent, rule, expected] of cases) {
    it(`the price of a captcha is ${expected} after ${what}`, () => {
      assert.ok(Math.abs(priceOf(spent, rule) - expected) < 1e-9, `${priceOf(spent, rule)}`);
    });
  }

  it('the price of a captcha is always between one and four, and never falls while more is spent', () => {
    const number = fc.nat(2000);
    const entry = fc.record({ sent: number, opened: number, used: number });
    fc.assert(
      fc.property(number, number, fc.array(entry, { maxLength: 4 }), (sent, more, countries) => {
        const rows = countries.map(({ used, opened, ...rest }) =>
          country({ ...rest, opened, used: Math.min(used, opened) }),
        );
        const price = priceOf(spend(sent, ...rows), unused);
        assert.ok(price >= 1 && price <= 4, `${price}`);
        assert.ok(priceOf(spend(sent + more, ...rows), unused) >= price);
      }),
      { numRuns: rounds(200), seed },
    );
  });
});

describe('the captcha price of a service', () => {
  const rows = { 'sms:2031-05-05': 750 };
  const follow = async (brake: Partial<BrakePolicy>) => {
    const { limits, calls } = createLimits(rows);
    const price = createCaptchaPrice({ limits, brake: { ...brakePolicy, ...brake }, clock: { now: () => noon } });
    const before = price.current();
    await price.follow();
    return { before, after: price.current(), again: price.current(), reads: calls.length };
  };

  it('the captcha price follows the counters of the store and reads them only when it is refreshed', async () => {
    assert.deepEqual(await follow({ perDay: 1000 }), { before: 1, after: 1.5, again: 1.5, reads: 2 });
  });

  for (const brake of [{ perCountryPerDay: 1 }, { unused }]) {
    it(`the captcha price reads the counters where only ${Object.keys(brake)} is on`, async () => {
      assert.deepEqual(await follow(brake), { before: 1, after: 1, again: 1, reads: 2 });
    });
  }

  it('the captcha price is 1 and reads nothing where nothing is counted', async () => {
    assert.deepEqual(await follow({}), { before: 1, after: 1, again: 1, reads: 0 });
  });

  it('the captcha price uses the rule of unused codes of its brake', async () => {
    const { limits } = createLimits({ 'sms-use:DE': [[noon / 600_000 - 2, 10, 3, 10]] });
    const brake = { ...brakePolicy, unused: { share: 0.8, least: 10 } };
    const price = createCaptchaPrice({ limits, brake, clock: { now: () => noon } });
    await price.follow();
    assert.ok(Math.abs(price.current() - 1.5) < 1e-9, `${price.current()}`);
  });
});
