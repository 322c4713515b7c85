// Starts each peer and runs each of its workloads for two seconds: checks that all work, not how fast they are.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../../test/helpers/databases/postgres-server.ts';
import { drive } from '../load/drive.ts';
import { startBetterAuth } from './better-auth.ts';
import { installPeers } from './install.ts';
import { commitRate, startHello, startNginx, startSigner } from './limits.ts';
import { startOidcProvider } from './oidc-provider.ts';
import type { Peer, Store } from './peer.ts';
import { startPocketBase } from './pocketbase.ts';
import { startTus } from './tus.ts';

const connections = 8;
const seconds = 2;

installPeers();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-peers-'));
const postgres = await startPostgresServer();
const inSqlite = (name: string) => ({ kind: 'sqlite', file: join(folder, name) }) as const;
const inPostgres = { kind: 'postgres', url: postgres.url } as const;
try {
  await run(() => startHello());
  await run(() => startSigner());
  await run(() => startNginx(subfolder('nginx')));
  await run(() => startOidcProvider({ kind: 'memory' }));
  await run(() => startOidcProvider(inSqlite('oidc-provider.db')));
  await run(() => startBetterAuth(inSqlite('better-auth.db')));
  await run(() => startBetterAuth(inPostgres));
  await run(() => startPocketBase(subfolder('pocketbase')));
  await run(() => startTus(subfolder('tus')));
  for (const store of [inSqlite('commits.db'), inPostgres] satisfies Store[]) {
    console.log(`${store.kind}: ${Math.round(await commitRate(store))} commits/s`);
  }
} finally {
  await postgres.end();
  rmSync(folder, { recursive: true, force: true });
}

function subfolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function run(start: () => Promise<Peer | undefined>): Promise<void> {
  const peer = await start();
  if (peer === undefined) return;
  const { hostname: host, port } = new URL(peer.url);
  try {
    for (const [workload, prepare] of Object.entries(peer.workloads)) {
      const callers = await prepare(connections);
      const { perSecond, requests, p99 } = await drive({ host, port: Number(port), callers, seconds });
      console.log(
        `${peer.name}, ${workload}: ${perSecond.toFixed(1)} req/s (${requests} answers, p99 ${p99.toFixed(1)} ms)`,
      );
    }
  } finally {
    await peer.stop();
  }
}
