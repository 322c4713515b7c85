// Gatehouse as a peer of the bench: started as a user would start it, with its own workloads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../../scripts/build/ensure-built.js';
import { freePort } from '../../test/helpers/postgres-server.ts';
import { expectAnswer, type Peer } from '../peers/peer.ts';
import { appWorkloads, benchApps } from './app-workloads.ts';
import { type Caller, drive, request } from './drive.ts';
import { callInTwo } from './part-caller.ts';

type Pair = { readonly JWT: string; readonly RT: string };
/** Users who have requested a code, users who have signed in, and unused token pairs. */
type Users = { readonly asked: string[]; readonly known: string[]; readonly pairs: Pair[] };

const root = new URL('../../', import.meta.url).pathname;
const host = '127.0.0.1';
const json = { 'content-type': 'application/json' };

export type GatehousePeer = Peer & {
  readonly readyMilliseconds: number;
  readonly dataDir: string;
};

/** The flags with which `npm start` starts it. */
const startFlags = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** In local mode with defaults: messages go to the inbox, and the terminal prints every code. */
export async function startGatehouse(name: string, env: Readonly<Record<string, string>> = {}): Promise<GatehousePeer> {
  const codes = new Map<string, string>();
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const port = await freePort();
  const appsFile = join(dataDir, 'apps.json');
  writeFileSync(appsFile, benchApps);
  // The bench measures a start, not a build.
  await ensureBuilt();
  const begin = performance.now();
  const watching =
    env.BENCH_LOOP_DELAY === undefined ? [] : ['--import', new URL('loop-delay.js', import.meta.url).href];
  const child = spawn(process.execPath, [...startFlags, ...watching, join(root, 'src/gatehouse.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      APPS_FILE: appsFile,
      ...settings,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface(child.stderr).on('line', (line) => {
    const [, phone, code] = /SMS to (\+\d+): .*?(\d{6})/.exec(line) ?? [];
    if (phone !== undefined && code !== undefined) codes.set(phone, code);
  });
  while (!(await isReady(port))) await sleep(5);
  const readyMilliseconds = performance.now() - begin;
  return {
    name,
    url: `http://${host}:${port}`,
    pid: child.pid ?? 0,
    readyMilliseconds,
    dataDir: env.DATA_DIR ?? dataDir,
    workloads: createWorkloads(port, codes),
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const settings = {
  METRICS_PORT: 'off',
  LOG_LEVEL: 'warn',
  LIMIT_UPLOADS_PER_USER: 'off',
  FILE_QUOTA: '100GiB',
  FILE_COUNT: '10000000',
};

function isReady(port: number): Promise<boolean> {
  return fetch(`http://${host}:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

function createWorkloads(port: number, codes: ReadonlyMap<string, string>): Peer['workloads'] {
  const users: Users = { asked: [], known: [], pairs: [] };
  const upload = (bytes: number) => async (connections: number) => {
    const pairs = await signInSome(port, users, codes, connections);
    return pairs.map(({ JWT }) => uploadCaller(JWT, filmOf(bytes)));
  };
  const uploadWith = (create: (token: string) => Caller) => async (connections: number) => {
    const pairs = await signInSome(port, users, codes, connections);
    return pairs.map(({ JWT }) => create(JWT));
  };
  const download = (bytes: number) => async (connections: number) => {
    const pairs = await signInSome(port, users, codes, connections);
    const id = await uploadOne(port, pairs[0]?.JWT ?? '', filmOf(bytes));
    return pairs.map(() => getCaller(`/file/${id}`, pairs[0]?.JWT ?? '', 'ftyp'));
  };
  /** Only if files are in S3: the service redirects and serves no bytes. */
  const redirect = async (connections: number) => {
    const [pair] = await signInSome(port, users, codes, 1);
    const id = await uploadOne(port, pair?.JWT ?? '', filmOf(20 * 1024));
    const text = request(`GET /file/${id}?redirect=1`, host, { authorization: `Bearer ${pair?.JWT}` });
    const check: Caller['check'] = (status, body) => expectAnswer(status, body, 302, '');
    return repeat(connections, () => ({ ask: () => text, check }));
  };
  const accessTokens = async (count: number) => (await signInSome(port, users, codes, count)).map(({ JWT }) => JWT);
  return {
    redirect,
    ...appWorkloads(port, accessTokens),
    sendCode: async (connections) => repeat(connections, () => sendCaller(users.asked)),
    signInNew: async (connections) => signInCallers(connections, await collectCodes(port, users, codes, 20_000), users),
    signInKnown: async (connections) => {
      const known = users.known.splice(0);
      await sendAgain(port, known, codes);
      return signInCallers(
        connections,
        known.map((phone) => [phone, codes.get(phone) ?? '']),
        users,
      );
    },
    refresh: async (connections) => (await signInSome(port, users, codes, connections)).map(refreshCaller),
    sessionCheck: async (connections) =>
      (await signInSome(port, users, codes, connections)).map(({ JWT }) => getCaller('/api/auth/me', JWT, '"phone"')),
    upload20KiB: upload(20 * 1024),
    upload1MiB: upload(1024 ** 2),
    uploadForm1MiB: uploadWith((token) => uploadedBy(formRequest(token, filmOf(1024 ** 2)))),
    uploadText1MiB: uploadWith((token) =>
      uploadedBy(textRequest(token, 'Grüße aus Wien, 42 €\tund ein <b>Wort</b>.\n')),
    ),
    uploadAscii1MiB: uploadWith((token) => uploadedBy(textRequest(token, '2026-03-01,4711,"Words as they are",1.5\n'))),
    upload100MiB: upload(100 * 1024 ** 2),
    uploadResumable1MiB: uploadWith((token) => resumableCaller(token, filmOf(1024 ** 2))),
    uploadResumable100MiB: uploadWith((token) => resumableCaller(token, filmOf(100 * 1024 ** 2))),
    uploadHalf50MiB: uploadWith((token) => partCaller(token, filmOf(100 * 1024 ** 2))),
    download4KiB: download(4096),
    download100MiB: download(100 * 1024 ** 2),
  };
}

let lastPhone = 0;

/** US phone numbers, each used once. */
function newPhone(): string {
  lastPhone += 1;
  return `+1${201 + Math.floor(lastPhone / 8_000_000)}${2_000_000 + (lastPhone % 8_000_000)}`;
}

function sendCaller(sent: string[]): Caller {
  return {
    ask: () => {
      const phone = newPhone();
      sent.push(phone);
      return sendRequest(phone);
    },
    check: (status, body) => expectAnswer(status, body, 200, '"success":true'),
  };
}

function sendRequest(phone: string): string {
  return request('POST /api/auth/phone/send/otp', host, { ...json, 'captcha-token': 'x' }, `{"recipient":"${phone}"}`);
}

/** Users who have received a code and have not signed in. */
async function collectCodes(
  port: number,
  { asked }: Users,
  codes: ReadonlyMap<string, string>,
  count: number,
): Promise<[string, string][]> {
  const fresh = asked.splice(0);
  const missing = Math.max(0, count - fresh.length);
  const more = Array.from({ length: missing }, newPhone);
  await sendAgain(port, more, codes);
  return [...fresh, ...more].map((phone) => [phone, codes.get(phone) ?? '']);
}

async function sendAgain(port: number, phones: readonly string[], codes: ReadonlyMap<string, string>): Promise<void> {
  const left = phones.values();
  const before = new Map(phones.map((phone) => [phone, codes.get(phone)]));
  const caller: Caller = {
    ask: () => {
      const { value, done } = left.next();
      return done === true ? undefined : sendRequest(value);
    },
    check: (status, body) => expectAnswer(status, body, 200, '"success":true'),
  };
  await drive({ host, port, callers: repeat(16, () => caller), seconds: 60 });
  const isMissing = (phone: string) => codes.get(phone) === undefined || codes.get(phone) === before.get(phone);
  for (let round = 0; round < 100 && phones.some(isMissing); round++) await sleep(100);
}

function signInCallers(connections: number, list: readonly (readonly [string, string])[], users: Users): Caller[] {
  const left = list.values();
  return repeat(connections, () => {
    let current = '';
    return {
      ask: () => {
        const { value, done } = left.next();
        if (done === true) return undefined;
        const [phone, otp] = value;
        current = phone;
        return request('POST /api/auth/phone/login', host, json, JSON.stringify({ phone, otp }));
      },
      check: (status, body) => {
        expectAnswer(status, body, 200, '"JWT"');
        users.pairs.push((JSON.parse(body.toString()) as { data: Pair }).data);
        users.known.push(current);
      },
    };
  });
}

async function signInSome(
  port: number,
  users: Users,
  codes: ReadonlyMap<string, string>,
  count: number,
): Promise<Pair[]> {
  if (users.pairs.length < count) {
    const list = await collectCodes(port, users, codes, count);
    await drive({ host, port, callers: signInCallers(8, list.slice(0, count), users), seconds: 60 });
  }
  return users.pairs.splice(-count);
}

/** Renews its own session in a loop. */
function refreshCaller({ RT }: Pair): Caller {
  let token = RT;
  return {
    ask: () => request('POST /api/auth/refresh-token', host, { RT: token }),
    check: (status, body) => {
      expectAnswer(status, body, 200, '"RT":"');
      const at = body.indexOf('"RT":"') + 6;
      token = body.toString('latin1', at, body.indexOf('"', at));
    },
  };
}

function getCaller(path: string, token: string, piece: string): Caller {
  const text = request(`GET ${path}`, host, { authorization: `Bearer ${token}` });
  return { ask: () => text, check: (status, body) => expectAnswer(status, body, 200, piece) };
}

const film = readFileSync(join(root, 'test/fixtures/files/ffmpeg-faststart.mp4'));

/** A video, padded to the given size with a box that players skip. */
function filmOf(bytes: number): Buffer {
  const box = Buffer.alloc(bytes - film.length, 1);
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  return Buffer.concat([film, box]);
}

function uploadRequest(
  token: string,
  content: Buffer,
  more: Readonly<Record<string, string>> = {},
  purpose = 'video',
): Buffer {
  const head = request(`POST /api/file/upload?purpose=${purpose}`, host, {
    authorization: `Bearer ${token}`,
    'content-type': 'video/mp4',
    'content-length': String(content.length),
    ...more,
  });
  return Buffer.concat([Buffer.from(head), content]);
}

/** 1 MiB of text that repeats the line. */
function textRequest(token: string, line: string): Buffer {
  const lines = Buffer.from(line.repeat(1024 ** 2 / Buffer.byteLength(line)));
  const content = Buffer.concat([lines, Buffer.alloc(1024 ** 2 - lines.length, ' ')]);
  return uploadRequest(token, content, { 'content-type': 'text/plain' }, 'document');
}

/** As a browser sends a form. */
function formRequest(token: string, content: Buffer): Buffer {
  const boundary = '----formBoundary7MA4YWxkTrZu0gW';
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(opening), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return uploadRequest(token, body, { 'content-type': `multipart/form-data; boundary=${boundary}` });
}

function uploadCaller(token: string, content: Buffer): Caller {
  return uploadedBy(uploadRequest(token, content));
}

function uploadedBy(whole: Buffer): Caller {
  return { ask: () => whole, check: (status, body) => expectAnswer(status, body, 201, '"sha256"') };
}

/** The whole file in one request that can be resumed. */
function resumableCaller(token: string, content: Buffer): Caller {
  const whole = uploadRequest(token, content, { 'upload-complete': '?1' });
  return { ask: () => whole, check: (status, body) => expectAnswer(status, body, 201, '"sha256"') };
}

function partCaller(token: string, content: Buffer): Caller {
  const authorization = `Bearer ${token}`;
  return callInTwo(content, {
    create: (half, whole) =>
      request('POST /api/file/upload?purpose=video', host, {
        authorization,
        'content-type': 'video/mp4',
        'content-length': String(half),
        'upload-length': String(whole),
        'upload-complete': '?0',
      }),
    append: (path, offset, rest) =>
      request(`PATCH ${path}`, host, {
        authorization,
        'content-type': 'application/partial-upload',
        'content-length': String(rest),
        'upload-offset': String(offset),
        'upload-complete': '?1',
      }),
    place: /^location: (\/api\/file\/upload\/\S+)/im,
    checkLast: (status, body) => expectAnswer(status, body, 201, '"sha256"'),
  });
}

async function uploadOne(port: number, token: string, content: Buffer): Promise<string> {
  let id = '';
  let isSent = false;
  const caller: Caller = {
    ask: () => {
      if (isSent) return undefined;
      isSent = true;
      return uploadRequest(token, content);
    },
    check: (status, body) => {
      expectAnswer(status, body, 201, '"id"');
      id = (JSON.parse(body.toString()) as { data: { id: string } }).data.id;
    },
  };
  await drive({ host, port, callers: [caller], seconds: 60 });
  return id;
}

function repeat<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
