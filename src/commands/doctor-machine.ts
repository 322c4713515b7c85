// What the doctor finds by trying: database, clock, storage, disk space and the age of the last backup.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chooseBlobs } from '../app/choose-blobs.ts';
import type { Config } from '../config/config.ts';
import { markName } from '../files/blob-store.ts';
import { judgeInstallation } from '../files/installation.ts';
import { gatherFacts } from '../files/settle-installation.ts';
import { newFileId } from '../files/stored-file.ts';
import { describeDatabaseTrouble } from '../kernel/database-trouble.ts';
import { formatBytes } from '../kernel/format-bytes.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { createPorts } from '../store/ports.ts';
import { claimFolder } from './claim-data-dir.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';
import { explainDiscord } from './write-mismatch.ts';

const hour = 3_600_000;

/** Really writes, where there are tables. */
export async function examineDatabase(store: OpenedStore, databaseUrl: string | undefined): Promise<Finding> {
  const kind = store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  let trouble: Error | undefined;
  store.watch((error) => {
    trouble = error;
  });
  try {
    const migrations = await store.migrations.status();
    if (migrations.every(({ isApplied }) => !isApplied))
      return good('database', `${kind} answers; the first start makes the tables`);
    if (migrations.some(({ isApplied }) => !isApplied))
      return doubtful(
        'database',
        `${kind} answers, but its tables are of an older version`,
        'start the service, or run gatehouse migrate up',
      );
    const begun = performance.now();
    await store.call('tryWriting', null);
    return good('database', `${kind} takes writes (${Math.ceil(performance.now() - begun)} ms)`);
  } catch (error) {
    return failedDatabase(databaseUrl, trouble ?? error);
  }
}

export function failedDatabase(databaseUrl: string | undefined, error: unknown): Finding {
  if (databaseUrl === undefined) {
    const cure = 'look whether DATA_DIR belongs to the user of the service, can be written, and has room';
    return bad('database', `cannot be used: ${wordsOf(error)}`, cure);
  }
  const { place, cause, cure } = describeDatabaseTrouble(databaseUrl, error);
  return bad('database', `cannot be used: PostgreSQL at ${place}: ${cause}`, cure);
}

/** All processes of this node against what the server allows; other nodes come on top. */
export function judgeConnections({ most, open }: Capacity, databasePool: number, workers: number): Finding {
  const wanted = databasePool * workers;
  const words = `this node opens up to ${wanted} (DATABASE_POOL ${databasePool} × WORKERS ${workers}), PostgreSQL allows ${most}, ${open} are open now`;
  const cure =
    'lower DATABASE_POOL, or raise max_connections of PostgreSQL; all nodes together must fit, with some left for commands';
  if (wanted >= most) return doubtful('pool', words, cure);
  return good('pool', words);
}

type Capacity = { readonly most: number; readonly open: number };

/** Between this machine and the database; with SQLite there is no second clock. */
export function judgeClock(kind: 'sqlite' | 'postgres', skewMilliseconds: number, now: number): Finding {
  const cure = 'run a time service (chrony, systemd-timesyncd) on both machines';
  if (now < Date.UTC(2026, 0)) return bad('clock', `it is ${new Date(now).toISOString()}, which cannot be`, cure);
  if (kind === 'sqlite') return good('clock', 'one machine, one clock');
  const seconds = Math.abs(skewMilliseconds) / 1000;
  const words = `this machine and the database are ${seconds.toFixed(1)} s apart`;
  if (seconds > 30) return bad('clock', `${words}: tokens of one are refused by the other`, cure);
  return seconds > 2 ? doubtful('clock', words, cure) : good('clock', words);
}

/** Stores some bytes, reads them again and deletes them. */
export async function examineStorage(config: Config): Promise<Finding> {
  const isDisk = config.storage === undefined;
  const name = isDisk ? 'the disk' : 'S3';
  const bytes = Buffer.from('Gatehouse looks whether this place keeps what it is given.\n');
  let step = 'written';
  try {
    claimFolder(config.dataDir);
    const blobs = await chooseBlobs(config);
    await blobs.ping();
    const id = newFileId();
    const spool = await blobs.spool();
    try {
      await spool.write(bytes);
      await blobs.keep(spool, id, hash('sha256', bytes));
    } finally {
      await spool.discard();
    }
    step = 'read';
    const stream = await blobs.read(id, { start: 0, end: bytes.length - 1 }, bytes.length);
    const found = Buffer.concat(await stream.toArray());
    step = 'deleted';
    await blobs.remove(id);
    if (!found.equals(bytes)) return bad('storage', `${name} gave other bytes back`, 'look for errors of the hardware');
    return good('storage', `${name} stores, gives back and deletes`);
  } catch (error) {
    const cure = isDisk
      ? 'look whether DATA_DIR belongs to the user of the service, can be written, and has room'
      : 'look at host, bucket, region and keys in STORAGE_URL; the key must be allowed to list, put, get and delete objects';
    return bad('storage', `${name}: nothing can be ${step}: ${wordsOf(error)}`, cure);
  }
}

/** Whether they carry the same id; joins nothing. */
export async function examineInstallation(config: Config, store: OpenedStore): Promise<Finding> {
  const { files, installations } = createPorts(store);
  try {
    const facts = await gatherFacts({ files, installations, blobs: await chooseBlobs(config), clock: store.clock });
    const verdict = judgeInstallation(facts);
    if (verdict === 'same') return good('identity', 'the database and the storage belong together');
    if (verdict === 'claim' || verdict === 'too early')
      return good('identity', 'the first start joins the database and the storage');
    return bad('identity', ...explainDiscord(verdict));
  } catch (error) {
    const cure = `see the storage; nothing is swept until ${markName} can be read there`;
    return doubtful('identity', `cannot be told: ${wordsOf(error)}`, cure);
  }
}

export async function examineDisk({ dataDir }: Config): Promise<Finding> {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, blocks, bsize } = await statfs(place);
  return judgeDisk(bavail * bsize, blocks * bsize);
}

export function judgeDisk(free: number, total: number): Finding {
  const words = `${formatBytes(free)} of ${formatBytes(total)} are free where DATA_DIR is`;
  const cure = 'make room or add some; uploads and writes are refused when it is full';
  if (free < 100 * 2 ** 20) return bad('disk', words, cure);
  return free < 2 ** 30 || free < total / 20 ? doubtful('disk', words, cure) : good('disk', words);
}

export function judgeBackup(mode: Config['mode'], madeAt: number | undefined, now: number): Finding {
  const cure = 'run gatehouse backup create --to FOLDER every day, and keep it on another machine';
  if (madeAt === undefined)
    return mode === 'local'
      ? good('backup', 'none yet; local mode can do without')
      : doubtful('backup', 'none was made', cure);
  const hours = Math.floor((now - madeAt) / hour);
  const words = hours < 48 ? `the last one is ${hours} h old` : `the last one is ${Math.floor(hours / 24)} days old`;
  return hours > 48 && mode === 'production' ? doubtful('backup', words, cure) : good('backup', words);
}

/** The cause, where a failure has one: it names no secret. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException;
  // Where a name has several addresses and none answers, there is a code and no message.
  return message === '' ? String(code) : message;
}
