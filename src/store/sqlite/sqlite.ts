// The embedded store: SQLite on its own thread, so that a disk sync never blocks requests. Rows are looked up on the caller's thread.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../../kernel/clock.ts';
import { threadUrl } from '../../kernel/process/program-files.ts';
import { startThread } from '../../kernel/process/start-thread.ts';
import { operationNamed } from '../batch.ts';
import type { CallWaits } from '../engine/call-waits.ts';
import { createStoreMeter } from '../engine/store-meter.ts';
import type { OperationName } from '../operations/all.ts';
import type { MigrationState, MigrationWatch, Store } from '../store.ts';
import { createSqliteClient, type SqliteClient } from './sqlite-client.ts';
import { createLookups } from './sqlite-lookups.ts';
import type { ControlName, Request } from './sqlite-messages.ts';

/** Of a command. It imports as fast as with five times that. */
const leanYoungMebibytes = 3;

export async function openSqliteStore(
  path: string,
  onTrouble: (error: Error) => void,
  endpoints: readonly string[] = [],
  checksLocks = false,
  mapsFile = true,
  waits?: CallWaits,
): Promise<Store> {
  const meter = createStoreMeter();
  const worker = startThread(threadUrl('sqlite-thread'), {
    workerData: { path, endpoints, meter, checksLocks, mapsFile },
    youngMebibytes: mapsFile ? undefined : leanYoungMebibytes,
  });
  const client = createSqliteClient(worker, onTrouble, waits);
  worker.on('error', (error: Error) => {
    onTrouble(error);
    client.fail(error);
  });
  worker.on('exit', () => client.fail(new Error('the store is closed')));
  const store = storeOver(client);
  const lookups = createLookups({ path, checksLocks, mapsFile, askStore: client.send });
  const call = (name: OperationName, input: unknown): Promise<unknown> =>
    operationNamed(name).isLookup === true && client.fault() === undefined
      ? lookups.find(name, input)
      : client.send(name, input);
  await store.migrations.status().catch((error: Error) => {
    throw client.fault() ?? error;
  });
  return {
    ...store,
    call: call as Store['call'],
    meter,
    share: () => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ connect: port2 }, [port2]);
      return port1;
    },
    close: async () => {
      // First: the last connection to close puts the log into the file.
      lookups.close();
      await client.send('$close', null).catch(() => undefined);
      await worker.terminate();
    },
  };
}

/** Connects to the same store from another thread, over a port of Store.share(). */
export function connectSqliteStore(port: MessagePort, onTrouble: (error: Error) => void): Store {
  const store = storeOver(createSqliteClient(port, onTrouble));
  return { ...store, close: async () => port.close() };
}

function storeOver(client: SqliteClient): Omit<Store, 'close'> {
  const send = client.send as (name: Request['name'], input: unknown) => Promise<never>;
  const control = (name: ControlName) => send(name, null);
  return {
    kind: 'sqlite',
    clock: systemClock,
    call: (name, input) => send(name, input),
    ping: async () => void (await control('$ping')),
    migrations: { status: () => control('$status'), up: (watch) => migrate(control, watch) },
  };
}

/** A migrating process blocks all other writers. They wait for it. */
async function migrate(
  control: (name: ControlName) => Promise<unknown>,
  { onWait, onStep }: MigrationWatch = {},
): Promise<string[]> {
  const status = (await control('$status')) as MigrationState[];
  const missing = status.filter(({ isApplied }) => !isApplied);
  for (;;) {
    if (missing.length > 0) onStep?.(`migration ${missing.map(({ name }) => name).join(', ')}`);
    const applied = (await control('$migrate')) as string[] | undefined;
    if (applied !== undefined) return applied;
    onWait?.(new Error('another process is writing to the database'));
  }
}
