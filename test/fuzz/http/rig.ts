// A service under broken requests: rounds that follow from their seed, and the counts.
import assert from 'node:assert/strict';
import type { RawReply } from '../../helpers/requests/raw-request.ts';
import { isolatedEnv, type StoreKind, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { createChance } from './chance.ts';
import { converse, type Judge } from './conversation.ts';
import type { FuzzCase, Sample, World } from './draft.ts';
import { checkLog, checkRest, readGauges } from './health.ts';
import { createRequests } from './requests.ts';
import { checkAnswers } from './verdict.ts';
import { clear, enterAsStaff, populate, testRecipients, visitHonestly } from './world.ts';

type FuzzRig = {
  /** Sends that many requests, all of which follow from the seed. */
  round(seed: number, requests: number): Promise<void>;
  /** Repeats requests that once failed, with the tokens of the current users. */
  replay(kept: readonly KeptRequest[]): Promise<void>;
  /** Checks that the service is as healthy as before, and returns the counts. */
  finish(): Promise<string>;
  dispose(): Promise<void>;
};

/** As latin1, with {accessToken}, {refreshToken} and {file} for values that differ from run to run. */
export type KeptRequest = { readonly why: string; readonly request: string };

const lines = 8;
/** Compiled code, caches of bounded size, and garbage that is not collected yet. */
const mostGrowthMebibytes = 256;

export async function openFuzzRig(kind: StoreKind, samples: readonly Sample[]): Promise<FuzzRig> {
  const { env, dispose } = await isolatedEnv(kind, {
    LOG_LEVEL: 'warn',
    LIMIT_UPLOADS_PER_USER: 'off',
    CORS_ORIGINS: 'https://app.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    TEST_RECIPIENTS: testRecipients,
  });
  const service = await spawnGatehouse(env);
  const { url } = service;
  const adminToken = await enterAsStaff(url, env);
  const before = readGauges(service);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const count = { requests: 0, longest: 0, asStaff: 0, doneAsStaff: 0 };
  const memory = [before.mebibytes];

  const judgeFor =
    (world: World, seed: number): Judge =>
    (request, replies, milliseconds) => {
      count.requests += 1;
      count.longest = Math.max(count.longest, milliseconds);
      if (request.path.startsWith('/api/admin')) {
        count.asStaff += 1;
        if (replies[0]?.status === 200) count.doneAsStaff += 1;
      }
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      try {
        checkAnswers(request, replies);
      } catch (error) {
        faults.push(describe(world, seed, request, replies, error as Error));
      }
    };

  return {
    round: async (seed, requests) => {
      const world = await populate(url, samples, adminToken);
      // Each connection has its own random numbers, so that the order of connections changes nothing.
      const line = (index: number) =>
        createRequests(world, createChance(seed * lines + index), `fz-${seed}-${index}`).take(
          Math.ceil(requests / lines),
        );
      const all = Array.from({ length: lines }, (_, index) => converse(url, line(index), judgeFor(world, seed)));
      const [broken] = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
      assert.equal(
        service.child.exitCode,
        null,
        `FUZZ_SEED=${seed} ended the service: ${service.output().stderr.slice(-4000)}`,
      );
      assert.equal(faults.length, 0, faults.slice(0, 10).join('\n\n'));
      if (broken !== undefined)
        throw new Error(`FUZZ_SEED=${seed}`, { cause: (broken as PromiseRejectedResult).reason });
      await clear(url);
      memory.push(readGauges(service).mebibytes);
    },
    replay: async (kept) => {
      const world = await populate(url, samples, adminToken);
      const requests = kept.map((one) => restore(one, world));
      await converse(url, requests, judgeFor(world, 0));
      assert.equal(faults.length, 0, faults.join('\n\n'));
    },
    finish: async () => {
      await visitHonestly(url);
      const after = await checkRest(service, env, before);
      const grown = after.mebibytes - before.mebibytes;
      assert.ok(grown <= mostGrowthMebibytes, `${grown} MiB more`);
      checkLog(service);
      assert.equal(await service.stop(), 0);
      const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
      return `${count.requests} requests, 0 faults (${seen.join(', ')}), longest ${Math.round(count.longest)} ms; ${count.asStaff} of them to the admin interface, ${count.doneAsStaff} done; memory ${summarise(memory)} MiB; open files ${before.descriptors} and ${after.descriptors}`;
    },
    dispose: async () => {
      await service.stop('SIGKILL');
      await dispose();
    },
  };
}

/** The memory before, after the first round, half-way and at the end. */
function summarise(memory: readonly number[]): string {
  return [0, 1, memory.length >> 1, memory.length - 1].map((at) => memory[at]).join(', ');
}

/** All that is needed to repeat the failure: the seed, and the request to keep. */
function describe(world: World, seed: number, request: FuzzCase, replies: readonly RawReply[], error: Error): string {
  const kept = JSON.stringify({ why: request.name, request: withoutUsers(request.bytes.toString('latin1'), world) });
  const answer = JSON.stringify(replies[0])?.slice(0, 1500) ?? 'no answer';
  return [`FUZZ_SEED=${seed} ${request.name}`, error.message, answer, `to keep: ${kept.slice(0, 4000)}`].join('\n');
}

function withoutUsers(text: string, { resident, guest, files }: World): string {
  let kept = text.replaceAll(files[0] ?? '', '{file}');
  for (const { accessToken, refreshToken } of [resident, guest])
    kept = kept.replaceAll(accessToken, '{accessToken}').replaceAll(refreshToken, '{refreshToken}');
  return kept;
}

function restore({ why, request }: KeptRequest, { resident, files }: World): FuzzCase {
  const bytes = request
    .replaceAll('{accessToken}', resident.accessToken)
    .replaceAll('{refreshToken}', resident.refreshToken)
    .replaceAll('{file}', files[0] ?? '');
  const [method = '', target = ''] = bytes.split(' ', 2);
  return {
    name: why,
    bytes: Buffer.from(bytes, 'latin1'),
    method,
    path: target.split('?', 1)[0] ?? '',
    id: undefined,
    isForged: false,
    isAlone: true,
    isHalfClosed: true,
  };
}
