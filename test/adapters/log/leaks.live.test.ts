// No secret and no user data in logs and metrics at any log level; codes on the terminal in local mode only.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { setSmsRecorder } from '../../helpers/people/sms-recorder.ts';
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
} from '../../helpers/people/users.ts';
import { call, logIn, newPhone, refresh } from '../../helpers/requests/api.ts';
import { codesIn, expectClean, type Planted, stumble } from '../../helpers/requests/canaries.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { run } from '../../helpers/services/command-line.ts';
import {
  isolatedEnv,
  isRepeat,
  type StoreKind,
  spawnGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';

type Seen = Planted & { stdout: string; stderr: string; metrics: string };

const captcha = 'captcha-canary-4b1f9c';
const secret = 'violet-canary-47-lanterns-over-the-moor';
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
async function walk(
  url: string,
  readSms: (phone: string) => Promise<string>,
  makeKey: () => Promise<string>,
): Promise<Planted> {
  const [phone, nextPhone, address, second] = [newPhone(), newPhone(), newAddress(), newAddress()];
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
  const key = await makeKey();
  const { id } = (await call(url, 'GET', '/api/auth/me', { token: next.JWT })).body.data;
  const canary = 'data-canary-7e02';
  const stored = { externalId: canary, claims: { canary }, metadata: { public: { canary }, private: { canary } } };
  for (const [body, status] of [[stored, 200] as const, [{ ...stored, claims: [canary] }, 400] as const])
    assert.equal((await call(url, 'PATCH', `/api/service/users/${id}`, { token: key, body })).status, status);
  const withKey = await call(url, 'GET', '/api/service/events?limit=1000', { token: key });
  assert.equal(withKey.body.data.events.at(-1).type, 'user.updated');
  assert.ok(!JSON.stringify(withKey.body).includes(canary), 'no event has the data of an app');
  const fileLink = await openLinks(url, next.JWT);
  const answers = await stumble(url, [phone, nextPhone, second, JWT, RT, link, key, `${key.slice(0, -1)}~`]);
  assert.ok(!answers.includes(key) && !answers.includes(key.slice(17)), 'no answer repeats a service key');
  await call(url, 'GET', '/api/auth/sessions', { token: byLink.JWT });
  const body = { recipient: nextPhone };
  await call(url, 'POST', '/api/auth/phone/change/send', { body, token: JWT, captcha });
  const changeCode = await readSms(nextPhone);
  codes.push(changeCode);
  for (const otp of [otherThan(changeCode), changeCode])
    await call(url, 'PUT', '/api/auth/phone/change', { body: { phone: nextPhone, otp }, token: JWT });
  await call(url, 'DELETE', '/api/auth/me', { token: next.JWT });
  const tokens = [JWT, RT, next.JWT, next.RT, byLink.JWT, byLink.RT, link, fileLink, fileLink.slice(30)];
  return {
    codes,
    others: [
      phone,
      phone.slice(1),
      nextPhone,
      nextPhone.slice(1),
      address,
      second,
      captcha,
      secret,
      'browser-canary',
      canary,
      key,
      key.slice(17),
      ...tokens,
    ],
  };
}

/** Opens a link to a file as a program and as a person, then one that does not work. Gives the token. */
async function openLinks(url: string, token: string): Promise<string> {
  const text = { purpose: 'document', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a text') };
  const { id } = await storeFile(url, { ...text, token });
  const made = await call(url, 'POST', `/api/file/${id}/links`, { token, body: {} });
  const fileLink = new URL(made.body.data.url).searchParams.get('l') ?? '';
  assert.equal(fileLink.length, 51);
  for (const [path, status] of [
    [`/file/${id}?l=${fileLink}`, 200],
    [`/file/${id}?l=${fileLink}&variant=thumb`, 404],
    [`/file/${id}?l=${fileLink}&l=${fileLink}`, 400],
    [`/file/x?l=${fileLink}`, 404],
    [`/api/nothing?l=${fileLink}`, 404],
  ] as const)
    for (const headers of [{}, { 'sec-fetch-dest': 'document' }])
      assert.equal((await fetch(`${url}${path}`, { headers })).status, status, path.slice(0, 20));
  return fileLink;
}

async function observe(kind: StoreKind, env: TestEnv, readSms?: (phone: string) => Promise<string>): Promise<Seen> {
  const metricsPort = String(await freePort());
  const isolated = await isolatedEnv(kind, { LOG_LEVEL: 'trace', METRICS_PORT: metricsPort, SECRET: secret, ...env });
  const node = await spawnGatehouse(isolated.env);
  try {
    const fromInbox = async (phone: string) => codeIn(await newest(node.url, phone));
    const makeKey = async () => {
      const wish = ['--name', 'shop', '--scope', 'events:read,users:write', '--until', '1d'];
      const made = await run(isolated.env, 'service-keys', 'create', ...wish);
      assert.equal(made.code, 0, made.stderr);
      const key = made.stdout.trim();
      assert.ok(!made.stderr.includes(key.slice(17)), 'stdout alone has the key');
      return key;
    };
    const planted = await walk(node.url, readSms ?? fromInbox, makeKey);
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

  it('the terminal shows no codes if a provider sends them', { skip: isRepeat }, async () => {
    const readSms = async (phone: string) => codeIn((await recorder.expect(phone, 1))[0] ?? { text: '' });
    const seen = await observe('sqlite', { SMS_URL: recorder.url, OTP_RESEND_AFTER: 'off' }, readSms);
    const [smsCode = ''] = seen.codes;
    expectClean('stdout', seen.stdout, seen);
    expectClean('metrics', seen.metrics, seen);
    assert.deepEqual(codesIn(seen.stderr, [smsCode]), []);
  });

  it('the terminal shows no codes in production, even with an inbox', { skip: isRepeat }, async () => {
    const seen = await observe('sqlite', production);
    expectClean('stdout', seen.stdout, seen);
    expectClean('stderr', seen.stderr, seen);
    assert.match(seen.stderr, /Warning: .*ALLOW_INSECURE/);
  });
});
