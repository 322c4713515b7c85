// Does the time of an answer reveal who has an account, or why a link to a file does not open it? Interleaved samples, with controls.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/helpers/databases/postgres-server.ts';
import { call, signIn } from '../test/helpers/requests/api.ts';
import { spawnGatehouse } from '../test/helpers/services/gatehouse.ts';
import { type BadLinks, prepareLinks } from './link-timing.ts';
import { type Comparison, compare, halves, spread } from './statistics.ts';

/** The planted leak, in ms: half of the samples of one class are delayed by this. */
const planted = 0.1;

const ownPhone = '+12025571999';
const secret = 'the secret of the service that is measured';

type Sample = { readonly own: number; readonly next: number };

/** `warmUp`: the first samples of each class, which do not count. */
export async function measureTiming(perClass: number, warmUp = 200): Promise<Comparison[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-timing-'));
  const port = await freePort();
  const lives = { ACCESS_TOKEN_LIFE: '24h', RECENT_SIGN_IN: '24h' };
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    METRICS_PORT: 'off',
    LOG_LEVEL: 'silent',
    SECRET: secret,
    ...lives,
  };
  await (await spawnGatehouse(env)).stop();
  const path = join(dataDir, 'gatehouse.db');
  addUsers(path, perClass * 2 + warmUp);
  const service = await spawnGatehouse(env);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const { JWT } = await signIn(service.url, ownPhone);
    await bind(service.url, JWT, 'own@example.com');
    const link = (recipient: string) => timed(agent, port, '/api/auth/email/send/login-link', recipient);
    const code = (recipient: string) => timed(agent, port, '/api/auth/email/send/otp', recipient, JWT);
    // Every sample is an unused e-mail address, so that no cache can distinguish them.
    let serial = 0;
    const links = await interleave(
      { perClass, warmUp },
      {
        known: () => link(`known${serial++}@example.com`),
        unknown: () => link(`nobody${serial++}@example.com`),
      },
    );
    const codes = await interleave(
      { perClass, warmUp },
      {
        free: () => code(`free${serial++}@example.com`),
        taken: () => code(`known${serial++ % perClass}@example.com`),
        own: () => code('own@example.com'),
      },
    );
    let used = 0;
    const taken = () => phoneAt(1, used++);
    const free = () => phoneAt(2, used++);
    const sendTo = (phone: string) => timed(agent, port, '/api/auth/phone/change/send', phone, JWT);
    const numbers = await interleave(
      { perClass, warmUp },
      {
        free: () => sendTo(free()),
        taken: () => sendTo(taken()),
        own: () => sendTo(ownPhone),
      },
    );
    const guessFor = (phone: string) => timedGuess(agent, port, phone, JWT);
    const guesses = await interleave(
      { perClass, warmUp },
      { free: () => guessFor(free()), taken: () => guessFor(taken()) },
    );
    const bad = await prepareLinks({ url: service.url, token: JWT, path, secret }, perClass + warmUp);
    const opening = (kind: keyof BadLinks) => () => timedLink(agent, port, bad[kind]());
    const files = await interleave(
      { perClass, warmUp },
      {
        forged: opening('forged'),
        ofUnknownFile: opening('ofUnknownFile'),
        revoked: opening('revoked'),
        expired: opening('expired'),
      },
    );
    return [...judge(links, codes), ...judgeNumbers(numbers, guesses), ...judgeFiles(files)];
  } finally {
    agent.destroy();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The calls that change a number: the request for a code, and a wrong code. */
function judgeNumbers(numbers: Record<string, Sample[]>, guesses: Record<string, Sample[]>): Comparison[] {
  return [
    compare('number: free against taken', ownOf(numbers.free), ownOf(numbers.taken)),
    compare('number: free against own', ownOf(numbers.free), ownOf(numbers.own)),
    compare('number: the next request', nextOf(numbers.free), nextOf(numbers.taken)),
    compare('number: a wrong code, free against taken', ownOf(guesses.free), ownOf(guesses.taken)),
  ];
}

/** Links to files that do not open them. */
function judgeFiles({ forged, ofUnknownFile, revoked, expired }: Record<string, Sample[]>): Comparison[] {
  return [
    compare('file: forged against revoked', ownOf(forged), ownOf(revoked)),
    compare('file: forged against unknown file', ownOf(forged), ownOf(ofUnknownFile)),
    compare('file: expired against revoked', ownOf(expired), ownOf(revoked)),
  ];
}

const ownOf = (samples: Sample[] | undefined) => (samples ?? []).map((sample) => sample.own);
const nextOf = (samples: Sample[] | undefined) => (samples ?? []).map((sample) => sample.next);

function judge(links: Record<string, Sample[]>, codes: Record<string, Sample[]>): Comparison[] {
  const [own, next] = [ownOf, nextOf];
  const [even, odd] = halves(own(links.unknown));
  return [
    compare('link: unknown against known', own(links.unknown), own(links.known)),
    compare('link: the next request', next(links.unknown), next(links.known)),
    compare('code: free against taken', own(codes.free), own(codes.taken)),
    compare('code: free against own', own(codes.free), own(codes.own)),
    compare('code: the next request', next(codes.free), next(codes.taken)),
    compare('control: a class against itself', even, odd),
    compare(
      'control: with a planted 100 µs',
      even,
      odd.map((value) => value + planted),
    ),
    compare(
      'control: with a planted gross delay',
      even,
      odd.map((value) => value + 2 * spread(even)),
    ),
  ];
}

/**
 * One sample of every class in each round, in random order, so that a slow moment of the machine affects all equally, and so does what
 * changes during a measurement: compiled code, a growing table, the load of other processes.
 */
async function interleave(
  { perClass, warmUp }: { readonly perClass: number; readonly warmUp: number },
  classes: Record<string, () => Promise<Sample>>,
): Promise<Record<string, Sample[]>> {
  const names = Object.keys(classes);
  const samples: Record<string, Sample[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < perClass + warmUp; round++) {
    for (const name of shuffled(names)) {
      const sample = await classes[name]?.();
      if (sample !== undefined) samples[name]?.push(sample);
      await sleep(Math.random() * 2);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, all.slice(warmUp)]));
}

