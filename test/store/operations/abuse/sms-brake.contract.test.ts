// Contract of SendRequestStore: the spending brake by day, country, prefix and share of unused codes.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { BrakePolicy } from '../../../../src/abuse/sms-brake.ts';
import { asPhone } from '../../../helpers/people/ids.ts';
import {
  codeRequest,
  day,
  hour,
  minute,
  newPhone,
  noon,
  phoneSignIn,
  type RequestChanges,
  rightAttempt,
} from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

onEveryStore('the spending brake', (open) => {
  beforeEach(async () => {
    for (const table of ['limits', 'captchas', 'outbox', 'challenges', 'audit_events'])
      await open().query(`delete from ${table}`);
  });
  const ask = async (now: number, brake: Partial<BrakePolicy>, changes: RequestChanges & { phone?: string } = {}) => {
    const request = codeRequest(changes.phone ?? newPhone(), now, { ...changes, brake });
    const refusal = await open().ports.sendRequests.request(request);
    return refusal === undefined ? 'passed' : [refusal.code, refusal.detail?.retryAfterSeconds];
  };
  const use = async (phone: string, now: number) => {
    const { ports } = open();
    const given = await rightAttempt(ports, phone, now);
    const outcome = await ports.signIns.signInWithPhone(phoneSignIn(given, asPhone(phone), now, { countsUse: true }));
    assert.equal(outcome.kind, 'signed in');
  };

  it('the spending brake refuses all messages at the daily limit until the next day', async () => {
    const brake = { perDay: 3 };
    for (const country of ['DE', 'FR', 'US']) assert.equal(await ask(noon, brake, { country }), 'passed');
    assert.deepEqual(await ask(noon, brake, { country: 'IT' }), ['SMS_SUSPENDED', (12 * hour) / 1000]);
    assert.deepEqual(await ask(noon + 12 * hour - 1, brake), ['SMS_SUSPENDED', 1]);
    assert.equal(await ask(noon + 12 * hour, brake), 'passed');
  });

  it('the spending brake refuses messages to one country at its limit and allows the others', async () => {
    const brake = { perCountryPerDay: 2 };
    for (let count = 0; count < 2; count++) assert.equal(await ask(noon, brake, { country: 'DE' }), 'passed');
    assert.deepEqual(await ask(noon, brake, { country: 'DE' }), ['SMS_SUSPENDED', (12 * hour) / 1000]);
    assert.equal(await ask(noon, brake, { country: 'FR' }), 'passed');
    assert.equal(await ask(noon + day, brake, { country: 'DE' }), 'passed');
  });

  it('the spending brake limits numbers that differ only in their last four digits', async () => {
    const brake = { perPrefix: [{ count: 2, windowSeconds: 3600 }] };
    const to = (phone: string, now: number) => ask(now, brake, { phone });
    assert.equal(await to('+4915112340001', noon), 'passed');
    assert.equal(await to('+4915112349999', noon + minute), 'passed');
    assert.deepEqual(await to('+4915112345555', noon + 2 * minute), ['SMS_SUSPENDED', 58 * 60]);
    assert.equal(await to('+4915112350001', noon + 2 * minute), 'passed');
    assert.equal(await to('+4915112345555', noon + hour), 'passed');
  });

  it('the spending brake suspends a country if too large a share of its codes was never used', async () => {
    const brake = { unused: { share: 0.5, least: 4 } };
    const phones = Array.from({ length: 4 }, newPhone);
    for (const phone of phones) assert.equal(await ask(noon, brake, { phone }), 'passed');
    for (const phone of phones.slice(0, 1)) await use(phone, noon + minute);
    assert.equal(await ask(noon + 19 * minute, brake), 'passed', 'codes of the last two slots may still be used');
    assert.deepEqual(await ask(noon + 20 * minute, brake), ['SMS_SUSPENDED', 600]);
    assert.equal(await ask(noon + 20 * minute, brake, { country: 'FR' }), 'passed');
    assert.equal(await ask(noon + 7 * hour, brake), 'passed', 'counts older than six hours are dropped');
  });

  it('the spending brake stays off while enough codes are used or too few were sent', async () => {
    const phones = Array.from({ length: 4 }, newPhone);
    const brake = { unused: { share: 0.5, least: 4 } };
    for (const phone of phones) await ask(noon, brake, { phone });
    for (const phone of phones.slice(0, 2)) await use(phone, noon + minute);
    assert.equal(await ask(noon + 20 * minute, brake), 'passed', 'half of them unused is not more than half');
    assert.equal(await ask(noon + 20 * minute, { unused: { share: 0.1, least: 6 } }), 'passed');
    assert.deepEqual(await ask(noon + 20 * minute, { unused: { share: 0.1, least: 4 } }), ['SMS_SUSPENDED', 600]);
  });

  it('the spending brake counts codes, not messages, for the share of unused ones', async () => {
    const brake = { unused: { share: 0.1, least: 3 } };
    const phone = newPhone();
    for (let count = 0; count < 5; count++) assert.equal(await ask(noon + count, brake, { phone }), 'passed');
    assert.equal(await ask(noon + 20 * minute, brake), 'passed');
  });

  it('the spending brake counts a code in the time slot in which it was opened, however late it is used', async () => {
    const brake = { unused: { share: 0.5, least: 2 } };
    const phones = [newPhone(), newPhone()];
    for (const phone of phones) await ask(noon + 9 * minute, brake, { phone });
    for (const phone of phones) await use(phone, noon + 13 * minute);
    const { hits } = (await open().rows('limits')).find(({ id }) => id === 'sms-use:DE') ?? { hits: '' };
    assert.deepEqual(JSON.parse(hits), [[noon / 600_000, 2, 2, 2]]);
  });

  it('the spending brake allows three trial messages per slot to a suspended country, and more for each used code', async () => {
    const brake = { unused: { share: 0.8, least: 4 } };
    for (let count = 0; count < 4; count++) await ask(noon, brake);
    assert.deepEqual(await ask(noon + 20 * minute, brake), ['SMS_SUSPENDED', 600], 'suspended at first');
    const tries = Array.from({ length: 2 }, newPhone);
    for (const phone of [...tries, ...tries.slice(1)])
      assert.equal(await ask(noon + 31 * minute, brake, { phone }), 'passed');
    assert.deepEqual(await ask(noon + 32 * minute, brake), ['SMS_SUSPENDED', 480]);
    await use(tries[0] ?? '', noon + 33 * minute);
    for (let count = 0; count < 4; count++) assert.equal(await ask(noon + 34 * minute, brake), 'passed');
    assert.deepEqual(await ask(noon + 34 * minute, brake), ['SMS_SUSPENDED', 360]);
  });

  it('a request refused by the spending brake changes nothing but the audit log, which names the rule', async () => {
    const test = open();
    const rules: [string, Partial<BrakePolicy>][] = [
      ['day', { perDay: 1 }],
      ['country', { perCountryPerDay: 1 }],
      ['prefix', { perPrefix: [{ count: 1, windowSeconds: 86_400 }] }],
      ['unused', { unused: { share: 0.5, least: 1 } }],
    ];
    const phone = newPhone();
    const all = Object.assign({}, ...rules.map(([, brake]) => brake)) as Partial<BrakePolicy>;
    assert.equal(await ask(noon, all, { phone }), 'passed');
    const look = () =>
      Promise.all((['limits', 'captchas', 'challenges', 'outbox'] as const).map((name) => test.rows(name)));
    const before = await look();
    const captcha = { id: `braked-${phone}`, sweepAt: noon + hour };
    const policy = { perRecipient: [{ count: 9, windowSeconds: 60 }], resendAfterSeconds: [1] };
    for (const [, brake] of rules) {
      const [code] = await ask(noon + 20 * minute, brake, { phone, captcha, policy });
      assert.equal(code, 'SMS_SUSPENDED');
    }
    assert.deepEqual(await look(), before);
    const events = (await test.rows('audit_events')).filter(({ kind }) => kind === 'sms.suspended');
    const named = events.map(({ detail }) => (JSON.parse(detail) as { rule: string }).rule);
    assert.deepEqual(named.toSorted(), ['country', 'day', 'prefix', 'unused']);
  });

  it('the audit log has at most sixty refusals of the spending brake a minute', async () => {
    const test = open();
    const brake = { perDay: 1 };
    const later = noon + 40 * hour;
    assert.equal(await ask(later, brake), 'passed');
    const refused = async (at: number) => {
      const before = (await test.rows('audit_events')).length;
      await Promise.all(Array.from({ length: 70 }, () => ask(at, brake)));
      return (await test.rows('audit_events')).length - before;
    };
    assert.equal(await refused(later + minute), 60);
    assert.equal(await refused(later + minute), 0);
    assert.equal(await refused(later + 2 * minute), 60);
  });

  it('the spending brake counts messages in one turn of the event loop exactly', async () => {
    const all = await Promise.all(Array.from({ length: 9 }, () => ask(noon, { perDay: 4, perCountryPerDay: 4 })));
    assert.equal(all.filter((answer) => answer === 'passed').length, 4);
    assert.equal((await open().rows('outbox')).length, 4);
  });
});
