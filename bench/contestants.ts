// Everything that `npm run bench` measures: how each peer starts, with a store and a folder of its own, and with which workloads.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgres, sqlite, twoWorkers } from './goals.ts';
import { createDatabase } from './load/fill.ts';
import { type GatehousePeer, startGatehouse } from './load/gatehouse.ts';
import { startBetterAuth } from './peers/better-auth.ts';
import { startFloor } from './peers/floor.ts';
import { behindNginx, startHello, startNginx, startReadStream, startSigner } from './peers/limits.ts';
import { startOidcProvider } from './peers/oidc-provider.ts';
import type { Peer } from './peers/peer.ts';
import { startPocketBase } from './peers/pocketbase.ts';
import { startTus } from './peers/tus.ts';

export type Contestant = {
  readonly name: string;
  /** All that the peer has, if not given. */
  readonly workloads?: readonly string[];
  /** Undefined, with a printed line, if this machine cannot run it. */
  start(place: Place): Promise<Peer | undefined>;
};

/** What a start may use. The folder is empty, and no other start gets the same name. */
export type Place = {
  readonly folder: string;
  readonly name: string;
  readonly postgresUrl: string;
  readonly s3Url: string;
};

const watched = 'Gatehouse, watched';

const calls = [
  'live',
  'sessionCheck',
  'sendCode',
  'signInNew',
  'signInKnown',
  'refresh',
  'codeExchange',
  'appRefresh',
] as const;
const resumable = ['uploadResumable1MiB', 'uploadResumable100MiB', 'uploadHalf50MiB'] as const;
const uploads = [
  'upload20KiB',
  'upload1MiB',
  'uploadForm1MiB',
  'uploadText1MiB',
  'uploadAscii1MiB',
  'upload100MiB',
] as const;
const downloads = ['download4KiB', 'download100MiB'] as const;

export const contestants: readonly Contestant[] = [
  { name: 'raw node:http', start: () => startHello() },
  { name: 'Fastify that signs', start: () => startSigner() },
  { name: 'floor', start: ({ folder }) => startFloor(folder) },
  {
    name: sqlite,
    workloads: [...calls, ...downloads, ...uploads, ...resumable],
    start: () => startGatehouse(sqlite),
  },
  { name: 'Better Auth on SQLite', start: ({ folder }) => startBetterAuth(fileIn(folder)) },
  { name: 'oidc-provider on SQLite', start: ({ folder }) => startOidcProvider(fileIn(folder)) },
  { name: 'oidc-provider in memory', start: () => startOidcProvider({ kind: 'memory' }) },
  { name: 'PocketBase', start: ({ folder }) => startPocketBase(folder) },
  { name: 'tus', start: ({ folder }) => startTus(folder) },
  { name: 'nginx', start: ({ folder }) => startNginx(folder) },
  { name: 'Gatehouse behind nginx', start: startAccelerated },
  { name: 'createReadStream', start: ({ folder }) => startReadStream(folder) },
  {
    name: 'Gatehouse on S3',
    workloads: ['redirect'],
    start: ({ s3Url }) => startGatehouse('Gatehouse on S3', { STORAGE_URL: s3Url }),
  },
  { name: watched, workloads: ['refresh', 'upload1MiB', 'upload100MiB'], start: startWatched },
  {
    name: postgres,
    workloads: calls,
    start: async (place) => startGatehouse(postgres, { DATABASE_URL: await databaseOf(place) }),
  },
  {
    name: twoWorkers,
    workloads: calls,
    start: async (place) => startGatehouse(twoWorkers, { DATABASE_URL: await databaseOf(place), WORKERS: '2' }),
  },
  {
    name: 'Better Auth on PostgreSQL',
    start: async (place) => startBetterAuth({ kind: 'postgres', url: await databaseOf(place) }),
  },
];

type WatchedPeer = GatehousePeer & {
  /** The 99th percentile of the delay of its event loop, in milliseconds. */
  loopDelay(): number;
};

export function isWatched(peer: Peer): peer is WatchedPeer {
  return 'loopDelay' in peer;
}

async function startWatched({ folder }: Place): Promise<WatchedPeer> {
  const file = join(folder, 'loop-delay');
  const peer = await startGatehouse(watched, { BENCH_LOOP_DELAY: file });
  return { ...peer, loopDelay: () => Number(readFileSync(file, 'utf8')) };
}

/** nginx serves the files, the service only decides. */
async function startAccelerated({ folder }: Place): Promise<Peer | undefined> {
  const peer = await startGatehouse('Gatehouse', { FILE_DELIVERY: 'accel' });
  const own = join(folder, 'accel');
  mkdirSync(own);
  const behind = await behindNginx(peer, 'Gatehouse behind nginx', own, join(peer.dataDir, 'files'));
  if (behind === undefined) await peer.stop();
  return behind;
}

function fileIn(folder: string) {
  return { kind: 'sqlite', file: join(folder, 'store.db') } as const;
}

/** Each start gets an empty database. */
function databaseOf({ postgresUrl, name }: Place): Promise<string> {
  return createDatabase(postgresUrl, name);
}
