// The price of a captcha: constant on a normal day, higher when messages are spent fast or codes stay unused, and capped.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCaptchaPrice, priceOf } from '../../src/abuse/captcha-price.ts';
import type { LimitStore } from '../../src/abuse/limit-store.ts';
import type { CountrySpend, Spend } from '../../src/abuse/show-spend.ts';
import { dayCounter, type UseSlot, usageCounterId } from '../../src/abuse/sms-brake.ts';
import { createAltchaCaptcha } from '../../src/adapters/captcha/altcha-captcha.ts';
import { solveCaptcha } from '../../src/commands/developer/solve-captcha.ts';
import { createSecrets } from '../../src/kernel/secrets.ts';

const noon = Date.UTC(2031, 4, 5, 12);
const unused = { share: 0.8, least: 50 };
const clock = { now: () => noon };
const secrets = createSecrets('a secret '.repeat(5));

const country = (changes: Partial<CountrySpend>): CountrySpend => ({
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
  most: 5000,
  mostPerCountry: 1000,
  isSuspended: false,
  countries,
});

describe('the price of a captcha', () => {
  const cases: [what: string, Spend, price: number][] = [
    ['a day without messages', spend(0), 1],
    ['half of the day’s messages', spend(2500, country({ sent: 500, opened: 400, used: 300 })), 1],
    ['three quarters of them', spend(3750), 1.5],
    ['all of them', spend(5000), 2],
    ['more than all', spend(50_000), 2],
    ['three quarters of a country’s', spend(750, country({ sent: 750 })), 1.5],
    ['a country with a few unused codes', spend(9, country({ opened: 49, used: 0 })), 1],
    ['a country where 60 % go unused', spend(9, country({ opened: 100, used: 40 })), 1],
    ['a country where 70 % go unused', spend(9, country({ opened: 100, used: 30 })), 1.5],
    ['a country that is suspended', spend(9, country({ opened: 60, suspendedBy: 'unused' })), 2],
    ['everything at once', spend(5000, country({ opened: 500, used: 0 })), 4],
  ];
  for (const [what, spent, expected] of cases) {
    it(`the captcha price is ${expected} for ${what}`, () => {
      assert.ok(Math.abs(priceOf(spent, unused) - expected) < 1e-9, `${priceOf(spent, unused)}`);
    });
  }

  it('the captcha price is 1 if no limits are set', () => {
    const off = { ...spend(9999, country({ sent: 9999, opened: 9999 })), most: 0, mostPerCountry: 0 };
    assert.equal(priceOf(off, undefined), 1);
    assert.equal(priceOf(off, { share: 0, least: 1 }), 1);
  });

  it('the captcha price follows the counters of the store and reads them only when it is refreshed', async () => {
    const rows: [string, number | UseSlot[]][] = [
      [dayCounter(noon), 5000],
      [usageCounterId('DE'), [[noon / 600_000 - 3, 60, 0]]],
    ];
    let asked = 0;
    const limits: LimitStore = {
      read: async () => [],
      clear: async () => 0,
      list: async ({ prefix }) => {
        asked += 1;
        return rows.filter(([id]) => id.startsWith(prefix)).map(([id, value]) => ({ id, value }));
      },
    };
    const brake = { countries: [], perDay: 5000, perCountryPerDay: 1000, perPrefix: [], unused };
    const price = createCaptchaPrice({ limits, brake, clock });
    const captcha = createAltchaCaptcha({ secrets, clock, price: price.current });
    const cost = async () => {
      const { parameters } = (await captcha.challenge?.()) ?? assert.fail();
      return (parameters as { cost: number }).cost;
    };
    assert.equal(await cost(), 2000);
    await price.follow();
    assert.deepEqual([await cost(), await cost(), asked], [8000, 8000, 2]);
    const off = createCaptchaPrice({
      limits,
      brake: { ...brake, perDay: 0, perCountryPerDay: 0, unused: undefined },
      clock,
    });
    await off.follow();
    assert.deepEqual([off.current(), asked], [1, 2]);
  });

  it('knowing the source does not make an ALTCHA challenge cheaper: counters are spread over the whole range that a solver tries', async () => {
    // At a thousandth of the price, so that many can be solved.
    const captcha = createAltchaCaptcha({ secrets, clock, price: () => 0.001 });
    const counters: number[] = [];
    for (let round = 0; round < 60; round++) {
      const token = await solveCaptcha(await captcha.challenge?.());
      await captcha.check(token, '192.0.2.1');
      counters.push(JSON.parse(Buffer.from(token, 'base64').toString()).solution.counter);
    }
    const mean = counters.reduce((sum, counter) => sum + counter, 0) / counters.length;
    assert.ok(Math.min(...counters) < 150 && Math.max(...counters) > 700 && Math.max(...counters) <= 900);
    assert.ok(mean > 300 && mean < 600, `${mean}`);
  });
});
