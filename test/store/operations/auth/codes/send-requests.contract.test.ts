// Contract of SendRequestStore: limits, pauses and captchas, and that a refused request leaves no row.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SendAnswer } from '../../../../../src/auth/codes/send-request.ts';
import { codeRequest, hour, minute, newPhone, noon, type RequestChanges } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore, type TestStore } from '../../../../helpers/store/test-store.ts';

const tables = ['limits', 'captchas', 'challenges', 'outbox', 'audit_events'] as const;

/** Everything that a request could count, use up, open or queue. */
async function traces({ rows }: TestStore): Promise<unknown[]> {
  return Promise.all(
    tables.map(async (table) => (await rows(table)).map((row) => JSON.stringify(row)).sort((a, b) => (a < b ? -1 : 1))),
  );
}

function briefly(answer: SendAnswer): unknown {
  return answer === undefined ? 'passed' : [answer.code, answer.detail?.retryAfterSeconds];
}

onEveryStore('send requests', (open) => {
  const ask = async (phone: string, now: number, changes: RequestChanges = {}) =>
    briefly(await open().ports.sendRequests.request(codeRequest(phone, now, changes)));
  const newIp = () => newPhone().replace('+', 'ip-');

  it('a send request opens the code, queues its message and records the event', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const request = codeRequest(phone, noon);
    assert.equal(await ports.sendRequests.request(request), undefined);
    const challenge = (await rows('challenges')).find(({ slot }) => slot === request.challenge?.slot);
    assert.equal(challenge?.id, request.challenge?.seed.id);
    const queued = (await rows('outbox')).find(({ id }) => id === request.message?.id);
    assert.deepEqual(JSON.parse(queued?.payload ?? ''), {
      to: phone,
      language: 'en',
      challenge: request.challenge?.seed,
      expiresAt: noon + 5 * minute,
    });
    assert.deepEqual([queued?.state, queued?.tries, queued?.due_at], ['queued', 0, noon]);
    assert.ok(
      (await rows('audit_events')).some(({ kind, created_at }) => kind === 'otp.requested' && created_at === noon),
    );
  });

  it('a resend queues a message with the same code', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const [first, second] = [codeRequest(phone, noon), codeRequest(phone, noon + minute)];
    for (const request of [first, second]) await ports.sendRequests.request(request);
    const queued = (await rows('outbox')).find(({ id }) => id === second.message?.id);
    const payload = JSON.parse(queued?.payload ?? '') as { challenge: unknown };
    assert.deepEqual(payload.challenge, first.challenge?.seed);
    assert.equal(queued?.expires_at, noon + 6 * minute);
  });

  it('a send request for a test recipient opens a code without limits, brake or message', async () => {
    const test = open();
    const request = { ...codeRequest(newPhone(), noon), check: undefined, brake: undefined, message: undefined };
    const before = await Promise.all([test.rows('limits'), test.rows('outbox')]);
    assert.equal(await test.ports.sendRequests.request(request), undefined);
    assert.deepEqual(await Promise.all([test.rows('limits'), test.rows('outbox')]), before);
    assert.ok((await test.rows('challenges')).some(({ slot }) => slot === request.challenge?.slot));
  });

  it('the limit per recipient allows exactly its number of messages, and the next when the window moves on', async () => {
    const phone = newPhone();
    const policy = { perRecipient: [{ count: 3, windowSeconds: 3600 }] };
    for (const at of [0, minute, 2 * minute]) assert.equal(await ask(phone, noon + at, { policy }), 'passed');
    assert.deepEqual(await ask(phone, noon + 3 * minute, { policy }), ['OTP_SEND_LIMIT', 57 * 60]);
    assert.deepEqual(await ask(phone, noon + hour - 1, { policy }), ['OTP_SEND_LIMIT', 1]);
    assert.equal(await ask(phone, noon + hour, { policy }), 'passed');
    assert.deepEqual(await ask(phone, noon + hour, { policy }), ['OTP_SEND_LIMIT', 60]);
    assert.equal(await ask(phone, noon + hour + minute, { policy }), 'passed');
  });

  it('a refused send request returns the wait and the values of the rule that refuses longest', async () => {
    const phone = newPhone();
    const perRecipient = [
      { count: 1, windowSeconds: 60 },
      { count: 2, windowSeconds: 86_400 },
    ];
    const request = (now: number) => codeRequest(phone, now, { policy: { perRecipient } });
    const { sendRequests } = open().ports;
    await sendRequests.request(request(noon));
    assert.equal((await sendRequests.request(request(noon + 1000)))?.detail?.retryAfterSeconds, 59);
    await sendRequests.request(request(noon + minute));
    const refusal = await sendRequests.request(request(noon + minute));
    assert.deepEqual(refusal?.detail?.policy, {
      name: 'sends-per-recipient',
      quota: 2,
      windowSeconds: 86_400,
      resetSeconds: 86_340,
    });
  });

  it('the limit per IP address counts requests over all recipients', async () => {
    const ip = newIp();
    const policy = { perIp: [{ count: 2, windowSeconds: 3600 }] };
    for (let count = 0; count < 2; count++) assert.equal(await ask(newPhone(), noon, { ip, policy }), 'passed');
    assert.deepEqual(await ask(newPhone(), noon, { ip, policy }), ['RATE_LIMITED', 3600]);
    assert.equal(await ask(newPhone(), noon, { ip: newIp(), policy }), 'passed');
    assert.equal(await ask(newPhone(), noon + hour, { ip, policy }), 'passed');
  });

  it('the pause between two sends grows, repeats its last value, and starts again after an hour without a send', async () => {
    const phone = newPhone();
    const policy = { resendAfterSeconds: [30, 60, 120] };
    let now = noon;
    for (const pause of [30, 60, 120, 120, 120]) {
      assert.equal(await ask(phone, now, { policy }), 'passed');
      assert.deepEqual(await ask(phone, now + 1000, { policy }), ['OTP_RESEND_TOO_SOON', pause - 1]);
      assert.deepEqual(await ask(phone, now + pause * 1000 - 1, { policy }), ['OTP_RESEND_TOO_SOON', 1]);
      now += pause * 1000;
    }
    now += hour - 120_000;
    assert.equal(await ask(phone, now, { policy }), 'passed');
    assert.deepEqual(await ask(phone, now, { policy }), ['OTP_RESEND_TOO_SOON', 30]);
  });

  it('the pauses of different purposes and recipients are separate', async () => {
    const policy = { resendAfterSeconds: [30] };
    const phone = newPhone();
    assert.equal(await ask(phone, noon, { policy }), 'passed');
    assert.equal(await ask(phone, noon, { policy, purpose: 'login-link' }), 'passed');
    assert.equal(await ask(newPhone(), noon, { policy }), 'passed');
  });

  it('a captcha is accepted once', async () => {
    const captcha = { id: `solved-${newPhone()}`, sweepAt: noon + hour };
    assert.equal(await ask(newPhone(), noon, { captcha }), 'passed');
    assert.deepEqual(await ask(newPhone(), noon, { captcha }), ['CAPTCHA_INVALID', undefined]);
    const other = { ...captcha, id: captcha.id.toUpperCase() };
    assert.equal(await ask(newPhone(), noon, { captcha: other }), 'passed');
  });

  it('a refused send request leaves no row', async () => {
    const [phone, ip] = [newPhone(), newIp()];
    const used = { id: `used-${phone}`, sweepAt: noon + hour };
    await ask(phone, noon, { ip, captcha: used, policy: { perRecipient: [{ count: 9, windowSeconds: 60 }] } });
    const fresh = { id: `fresh-${phone}`, sweepAt: noon + hour };
    const one = [{ count: 1, windowSeconds: 3600 }];
    const before = await traces(open());
    const counting = { perRecipient: [{ count: 9, windowSeconds: 60 }], perIp: [{ count: 9, windowSeconds: 60 }] };
    await ask(phone, noon + 1, { captcha: fresh, policy: { perRecipient: one } });
    await ask(phone, noon + 1, { captcha: used, ip, policy: counting });
    assert.deepEqual(await traces(open()), before);
    await ask(phone, noon + 2, { captcha: fresh, policy: { resendAfterSeconds: [30] } });
    assert.deepEqual(await ask(phone, noon + 3, { captcha: fresh }), ['CAPTCHA_INVALID', undefined]);
  });

  it('a send request with a used captcha learns nothing about limits', async () => {
    const captcha = { id: `solved-${newPhone()}`, sweepAt: noon + hour };
    const policy = { resendAfterSeconds: [30], perRecipient: [{ count: 1, windowSeconds: 86_400 }] };
    const phone = newPhone();
    assert.equal(await ask(phone, noon, { captcha, policy }), 'passed');
    assert.deepEqual(await ask(phone, noon + 1, { captcha, policy }), ['CAPTCHA_INVALID', undefined]);
    assert.deepEqual(await ask(newPhone(), noon + 1, { captcha, policy }), ['CAPTCHA_INVALID', undefined]);
    const fresh = { ...captcha, id: `${captcha.id}-2` };
    assert.deepEqual(await ask(phone, noon + 1, { captcha: fresh, policy }), ['OTP_SEND_LIMIT', 86_400]);
  });

  it('send requests in one turn of the event loop are counted exactly, and use up their captcha once', async () => {
    const policy = { perRecipient: [{ count: 3, windowSeconds: 3600 }] };
    const phone = newPhone();
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(phone, noon, { policy })));
    assert.equal(all.filter((answer) => answer === 'passed').length, 3);
    const captcha = { id: `together-${phone}`, sweepAt: noon + hour };
    const spent = await Promise.all(Array.from({ length: 8 }, () => ask(newPhone(), noon, { captcha })));
    assert.equal(spent.filter((answer) => answer === 'passed').length, 1);
  });
});
