// The server on the SQLite thread: takes all waiting calls, commits them together, then replies.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Outcome } from '../batch.ts';
import { meterBatch, type StoreMeter } from '../engine/store-meter.ts';
import type { OperationName } from '../operations/all.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';
import { isTrouble } from './sqlite-errors.ts';
import {
  type Calls,
  jsonAnswers,
  mostPerCommit,
  patienceMilliseconds,
  patientCalls,
  type Replies,
  type Reply,
  type Request,
} from './sqlite-messages.ts';

/** A message holds calls, or a port for the calls of another thread. */
type Message = Calls | { readonly connect: MessagePort };

type Waiting = { readonly from: MessagePort; readonly request: Request };

export function serveDatabase(
  first: MessagePort,
  path: string,
  endpoints: readonly string[],
  meter: StoreMeter,
  checksLocks = false,
  mapsFile = true,
): void {
  const database = openSqliteDatabase(path, endpoints, checksLocks, mapsFile);
  const ports = new Set<MessagePort>();
  let waiting: Waiting[] = [];
  let isWorking = false;
  let isPatient = false;
  // One batch at a time: a second batch would share the transaction of the first. Calls that arrive during a batch share the next.
  const drain = async () => {
    if (isWorking) return;
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await work(database, batch, meter);
    }
    isWorking = false;
  };
  const drainSoon = () => {
    if (!waiting.every(({ request }) => patientCalls.has(request.name))) return void drain();
    if (isPatient) return;
    isPatient = true;
    setTimeout(() => {
      isPatient = false;
      void drain();
    }, patienceMilliseconds);
  };
  const connect = (port: MessagePort) => {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    port.on('message', (message: Message) => {
      const take = (from: MessagePort, taken: Message) => {
        if (typeof taken === 'object') connect(taken.connect);
        else for (const request of JSON.parse(taken) as Request[]) waiting.push({ from, request });
      };
      take(port, message);
      // All other calls that have arrived by now, from any thread, share the commit.
      for (const from of ports) takeAll(from, waiting, take);
      drainSoon();
    });
  };
  connect(first);
}

function takeAll(
  from: MessagePort,
  waiting: readonly Waiting[],
  take: (from: MessagePort, message: Message) => void,
): void {
  while (waiting.length < mostPerCommit) {
    const next = receiveMessageOnPort(from);
    if (next === undefined) return;
    take(from, next.message as Message);
  }
}

async function work(database: SqliteDatabase, waiting: readonly Waiting[], meter: StoreMeter): Promise<void> {
  const startedAt = performance.now();
  const replies = await answer(
    database,
    waiting.map(({ request }) => request),
  );
  meterBatch(meter, (performance.now() - startedAt) / 1000, waiting.length);
  const isJson = waiting.every(({ request }) => jsonAnswers.has(request.name));
  const byPort = Map.groupBy(replies, (_, index) => waiting[index]?.from);
  for (const [port, list] of byPort) port?.postMessage((isJson ? JSON.stringify(list) : list) satisfies Replies);
}

/** Replies in the order of the requests. */
async function answer(database: SqliteDatabase, requests: readonly Request[]): Promise<Reply[]> {
  const calls = requests.filter((request) => !isControl(request));
  const outcomes = calls.length === 0 ? [] : await database.run(calls as { name: OperationName; input: unknown }[]);
  let next = 0;
  return requests.map((request) =>
    isControl(request) ? control(database, request) : toReply(request.id, outcomes[next++]),
  );
}

function isControl({ name }: Request): boolean {
  return name.startsWith('$');
}

function control(database: SqliteDatabase, { id, name }: Request): Reply {
  try {
    if (name === '$ping') database.ping();
    if (name === '$status') return { id, value: database.migrationStatus() };
    if (name === '$migrate') return { id, value: database.migrate() };
    if (name === '$close') database.close();
    return { id };
  } catch (error) {
    return toReply(id, { error });
  }
}

function toReply(id: number, outcome: Outcome | undefined): Reply {
  if (outcome !== undefined && 'value' in outcome) return { id, value: outcome.value };
  const error = outcome?.error instanceof Error ? outcome.error : new Error('the store gave no answer');
  return { id, error: { message: error.message, isStore: isTrouble(error), stack: error.stack } };
}
