// One side of the talk with the SQLite thread: sends calls together, and settles each when its reply comes.
import type { MessagePort, Worker } from 'node:worker_threads';
import { Failure } from '../../kernel/failure.ts';
import type { Reply, Request, ThreadError } from './sqlite-server.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

export type SqliteClient = {
  send(name: Request['name'], input: unknown): Promise<unknown>;
  /** Nothing will be answered any more. */
  fail(error: Error): void;
  /** Why, if it is so. */
  fault(): Error | undefined;
};

/** A refusal that lets a client come back is better than a queue without end. */
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
      if (waiting.size >= mostWaiting) return Promise.reject(unavailable(new Error('too many calls wait')));
      // All calls of one turn of the loop travel as one message and share one commit.
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

/** What the database refused is told as unavailable and logged; anything else is a fault of ours and stays one. */
function toError({ message, isStore, stack }: ThreadError, onTrouble: (error: Error) => void): Error {
  const error = Object.assign(new Error(message), { stack });
  if (!isStore) return error;
  onTrouble(error);
  return unavailable(error);
}

function unavailable(cause: Error): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, cause);
}