/** Every order is equally likely, which a sort by a random comparison does not give. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

async function timed(agent: Agent, port: number, path: string, recipient: string, token?: string): Promise<Sample> {
  const own = await roundTrip(agent, port, 'POST', path, { recipient }, token);
  const next = await roundTrip(agent, port, 'GET', '/livez');
  return { own, next };
}

/** A wrong code: nearly every code is, and one that is right would fail the measurement. */
async function timedGuess(agent: Agent, port: number, phone: string, token: string): Promise<Sample> {
  const body = { phone, otp: '000000' };
  const own = await roundTrip(agent, port, 'PUT', '/api/auth/phone/change', body, token, 400);
  const next = await roundTrip(agent, port, 'GET', '/livez');
  return { own, next };
}

async function timedLink(agent: Agent, port: number, path: string): Promise<Sample> {
  const own = await roundTrip(agent, port, 'GET', path, undefined, undefined, 404);
  const next = await roundTrip(agent, port, 'GET', '/livez');
  return { own, next };
}

function roundTrip(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  body?: object,
  token?: string,
  status = 200,
): Promise<number> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': text.length,
      'captcha-token': 'any',
    }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === status) resolve(performance.now() - begun);
        else reject(new Error(`${method} ${path} answered ${response.statusCode}, not ${status}`));
      });
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

/** A number that the service accepts. Those of the added users are in the first block. */
function phoneAt(block: 1 | 2, index: number): string {
  return `+49151${block}${String(index).padStart(7, '0')}`;
}

function addUsers(path: string, count: number): void {
  const db = new DatabaseSync(path);
  db.exec('begin');
  const insert = db.prepare(
    'insert into users (id, phone, email, email_key, blocked_at, created_at) values (?, ?, ?, ?, null, 0)',
  );
  for (let index = 0; index < count * 3; index++) {
    const email = `known${index}@example.com`;
    insert.run(`00000000-0000-7000-8000-${String(index).padStart(12, '0')}`, phoneAt(1, index), email, email);
  }
  db.exec('commit');
  db.close();
}

async function bind(url: string, token: string, address: string): Promise<void> {
  await call(url, 'POST', '/api/auth/email/send/otp', { token, captcha: 'any', body: { recipient: address } });
  const { body } = await call(url, 'GET', `/api/inbox?to=${address}&wait=10`);
  const otp = body.data.messages[0].subject.slice(0, 6);
  await call(url, 'PUT', '/api/auth/email/add', { token, body: { email: address, otp } });
}

if (import.meta.main) {
  const perClass = Number(process.argv[2] ?? 5000);
  for (const { name, count, auc, medianDifference } of await measureTiming(perClass)) {
    const micros = (medianDifference * 1000).toFixed(1).padStart(8);
    console.log(`${name.padEnd(36)} n=${String(count).padStart(6)}  AUC ${auc.toFixed(4)}  median ${micros} µs`);
  }
}
