// No secret and no user data in logs and metrics at any log level; codes on the terminal in local mode only.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, logIn, newPhone, refresh } from '../../helpers/api.ts';
import { codesIn, expectClean, type Planted, stumble } from '../../helpers/canaries.ts';
import { isolatedEnv, type StoreKind, spawnGatehouse, type TestEnv, tierStoreKinds } from '../../helpers/gatehouse.ts';
import { freePort } from '../../helpers/postgres-server.ts';
import { setSmsRecorder } from '../../helpers/sms-recorder.ts';
import {
  askForLink,
  bind,
  codeIn,
  messageAfter,
  messagesTo,
  newAddress,
  otherThan,
  redeem,
  sendBinding,
} from '../../helpers/users.ts';

type Seen = Planted & { stdout: string; stderr: string; metrics: string };

const captcha = 'captcha-canary-4b1f9c';
const secret = 'secret-canary-'.repeat(4);
const production = {
  PUBLIC_URL: 'https://id.example.com',
  SMS_URL: 'inbox:',
  MAIL_URL: 'inbox:',
  MAIL_FROM: 'Gatehouse <no-reply@example.com>',
  CAPTCHA_URL: 'open:',
  ALLOW_INSECURE: '1',
};

/** Proves that the metrics are reported at all. */
const expectedMetrics = [
  /gatehouse_request_seconds_count\{[^}]*route="\/api\/auth\/phone\/login"[^}]*\} \d/,
  /gatehouse_failures_total\{[^}]*code="OTP_INVALID"[^}]*\} \d/,
  /gatehouse_deliveries_total\{channel="sms",provider="inbox",outcome="accepted"\} \d/,
];

/** Everything a user does, right and wrong. Returns all that was secret or personal about it. */
async function walk(url: string, readSms: (phone: string) => Promise<string>): Promise<Planted> {
  const [phone, address, second] = [newPhone(), newAddress(), newAddress()];
  const send = () => call(url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: phone }, captcha });
  await send();
  const code = await readSms(phone);
  await logIn(url, phone, otherThan(code));
  const login = await logIn(url, phone, code);
  const { JWT, RT } = login.body.data;
  const next = (await refresh(url, RT)).body.data;
  const codes = [code];
  for (const email of [address, second]) {
    const otp = codeIn(await messageAfter(url, email, () => sendBinding(url, JWT, email)));
    codes.push(otp);
    await bind(url, JWT, email, otherThan(otp));
    await bind(url, JWT, email, otp);
  }
  const link = await askForLink(url, second);
  await call(url, 'POST', '/api/auth/email/link/check', {
    body: { token: link },
    headers: { cookie: 'lb=browser-canary' },
  });
  const byLink = (await redeem(url, link)).body.data;
  await redeem(url, link);
  await stumble(url, [phone, second, JWT, RT, link]);
  await call(url, 'GET', '/api/auth/sessions', { token: byLink.JWT });
  await call(url, 'DELETE', '/api/auth/me', { token: next.JWT });
  const tokens = [JWT, RT, next.JWT, next.RT, byLink.JWT, byLink.RT, link];
  return { codes, others: [phone, phone.slice(1), address, second, captcha, secret, 'browser-canary', ...tokens] };
}

async function observe(kind: StoreKind, env: TestEnv, readSms?: (phone: string) => Promise<string>): Promise<Seen> {
  const metricsPort = String(await freePort());
  const isolated = await isolatedEnv(kind, { LOG_LEVEL: 'trace', METRICS_PORT: metricsPort, SECRET: secret, ...env });
  const node = await spawnGatehouse(isolated.env);
  try {
    const fromInbox = async (phone: string) => codeIn(await newest(node.url, phone));
    const planted = await walk(node.url, readSms ?? fromInbox);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await node.stop();
    return { ...planted, ...node.output(), metrics };
  } finally {
    node.child.kill('SIGKILL');
    await isolated.dispose();
  }
}

async function newest(url: string, phone: string) {
  for (;;) {
    const [message] = await messagesTo(url, phone);
    if (message !== undefined) return message;
    await sleep(10);
  }
}

describe('logs, metrics and terminal', { concurrency: 4 }, () => {
  const recorder = setSmsRecorder();

  for (const kind of tierStoreKinds) {
    it(`logs and metrics hold no secret and no user data, and the terminal shows codes in local mode only, on ${kind}`, async () => {
      const seen = await observe(kind, {});
      expectClean('stdout', seen.stdout, seen);
      expectClean('metrics', seen.metrics, seen);
      for (const expected of expectedMetrics) assert.ok(expected.test(seen.metrics), `${expected}`);
      for (const line of seen.stdout.trim().split('\n')) assert.equal(typeof JSON.parse(line).level, 'string');
      assert.deepEqual(codesIn(seen.stderr, seen.codes), seen.codes);
      const tokens = seen.others.filter((text) => text.length > 40);
      for (const token of tokens) assert.ok(!seen.stderr.includes(token));
    });
  }

  it('the terminal shows no codes if a provider sends them', async () => {
    const readSms = async (phone: string) => codeIn((await recorder.expect(phone, 1))[0] ?? { text: '' });
    const seen = await observe('sqlite', { SMS_URL: recorder.url, OTP_RESEND_AFTER: 'off' }, readSms);
    const [smsCode = ''] = seen.codes;
    expectClean('stdout', seen.stdout, seen);
    expectClean('metrics', seen.metrics, seen);
    assert.deepEqual(codesIn(seen.stderr, [smsCode]), []);
  });

  it('the terminal shows no codes in production, even with an inbox', async () => {
    const seen = await observe('sqlite', production);
    expectClean('stdout', seen.stdout, seen);
    expectClean('stderr', seen.stderr, seen);
    assert.match(seen.stderr, /Warning: .*ALLOW_INSECURE/);
  });
});
