// Hundreds of uploads in several requests, each cut at random bytes, while services are killed, nodes exchanged and S3 goes away.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { createRandom } from '../helpers/histories/record.ts';
import { call, newPhone, signIn } from '../helpers/requests/api.ts';
import { openFleet } from '../helpers/services/fleet.ts';
import {
  createTestClock,
  isolatedEnv,
  spawnGatehouse,
  startGatehouse,
  type TestEnv,
} from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { type CutTarget, uploadWithCuts } from './rig/cut-client.ts';

const perStorage = rounds(150);
const users = 8;
const atOnce = 8;
/** One in so many uploads is never finished by its client. */
const abandonedEvery = 25;

/** Tokens live as long as the test, so that no request is refused for another reason. */
const settings = { LIMIT_UPLOADS_PER_USER: 'off', ACCESS_TOKEN_LIFE: '6h', UPLOAD_LIFE: '1h' };

it('uploads to SQLite and the disk are cut, and the service is killed under them: each file arrives whole, once', async (test) => {
  const undo = undoAfter(test);
  const { env, dispose } = await isolatedEnv('sqlite', settings);
  undo(dispose);
  let service = await spawnGatehouse(env);
  undo(() => service.stop('SIGKILL'));
  const kill = async () => {
    await service.stop('SIGKILL');
    service = await spawnGatehouse(env);
  };
  const leftovers = () => namesIn(join(env.DATA_DIR ?? '', 'files', 'uploads'));
  await cutAll(test, { env, url: service.url, faults: [kill], leftovers, stop: () => service.stop() });
});

it('uploads to PostgreSQL and S3 are cut, nodes are killed and exchanged, and S3 goes away: each file arrives whole, once', async (test) => {
  const undo = undoAfter(test);
  const s3 = await startS3Server();
  undo(s3.stop);
  const { env: isolated, dispose } = await isolatedEnv('postgres', {
    ...settings,
    SECRET: 'a secret for every node of the fleet',
    STORAGE_URL: s3.url(),
  });
  undo(dispose);
  const fleet = await openFleet(undo, isolated, { places: 3, count: 2 });
  let place = 0;
  const kill = async () => {
    const old = place;
    await fleet.nodes.get(old)?.stop('SIGKILL');
    await fleet.down(old);
    await fleet.up(old);
  };
  const exchange = async () => {
    const next = [0, 1, 2].find((at) => !fleet.nodes.has(at)) ?? assert.fail('no place is free');
    await fleet.up(next);
    await fleet.down(place);
    place = [0, 1, 2].find((at) => fleet.nodes.has(at)) ?? 0;
  };
  const away = async () => {
    await s3.stop();
    await sleep(400);
    await s3.start();
  };
  const leftovers = () => [...s3.objects.keys()].filter((key) => key.includes('uploads/'));
  const stop = () => Promise.all([...fleet.nodes.keys()].map((at) => fleet.down(at)));
  await cutAll(test, { env: isolated, url: fleet.url, faults: [kill, away, exchange], leftovers, stop });
});

type Stage = {
  readonly env: TestEnv;
  readonly url: string;
  readonly faults: readonly (() => Promise<void>)[];
  readonly leftovers: () => readonly string[];
  readonly stop: () => Promise<unknown>;
};

