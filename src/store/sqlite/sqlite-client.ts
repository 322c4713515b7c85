// The client of the SQLite thread: sends calls in batches and settles each when its reply arrives.
import type { MessagePort, Worker } from 'node:worker_threads';
import { Failure } from '../../kernel/failure.ts';
import {
  type Calls,
  mostPerCommit,
  type Replies,
  type Reply,
  type Request,
  type ThreadError,
} from './sqlite-messages.ts';

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
  const outgoing: Request[] = [];
  let lastId = 0;
  let isUnderWay = false;
  let fault: Error | undefined;
  // One message at a time: the calls of several turns then share a message and a commit, which are what costs most.
  const flush = () => {
    isUnderWay = outgoing.length > 0;
    if (isUnderWay) port.postMessage(JSON.stringify(outgoing.splice(0, mostPerCommit)) satisfies Calls, []);
  };
  port.on('message', (replies: Replies) => {
    flush();
    for (const reply of readReplies(replies)) settle(waiting, reply, onTrouble);
  });
  return {
    send: (name, input) => {
      if (fault !== undefined) return Promise.reject(unavailable(fault));
      if (waiting.size >= mostWaiting)
        return Promise.reject(unavailable(new Error('too many calls are waiting for the database')));
      if (!isUnderWay) {
        isUnderWay = true;
        setImmediate(flush);
      }
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

function readReplies(replies: Replies): readonly Reply[] {
  return typeof replies === 'string' ? (JSON.parse(replies) as Reply[]) : replies;
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
