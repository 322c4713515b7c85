// The client of the SQLite thread: sends calls in batches and settles each when its reply arrives.
import type { MessagePort, Worker } from 'node:worker_threads';
import { Failure } from '../../kernel/failure.ts';
import type { Reply, Request, ThreadError } from './sqlite-server.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

export type SqliteClient = {
  send(name: Request['name'], input: unknown): Promise<unknown>;
  /** Rejects all waiting and all future calls. */
  fail(error: Error): void;
  /** The error of the first `fail`. */
  fault(): Error | undefined;
};

/** Refusing a call so that the client can retry is better than a queue that grows without limit. */
const mostWaiting = 20_000;

export function createSqliteClient(port: Worker | MessagePort, onTrouble: (error: Error) => void): SqliteClient {
  const waiting = new Map<number, Waiting>();
  let outgoing: Request[] = [];
  let lastId = 0;
  let fault: Error | undefined;
  port.on('message', (replies: Reply[]) => {
    for (const reply of replies) settle(waiting, reply, onTrouble);
  });
  const flush = () => {
    port.postMessage(outgoing, []);
    outgoing = [];
  };
  return {
    send: (name, input) => {
      if (fault !== undefined) return Promise.reject(unavailable(fault));
      if (waiting.size >= mostWaiting)
        return Promise.reject(unavailable(new Error('too many calls are waiting for the database')));
      // All calls in one turn of the event loop go out as one message and share one commit.
      if (outgoing.length === 0) setImmediate(flush);
      const id = ++lastId;
      outgoing.push({ id, name, input });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    fail: (error) => {
      fault ??= error;
      for (const { reject } of waiting.values()) reject(unavailable(fault));
      waiting.clear();
    },
    fault: () => fault,
  };
}

function settle(waiting: Map<number, Waiting>, { id, value, error }: Reply, onTrouble: (error: Error) => void): void {
  const waiter = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) waiter?.resolve(value);
  else waiter?.reject(toError(error, onTrouble));
}

/** A database error is reported and becomes SERVICE_UNAVAILABLE. Any other error is a bug and stays as it is. */
function toError({ message, isStore, stack }: ThreadError, onTrouble: (error: Error) => void): Error {
  const error = Object.assign(new Error(message), { stack });
  if (!isStore) return error;
  onTrouble(error);
  return unavailable(error);
}

function unavailable(cause: Error): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, cause);
}