async function cutAll(test: TestContext, { env, url, faults, leftovers, stop }: Stage): Promise<void> {
  const targets: CutTarget[] = [];
  for (let user = 0; user < users; user++) targets.push({ url, token: (await signIn(url, newPhone())).JWT });
  const expected = new Map(targets.map(({ token }) => [token, new Map<string, string>()]));
  const failure = new AbortController();
  let [next, done, cuts, requests, struck] = [0, 0, 0, 0, 0];
  const work = async () => {
    while (next < perStorage) {
      const at = next++;
      const target = targets[at % users] ?? assert.fail();
      const random = createRandom(seed * 100_003 + at);
      const content = contentOf(random);
      const isAbandoned = at % abandonedEvery === 0;
      const mostCuts = 1 + Math.floor(random() * 4);
      const plan = { content, key: `upload-${at}`, random, mostCuts, isAbandoned, signal: failure.signal };
      const result = await uploadWithCuts(target, plan);
      cuts += result.cuts;
      requests += result.requests;
      done += 1;
      if (result.fileId === undefined) continue;
      const files = expected.get(target.token);
      assert.ok(files?.has(result.fileId) === false, 'two uploads have one file');
      files.set(result.fileId, createHash('sha256').update(content).digest('hex'));
    }
  };
  const strike = async () => {
    while (done < perStorage && !failure.signal.aborted) {
      const until = done + Math.ceil(perStorage / 12);
      while (done < Math.min(until, perStorage) && !failure.signal.aborted) await sleep(5);
      if (done >= perStorage || failure.signal.aborted) return;
      await faults[struck % faults.length]?.();
      struck += 1;
    }
  };
  // One that fails ends the others, which would try again for ever without a service.
  const all = [...Array.from({ length: atOnce }, work), strike()];
  for (const one of all) one.catch((error: unknown) => failure.abort(error));
  await Promise.all(all);
  for (const [token, files] of expected) await judge(url, token, files);
  test.diagnostic(
    `${done} uploads, ${cuts} cut requests of ${requests}, ${struck} faults of the service or its storage`,
  );
  await stop();
  await judgeAfterExpiry(env, expected, leftovers);
}

/** Mostly less than a request carries, sometimes more than is recorded at once. A text, so that the stored bytes are those sent. */
function contentOf(random: () => number): Buffer {
  const size = random() < 0.02 ? 9 * 2 ** 20 : 1 + Math.floor(random() * 200_000);
  const base = Buffer.from(randomBytes(Math.ceil(Math.min(size, 60_000) * 0.75)).toString('base64'));
  return Buffer.concat(Array.from({ length: Math.ceil(size / base.length) }, () => base)).subarray(0, size);
}

/** Exactly the files that clients got, with the bytes that they sent. */
async function judge(url: string, token: string, files: ReadonlyMap<string, string>): Promise<void> {
  const stored = new Map<string, string>();
  let bytes = 0;
  for (let cursor = ''; ; ) {
    const { body } = await call(url, 'GET', `/api/file?limit=100${cursor}`, { token });
    for (const file of body.data.files as { id: string; sha256: string; size: number }[]) {
      stored.set(file.id, file.sha256);
      bytes += file.size;
    }
    if (body.data.next === null) break;
    cursor = `&cursor=${encodeURIComponent(body.data.next)}`;
  }
  assert.deepEqual(Object.fromEntries(stored), Object.fromEntries(files));
  const { quota } = (await call(url, 'GET', '/api/file/purposes', { token })).body.data;
  assert.deepEqual([quota.usedFiles, quota.usedBytes], [stored.size, bytes]);
  for (const id of [...stored.keys()].slice(0, 5)) {
    const response = await fetch(`${url}/file/${id}`, { headers: { authorization: `Bearer ${token}` } });
    const read = createHash('sha256').update(Buffer.from(await response.arrayBuffer()));
    assert.equal(read.digest('hex'), stored.get(id));
  }
}

/** Three days later nothing is left of uploads, neither of those that were finished nor of those that never were. */
async function judgeAfterExpiry(
  env: TestEnv,
  expected: ReadonlyMap<string, ReadonlyMap<string, string>>,
  leftovers: () => readonly string[],
): Promise<void> {
  const clock = createTestClock();
  clock.advance(3 * 86_400);
  const later = await startGatehouse(env, clock);
  try {
    await waitUntil('nothing is left of uploads', () => leftovers().length === 0, 100);
    assert.ok([...expected.values()].every((files) => files.size > 0));
  } finally {
    await later.stop();
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
