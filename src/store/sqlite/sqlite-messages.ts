// What the SQLite thread and its callers say to each other.
import type { OperationName } from '../operations/all.ts';

export type ControlName = '$ping' | '$status' | '$migrate' | '$close';

export type Request = { readonly id: number; readonly name: OperationName | ControlName; readonly input: unknown };

export type Reply = { readonly id: number; readonly value?: unknown; readonly error?: ThreadError };

/** An error as data. `isStore`: an error of the database, as opposed to a bug. */
export type ThreadError = { readonly message: string; readonly isStore: boolean; readonly stack: string | undefined };

/** A list of requests as JSON: writing and reading it costs half as much as a copy of its objects. */
export type Calls = string;

/** A list of replies: as JSON if that changes none of them, otherwise copied. */
export type Replies = string | readonly Reply[];

/** The most frequent operations, whose answers JSON does not change: they hold nothing that is undefined. */
export const jsonAnswers: ReadonlySet<Request['name']> = new Set<OperationName>([
  'sendRequests.request',
  'outbox.finishSent',
  'signIns.signInWithPhone',
  'sessions.rotate',
]);

/** Operations that no person waits for. They wait a moment for a call whose commit they can share: a commit costs more than its rows. */
export const patientCalls: ReadonlySet<Request['name']> = new Set<OperationName>(['outbox.begin', 'outbox.finishSent']);

export const patienceMilliseconds = 5;

/** With more calls in one commit, the first call would wait too long. */
export const mostPerCommit = 512;
