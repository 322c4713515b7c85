// What a thief of the database, the disk, the log or foreign answers can learn: nothing but what is listed here.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { tables } from '../../src/store/engine/tables.ts';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import {
  bind,
  codeIn,
  linkTokenIn,
  newAddress,
  otherThan,
  redeem,
  sendBinding,
  sendLink,
} from '../helpers/people/users.ts';
import { call, logIn, newPhone, refresh, sendOtp } from '../helpers/requests/api.ts';
import { codesIn, expectClean, formsOf, foundIn, hashesOf, stumble } from '../helpers/requests/canaries.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/requests/tcp-proxy.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  spawnGatehouse,
  storeKinds,
  type TestEnv,
} from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';

const secrets = {
  service: 'service-secret-canary-8b1f0c77a4d2e96b',
  sms: 'sms-key-canary-30d9f1',
  mail: 'mail-password-canary-77ab10',
  database: 'database-password-canary-5510cd',
};

/** Where a value may be stored, as table.column or as a kind of file. A hash is listed apart from the value itself. */
const allowedPlaces: Readonly<Record<string, readonly string[]>> = {
  // Who has an account, and the recipient of a waiting or parked message.
  phone: ['users.phone', 'outbox.payload'],
  email: ['users.email', 'users.email_key', 'login_links.email_key', 'outbox.payload'],
  // Counters are looked up by the submitted value. They are swept when their window is over. A waiting message names those it counts in.
  'hash of phone': ['limits.id', 'outbox.counted'],
  'hash of email': ['limits.id'],
  // Hashes of 32 random bytes, which cannot be guessed.
  'hash of link': ['login_links.token_hash', 'notice_links.token_hash'],
  'hash of browser': ['login_links.browser_hash'],
  // Content that users uploaded, and a spool that a kill left for the sweep.
  fileName: ['files.name'],
  content: ['blob', 'spool'],
  'hash of content': ['files.sha256', 'idempotency_keys.fingerprint'],
  userAgent: ['sessions.user_agent'],
  // The user who deleted the account: counters outlive it for a day, and SQLite overwrites freed pages only when it needs them.
  leaver: ['gatehouse.db', 'gatehouse.db-wal'],
  'hash of leaver': ['limits.id', 'outbox.counted'],
};

/** Proves that the search finds what is there. */
const mustShow = [
  'phone in users.phone',
  'hash of phone in limits.id',
  'email in users.email',
  'hash of link in login_links.token_hash',
  'hash of browser in login_links.browser_hash',
  'fileName in files.name',
  'hash of content in files.sha256',
  'userAgent in sessions.user_agent',
];

type Secrets = Record<string, string[]>;

type Stage = {
  readonly url: string;
  readonly post: PostOffice;
  readonly things: Secrets;
  readonly codes: string[];
  readSms(phone: string, count?: number): Promise<string>;
};

/** Passes every secret through the service once, correctly and incorrectly. */
async function useEverything({ url, post, things, codes, readSms }: Stage): Promise<{ JWT: string; fileId: string }> {
  const [phone, email] = [newPhone(), newAddress()];
  const remember = (kind: string, ...texts: string[]) => {
    things[kind] = [...(things[kind] ?? []), ...texts];
  };
  remember('phone', phone);
  remember('email', email);
  await sendOtp(url, phone);
  const code = await readSms(phone);
  await logIn(url, phone, otherThan(code));
  const headers = { 'user-agent': 'agent-canary-1c55' };
  const login = await call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp: code }, headers });
  const { JWT, RT } = login.body.data;
  const next = (await refresh(url, RT)).body.data;
  await sendBinding(url, JWT, email);
  const otp = codeIn(await post.newest(email, 1));
  await bind(url, JWT, email, otherThan(otp));
  await bind(url, JWT, email, otp);
  const asked = await sendLink(url, email);
  const link = linkTokenIn(await post.newest(email, 2));
  const browser = /lb=([\w-]+)/.exec(asked.cookies.join())?.[1] ?? '';
  const byLink = (await redeem(url, link)).body.data;
  await sendLink(url, email, { cookie: `lb=${browser}` });
  const unused = linkTokenIn(await post.newest(email, 3));
  codes.push(code, otp);
  remember('token', JWT, RT, next.JWT, next.RT, byLink.JWT, byLink.RT);
  remember('link', link, unused);
  remember('browser', browser);
  remember('userAgent', 'agent-canary-1c55');
  const fileId = await store(url, JWT, things);
  await stumble(url, [phone, email, JWT, RT, link, 'content-canary-of-a-body']);
  return { JWT, fileId };
}

