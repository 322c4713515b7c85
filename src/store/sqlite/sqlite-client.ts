// The client of the SQLite thread: sends calls in batches and settles each when its reply arrives.
import type { MessagePort, Worker } from 'node:worker_threads';
import {
  type CallOutcome,
  type CallQueue,
  createCallDesk,
  createCallQueue,
  unavailable,
} from '../engine/call-queue.ts';
import type { CallWaits } from '../engine/call-waits.ts';
import {
  type Calls,
  mostPerCommit,
  type Replies,
  type Reply,
  type Request,
  type ThreadError,
} from './sqlite-messages.ts';

type Input = Pick<Request, 'name' | 'input'>;

export type SqliteClient = {
  send(name: Request['name'], input: unknown): Promise<unknown>;
  /** Rejects all waiting and all future calls. */
  fail(error: Error): void;
  /** The error of the first `fail`. */
  fault(): Error | undefined;
};

/** They take as long as they take: a migration of a large database needs minutes. */
const unhurried: ReadonlySet<Request['name']> = new Set(['$status', '$migrate', '$close']);

export function createSqliteClient(
  port: Worker | MessagePort,
  onTrouble: (error: Error) => void,
  waits?: CallWaits,
): SqliteClient {
  let fault: Error | undefined;
  let settle: (replies: Replies) => void = () => undefined;
  // One message at a time: the calls of several turns then share a message and a commit, which are what costs most.
  const queue: CallQueue<Input> = createCallQueue(createCallDesk(onTrouble, waits), {
    batchesAtOnce: 1,
    perBatch: mostPerCommit,
    run: (inputs, _time, end) => {
      settle = (replies) => end(readReplies(replies).map((reply) => toOutcome(reply, onTrouble)));
      const requests = inputs.map(({ name, input }, id): Request => ({ id, name, input }));
      port.postMessage(JSON.stringify(requests) satisfies Calls, []);
    },
  });
  port.on('message', (replies: Replies) => settle(replies));
  return {
    send: (name, input) => (unhurried.has(name) ? queue.sendUnhurried({ name, input }) : queue.send({ name, input })),
    fail: (error) => {
      fault ??= error;
      queue.fail(fault);
    },
    fault: () => fault,
  };
}

/** In the order of the requests. */
function readReplies(replies: Replies): readonly Reply[] {
  return typeof replies === 'string' ? (JSON.parse(replies) as Reply[]) : replies;
}

function toOutcome({ value, error }: Reply, onTrouble: (error: Error) => void): CallOutcome {
  return error === undefined ? { value } : { error: toError(error, onTrouble) };
}

/** A database error is reported and becomes SERVICE_UNAVAILABLE. Any other error is a bug and stays as it is. */
function toError({ message, isStore, stack }: ThreadError, onTrouble: (error: Error) => void): Error {
  const error = Object.assign(new Error(message), { stack });
  if (!isStore) return error;
  onTrouble(error);
  return unavailable(message, error);
}
