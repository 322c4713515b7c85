// The embedded store: SQLite in a thread of its own, so that no disk sync ever stalls a request of another kind.
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { ControlName, Reply, Request, ThreadError } from './sqlite-thread.ts';
import type { Store } from './store.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** A refusal that lets a client come back is better than a queue without end. */
const mostWaiting = 20_000;

export async function openSqliteStore(path: string, onTrouble: (error: Error) => void): Promise<Store> {
  const thread = startThread(path, onTrouble);
  const send = thread.send as (name: Request['name'], input: unknown) => Promise<never>;
  const control = (name: ControlName) => send(name, null);
  await control('$status').catch((error: Error) => {
    throw thread.fault() ?? error;
  });
  return {
    kind: 'sqlite',
    clock: systemClock,
    call: (name, input) => send(name, input),
    ping: async () => void (await control('$ping')),
    migrations: { status: () => control('$status'), up: () => control('$migrate') },
    close: async () => {
      await control('$close').catch(() => undefined);
      await thread.stop();
    },
  };
}

function startThread(path: string, onTrouble: (error: Error) => void) {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: { path } });
  const waiting = new Map<number, Waiting>();
  let outgoing: Request[] = [];
  let lastId = 0;
  let fault: Error | undefined;

  worker.on('message', (replies: Reply[]) => {
    for (const reply of replies) settle(waiting, reply, onTrouble);
  });
  const fail = (error: Error) => {
    fault ??= error;
    for (const { reject } of waiting.values()) reject(unavailable());
    waiting.clear();
  };
  worker.on('error', (error: Error) => {
    onTrouble(error);
    fail(error);
  });
  worker.on('exit', () => fail(new Error('the store is closed')));

  const flush = () => {
    worker.postMessage(outgoing);
    outgoing = [];
  };
  return {
    send: (name: Request['name'], input: unknown): Promise<unknown> => {
      if (fault !== undefined || waiting.size >= mostWaiting) return Promise.reject(unavailable());
      // All calls of one turn of the loop travel as one message and share one commit.
      if (outgoing.length === 0) setImmediate(flush);
      const id = ++lastId;
      outgoing.push({ id, name, input });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    /** Why the thread ended, if it did. */
    fault: () => fault,
    stop: () => worker.terminate(),
  };
}

function settle(waiting: Map<number, Waiting>, { id, value, error }: Reply, onTrouble: (error: Error) => void): void {
  const waiter = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) waiter?.resolve(value);
  else waiter?.reject(toError(error, onTrouble));
}

/** What the database refused is told as unavailable and logged; anything else is a fault of ours and stays one. */
function toError({ message, isStore, stack }: ThreadError, onTrouble: (error: Error) => void): Error {
  const error = Object.assign(new Error(message), { stack });
  if (!isStore) return error;
  onTrouble(error);
  return unavailable();
}

function unavailable(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}
