// Today's spend as staff and the captcha price see it: read from the counters, with the countries that the brake has suspended.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CountrySpend, showSpend } from '../../src/abuse/show-spend.ts';
import type { BrakePolicy, UseSpan } from '../../src/abuse/sms-brake.ts';
import { createLimits } from '../helpers/people/auth-fakes.ts';
import { brakePolicy, minute, noon } from '../helpers/store/fixtures.ts';

const at = noon / (10 * minute);
const clock = { now: () => noon };
const brake: BrakePolicy = { ...brakePolicy, perDay: 100, perCountryPerDay: 10, unused: { share: 0.5, least: 4 } };
const show = (rows: Record<string, unknown>, changes: Partial<BrakePolicy> = {}) =>
  showSpend({ limits: createLimits(rows).limits, brake: { ...brake, ...changes }, clock });
const none = { sent: 0, opened: 0, used: 0, suspendedBy: undefined };

describe('the spend of a day', () => {
  it('the spend of a day without messages is nothing', async () => {
    assert.deepEqual(await show({}), {
      day: '2031-05-05',
      sent: 0,
      most: 100,
      mostPerCountry: 10,
      isSuspended: false,
      countries: [],
    });
  });

  const totals: [sent: number, perDay: number, isSuspended: boolean][] = [
    [99, 100, false],
    [100, 100, true],
    [101, 100, true],
    [100, 0, false],
  ];
  for (const [sent, perDay, expected] of totals) {
    it(`the spend of ${sent} of ${perDay} messages ${expected ? 'suspends' : 'does not suspend'} all countries`, async () => {
      const spend = await show({ 'sms:2031-05-05': sent }, { perDay });
      assert.deepEqual([spend.sent, spend.most, spend.isSuspended], [sent, perDay, expected]);
    });
  }

  const unusedCodes: UseSpan[] = [[at - 2, 4, 0, 4]];
  const countries: [
    what: string,
    rows: Record<string, unknown>,
    changes: Partial<BrakePolicy>,
    Partial<CountrySpend>,
  ][] = [
    ['below its limit', { 'sms:2031-05-05:DE': 9 }, {}, { sent: 9 }],
    ['at its limit', { 'sms:2031-05-05:DE': 10 }, {}, { sent: 10, suspendedBy: 'country' }],
    ['without a limit', { 'sms:2031-05-05:DE': 10 }, { perCountryPerDay: 0 }, { sent: 10 }],
    ['with used codes', { 'sms-use:DE': [[at - 2, 4, 3, 4]] }, {}, { opened: 4, used: 3 }],
    ['with unused codes', { 'sms-use:DE': unusedCodes }, {}, { opened: 4, suspendedBy: 'unused' }],
    ['with unused codes that no rule looks at', { 'sms-use:DE': unusedCodes }, { unused: undefined }, { opened: 4 }],
    [
      'at its limit, with unused codes',
      { 'sms:2031-05-05:DE': 10, 'sms-use:DE': unusedCodes },
      {},
      { sent: 10, opened: 4, suspendedBy: 'country' },
    ],
    ['with codes of more than six hours ago', { 'sms-use:DE': [[at - 36, 4, 0, 4]] }, {}, {}],
  ];
  for (const [what, rows, changes, expected] of countries) {
    it(`the spend of a country ${what} is ${JSON.stringify(expected)}`, async () => {
      assert.deepEqual((await show(rows, changes)).countries, [{ country: 'DE', ...none, ...expected }]);
    });
  }

  it('the spend of a day names each country once, in order, and not those of other days', async () => {
    const { countries: listed, sent } = await show({
      'sms:2031-05-04:IT': 7,
      'sms:2031-05-05': 6,
      'sms:2031-05-05:FR': 2,
      'sms:2031-05-05:DE': 1,
      'sms-use:AT': [],
      'sms-use:FR': [],
    });
    assert.deepEqual(
      listed.map(({ country, sent: each }) => [country, each]),
      [
        ['AT', 0],
        ['DE', 1],
        ['FR', 2],
      ],
    );
    assert.equal(sent, 6);
  });

  it('the spend of a day reads at most 500 counters of each kind', async () => {
    const { limits, calls } = createLimits({});
    await showSpend({ limits, brake, clock });
    assert.deepEqual(calls, [
      { prefix: 'sms:2031-05-05', most: 500 },
      { prefix: 'sms-use:', most: 500 },
    ]);
  });
});