/** Signs up, binds an e-mail address and deletes the account. */
async function deleteAnAccount({ url, post, things, codes, readSms }: Stage): Promise<void> {
  const [phone, email] = [newPhone(), newAddress()];
  things.leaver = [phone, email];
  await sendOtp(url, phone);
  const code = await readSms(phone);
  const { JWT, RT } = (await logIn(url, phone, code)).body.data;
  await sendBinding(url, JWT, email);
  const otp = codeIn(await post.newest(email, 1));
  await bind(url, JWT, email, otp);
  assert.equal((await call(url, 'DELETE', '/api/auth/me', { token: JWT })).status, 200);
  things.token?.push(JWT, RT);
  codes.push(code, otp);
}

async function store(url: string, token: string, things: Secrets): Promise<string> {
  const [name, content, key] = ['name-canary-6e0d.txt', 'content-canary-d81b', 'idempotency-canary-42aa'];
  things.fileName = [name];
  things.content = [content];
  things.key = [key];
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'text/plain',
    'content-disposition': `attachment; filename="${name}"`,
    'idempotency-key': key,
  };
  const response = await fetch(`${url}/api/file/upload?purpose=document`, { method: 'POST', headers, body: content });
  assert.equal(response.status, 201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Sends half of a file and then nothing: the kill leaves it in the spool. */
async function beginUpload(url: string, token: string, dataDir: string): Promise<void> {
  // More than stays in memory.
  const half = Buffer.from('content-canary-d81b'.padEnd(2 * 1024 ** 2));
  const body = new ReadableStream({ start: (controller) => controller.enqueue(half) });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
  const request: RequestInit = { method: 'POST', headers, body, duplex: 'half' };
  fetch(`${url}/api/file/upload?purpose=document`, request).catch(() => undefined);
  const hasStarted = () =>
    filesIn(dataDir).some((path) => path.includes('spool') && statSync(path, { throwIfNoEntry: false })?.size);
  await waitUntil('the upload is on the disk', hasStarted);
}

/** Everything that another user can ask about these users and their data. */
async function askAsStranger({ url, things, readSms }: Stage, fileId: string): Promise<string> {
  const phone = newPhone();
  await sendOtp(url, phone);
  const { JWT } = (await logIn(url, phone, await readSms(phone))).body.data;
  const [email = ''] = things.email ?? [];
  const [owner = ''] = things.phone ?? [];
  const replies = [
    await call(url, 'GET', '/api/auth/me', { token: JWT }),
    await call(url, 'GET', '/api/auth/sessions', { token: JWT }),
    await call(url, 'GET', '/api/file', { token: JWT }),
    await call(url, 'GET', `/api/file/${fileId}`, { token: JWT }),
    await call(url, 'GET', `/file/${fileId}`, { token: JWT }),
    await call(url, 'DELETE', `/api/file/${fileId}`, { token: JWT }),
    await sendLink(url, email),
    await sendBinding(url, JWT, email),
    await bind(url, JWT, email, '000000'),
    await logIn(url, owner, '000000'),
  ];
  return replies.map(({ headers, body }) => `${JSON.stringify([...headers])}${JSON.stringify(body)}`).join('\n');
}

/** Each value and each place where it is stored. */
async function findAll(env: TestEnv, things: Secrets, codes: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const marks = Object.entries(things).flatMap(([kind, texts]) =>
    texts.flatMap((text) => {
      const hashes = new Set(hashesOf(text));
      return formsOf(text).map((form) => ({ kind: hashes.has(form) ? `hash of ${kind}` : kind, form }));
    }),
  );
  const search = (place: string, text: string) => {
    for (const { kind, form } of marks)
      if (text.includes(form)) found.set(`${kind} in ${place}`, isAllowed(kind, place));
    for (const code of codesIn(text, codes)) found.set(`code ${code} in ${place}`, 'forbidden');
  };
  for (const table of Object.keys(tables)) {
    const columns = Map.groupBy(
      (await askStore(env, `select * from ${table}`)).flatMap(Object.entries),
      ([column]) => column,
    );
    for (const [column, values] of columns) search(`${table}.${column}`, values.map(([, value]) => value).join('\n'));
  }
  for (const file of filesIn(env.DATA_DIR ?? '')) search(...readPlace(env.DATA_DIR ?? '', file));
  return found;
}

/** The files of a database hold its rows and what its rows held before. */
function isAllowed(kind: string, place: string): 'allowed' | 'forbidden' {
  const places = allowedPlaces[kind] ?? [];
  const isListed =
    places.includes(place) || (place.startsWith('gatehouse.db') && places.some((one) => one.includes('.')));
  return isListed ? 'allowed' : 'forbidden';
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function readPlace(root: string, path: string): [place: string, text: string] {
  const name = relative(root, path);
  const place = name.includes('spool') ? 'spool' : name.startsWith('files') ? 'blob' : name;
  return [place, `${name}\n${readFileSync(path, 'latin1')}`];
}

describe('data at rest', { concurrency: 2 }, () => {
  const recorder = setSmsRecorder();
  const refused = new Set<string>();
  for (const kind of storeKinds) {
    it(`only the listed values are stored, after failures and a kill, on ${kind}`, async (test) => {
      const post = await openPostOffice();
      const s3 = kind === 'postgres' ? await startS3Server() : undefined;
      const metricsPort = String(await freePort());
      const isolated = await isolatedEnv(kind, {
        LOG_LEVEL: 'trace',
        METRICS_PORT: metricsPort,
        PUBLIC_URL: 'https://id.example.com',
        SECRET: secrets.service,
        SMS_URL: recorder.url.replace('://', `://${secrets.sms}@`),
        MAIL_URL: `smtp://postman:${secrets.mail}@127.0.0.1:${post.port}`,
        MAIL_FROM: 'Gatehouse <no-reply@example.com>',
        CAPTCHA_URL: 'open:',
        ALLOW_INSECURE: '1',
        OTP_RESEND_AFTER: 'off',
        LIMIT_REQUESTS_PER_IP: 'off',
        LIMIT_SENDS_PER_IP: 'off',
        ...(s3 !== undefined && { STORAGE_URL: s3.url() }),
      });
      const { env, proxy } = await prepareEnv(isolated.env);
      const runs: GatehouseProcess[] = [await spawnGatehouse(env)];
      test.after(async () => {
        for (const run of runs) await run.stop('SIGKILL');
        await Promise.all([post.close(), proxy?.close(), s3?.stop()]);
        await isolated.dispose();
      });
      const url = runs[0]?.url ?? '';
      const storageSecret = decodeURIComponent(/:([^:@]+)@/.exec(s3?.url() ?? '')?.[1] ?? 'no-storage-secret');
      const things: Secrets = { secret: [...Object.values(secrets), storageSecret] };
      const codes: string[] = [];
      const readSms = async (phone: string, count = 1) =>
        codeIn((await recorder.expect(phone, count)).at(-1) ?? { text: '' });
      const stage = { url, post, things, codes, readSms };

      const { JWT, fileId } = await useEverything(stage);
      await deleteAnAccount(stage);
      const others = await askAsStranger(stage, fileId);
      await failProviders(stage, JWT, proxy);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      await beginUpload(url, JWT, env.DATA_DIR ?? '');
      await runs[0]?.stop('SIGKILL');
      runs.push(await spawnGatehouse(env));
      await runs[1]?.stop();

      const planted = { codes, others: Object.values(things).flat() };
      for (const [index, run] of runs.entries()) {
        const { stdout, stderr } = run.output();
        expectClean(`log of run ${index + 1}`, `${stdout}\n${stderr}`, planted);
      }
      expectClean('metrics', metrics, planted);
      expectClean('answers to others', others, planted);
      const found = await findAll(env, things, codes);
      assert.deepEqual(
        [...found].filter(([, verdict]) => verdict !== 'allowed').map(([what]) => what),
        [],
      );
      for (const what of mustShow) assert.ok(found.has(what), `the search is blind: ${what}`);
      test.diagnostic(
        `${planted.others.length + codes.length} secrets, found only in allowed places: ${[...found.keys()].join(', ')}`,
      );
    });
  }

  /** Each provider fails in turn, and requests in the meantime are logged. */
  async function failProviders(
    { url, things, post }: Stage,
    token: string,
    proxy: TcpProxy | undefined,
  ): Promise<void> {
    const [phone, email] = [newPhone(), newAddress()];
    things.phone?.push(phone);
    things.email?.push(email);
    refused.add(phone);
    recorder.answer((sms) => (refused.has(sms.to) ? 500 : 200));
    await sendOtp(url, phone);
    await recorder.expect(phone, 1);
    await post.close();
    await sendBinding(url, token, email);
    if (proxy === undefined) return;
    proxy.refuse(true);
    proxy.cutAll();
    const { status, body } = await sendOtp(url, phone);
    assert.equal(status, 503, body.message);
    assert.deepEqual(foundIn(JSON.stringify(body), Object.values(things).flat()), []);
    proxy.refuse(false);
    await waitUntil('the service is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
  }
});

/** A folder for temporary files. PostgreSQL gets a password that it does not ask for, behind a proxy that can be cut. */
async function prepareEnv(env: TestEnv): Promise<{ env: TestEnv; proxy: TcpProxy | undefined }> {
  // Temporary files are searched as well.
  const scratch = join(env.DATA_DIR ?? '', 'scratch');
  mkdirSync(scratch);
  if (env.DATABASE_URL === undefined) return { env: { ...env, TMPDIR: scratch }, proxy: undefined };
  const address = new URL(env.DATABASE_URL);
  const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  address.password = secrets.database;
  return { env: { ...env, TMPDIR: scratch, DATABASE_URL: address.href }, proxy };
}
