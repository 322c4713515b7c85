// The checks of the doctor that try things: database, clock, storage, disk space and the age of the last backup.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { markName } from '../../files/storage/blob-store.ts';
import { judgeInstallation } from '../../files/storage/installation.ts';
import { readInstallationState } from '../../files/storage/settle-installation.ts';
import { newFileId } from '../../files/stored-file.ts';
import { describeDatabaseProblem, noTables } from '../../kernel/net/database-problem.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { chooseBlobs, nameStorage } from '../../service/choose-blobs.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import { createPorts } from '../../store/ports.ts';
import { claimFolder } from '../claim-data-dir.ts';
import { explainMismatch } from '../write-mismatch.ts';
import { messageOf } from './attempt.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

const hour = 3_600_000;

/** Writes to the database if it has tables. */
export async function examineDatabase(store: OpenedStore, databaseUrl: string | undefined): Promise<Finding> {
  const kind = store.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  let trouble: Error | undefined;
  store.watch((error) => {
    trouble = error;
  });
  try {
    const migrations = await store.migrations.status();
    if (migrations.every(({ isApplied }) => !isApplied))
      return doubtful('database', `${kind} answers, but ${noTables[0]}`, noTables[1]);
    if (migrations.some(({ isApplied }) => !isApplied))
      return doubtful(
        'database',
        `${kind} answers, but its tables are from an older version`,
        'start the service, or run gatehouse migrate up',
      );
    const begun = performance.now();
    await store.call('journal.tryWriting', null);
    return good('database', `${kind} takes writes (${Math.ceil(performance.now() - begun)} ms)`);
  } catch (error) {
    return failedDatabase(databaseUrl, trouble ?? error);
  }
}

/** To find out more, the doctor would have to create a database, perhaps in a place that the service does not use. */
export function missingDatabase({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  return doubtful('database', `there is none in ${dataDir}: the first start creates it`, otherSettings);
}

const otherSettings =
  'if the service has been started before, it has other settings: name their file with --env-file FILE';

export function failedDatabase(databaseUrl: string | undefined, error: unknown): Finding {
  if (databaseUrl === undefined) {
    const cure = 'check that DATA_DIR belongs to the user of the service, is writable and has free space';
    return bad('database', `cannot be used: ${messageOf(error)}`, cure);
  }
  const { place, cause, cure } = describeDatabaseProblem(databaseUrl, error);
  return bad('database', `cannot be used: PostgreSQL at ${place}: ${cause}`, cure);
}

/** Compares the connections of all processes of this node with what the server allows. Other nodes come on top. */
export function judgeConnections({ most, open }: Capacity, databasePool: number, workers: number): Finding {
  const wanted = databasePool * workers;
  const detail = `this node opens up to ${wanted} (DATABASE_POOL ${databasePool} × WORKERS ${workers}), PostgreSQL allows ${most}, ${open} are open now`;
  const cure =
    'lower DATABASE_POOL, or raise max_connections of PostgreSQL; it must suffice for all nodes together and for commands';
  if (wanted >= most) return doubtful('pool', detail, cure);
  return good('pool', detail);
}

type Capacity = { readonly most: number; readonly open: number };

/** Compares the clocks of this machine and the database. With SQLite there is no second clock. */
export function judgeClock(kind: 'sqlite' | 'postgres', skewMilliseconds: number, now: number): Finding {
  const cure = 'run a time service (chrony, systemd-timesyncd) on both machines';
  if (now < Date.UTC(2026, 0)) return bad('clock', `it is ${new Date(now).toISOString()}, which cannot be right`, cure);
  if (kind === 'sqlite') return good('clock', 'one machine, one clock');
  const seconds = Math.abs(skewMilliseconds) / 1000;
  const detail = `this machine and the database are ${seconds.toFixed(1)} s apart`;
  if (seconds > 30) return bad('clock', `${detail}: each refuses tokens of the other`, cure);
  return seconds > 2 ? doubtful('clock', detail, cure) : good('clock', detail);
}

/** Stores some bytes, reads them back and deletes them. A folder that does not exist is not created. */
export async function examineStorage(config: Config): Promise<Finding> {
  const { title: name, cure } = nameStorage(config);
  const bytes = Buffer.from('Gatehouse checks that this storage works.\n');
  let step = 'written';
  try {
    if (existsSync(config.dataDir)) claimFolder(config.dataDir);
    const folder = config.storage === undefined ? join(config.dataDir, 'files') : config.dataDir;
    if (!existsSync(folder))
      return doubtful('storage', `nothing was tried: the first start creates ${folder}`, otherSettings);
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
    if (!found.equals(bytes))
      return bad('storage', `${name} returned different bytes`, 'check the hardware for errors');
    return good('storage', `${name} stores, returns and deletes files`);
  } catch (error) {
    return bad('storage', `${name}: nothing can be ${step}: ${messageOf(error)}`, cure);
  }
}

/** Checks that database and storage have the same installation id. Changes nothing. */
export async function examineInstallation(config: Config, store: OpenedStore): Promise<Finding> {
  const { files, installations } = createPorts(store);
  try {
    const facts = await readInstallationState({
      files,
      installations,
      blobs: await chooseBlobs(config),
      clock: store.clock,
    });
    const verdict = judgeInstallation(facts);
    if (verdict === 'same') return good('identity', 'the database and the storage belong together');
    if (verdict === 'claim' || verdict === 'too early')
      return good('identity', 'the first start links the database and the storage');
    return bad('identity', ...explainMismatch(verdict));
  } catch (error) {
    const cure = `see the storage check; the service removes no blobs until ${markName} can be read there`;
    return doubtful('identity', `cannot be checked: ${messageOf(error)}`, cure);
  }
}

export async function examineDisk({ dataDir }: Config): Promise<Finding> {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, blocks, bsize } = await statfs(place);
  return judgeDisk(bavail * bsize, blocks * bsize);
}

export function judgeDisk(free: number, total: number): Finding {
  const detail = `${formatBytes(free)} of ${formatBytes(total)} are free in DATA_DIR`;
  const cure = 'free or add disk space; uploads and writes are refused when the disk is full';
  if (free < 100 * 2 ** 20) return bad('disk', detail, cure);
  return free < 2 ** 30 || free < total / 20 ? doubtful('disk', detail, cure) : good('disk', detail);
}

type BackupSettings = Pick<Config, 'mode' | 'backupKey'>;

export function judgeBackup({ mode, backupKey }: BackupSettings, madeAt: number | undefined, now: number): Finding {
  const cure = 'run gatehouse backup create --to FOLDER every day, and keep it on another machine';
  if (madeAt === undefined)
    return mode === 'local'
      ? good('backup', 'none yet; local mode does not need one')
      : doubtful('backup', 'there is none', cure);
  const hours = Math.floor((now - madeAt) / hour);
  const age = hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  const proof = backupKey === undefined ? 'without BACKUP_KEY, backups have no MAC' : 'backups have a MAC';
  const detail = `the last one is ${age} old; ${proof}`;
  return hours > 48 && mode === 'production' ? doubtful('backup', detail, cure) : good('backup', detail);
}
