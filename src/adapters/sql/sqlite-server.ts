// The thread that owns the SQLite file: takes every call that has waited, commits them together, then answers.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Outcome } from './batch.ts';
import type { OperationName } from './operations/all.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';

export type ControlName = '$ping' | '$status' | '$migrate' | '$close';

export type Request = { readonly id: number; readonly name: OperationName | ControlName; readonly input: unknown };

export type Reply = { readonly id: number; readonly value?: unknown; readonly error?: ThreadError };

/** An error as data. `isStore`: the database said no, as opposed to a fault of ours. */
export type ThreadError = { readonly message: string; readonly isStore: boolean; readonly stack: string | undefined };

/** Busy, locked, out of memory, read-only, input/output, corrupt, full, cannot open. */
const troubles = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** More than this in one commit would let the first wait too long. */
const mostPerCommit = 512;

export function serveDatabase(port: MessagePort, path: string): void {
  serve(port, openSqliteDatabase(path));
}

/** A message is a list of calls, or a further port on which another thread calls. */
type Message = Request[] | { readonly connect: MessagePort };

function serve(port: MessagePort, database: SqliteDatabase): void {
  port.on('message', async (first: Message) => {
    const requests: Request[] = [];
    const take = (message: Message) => {
      if ('connect' in message) serve(message.connect, database);
      else requests.push(...message);
    };
    take(first);
    while (requests.length < mostPerCommit) {
      const next = receiveMessageOnPort(port);
      if (next === undefined) break;
      take(next.message as Message);
    }
    if (requests.length > 0) port.postMessage(await answer(database, requests));
  });
}

async function answer(database: SqliteDatabase, requests: readonly Request[]): Promise<Reply[]> {
  const calls = requests.filter((request) => !request.name.startsWith('$'));
  const outcomes = calls.length === 0 ? [] : await database.run(calls as { name: OperationName; input: unknown }[]);
  const replies = calls.map(({ id }, index) => toReply(id, outcomes[index]));
  for (const request of requests.filter(({ name }) => name.startsWith('$'))) {
    replies.push(control(database, request));
  }
  return replies;
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
  const code = (error as { errcode?: number }).errcode;
  const isStore = code !== undefined && troubles.has(code & 0xff);
  return { id, error: { message: error.message, isStore, stack: error.stack } };
}
