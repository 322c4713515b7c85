// The store as the rest of the service sees it: named operations, whichever database runs them.
import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../../kernel/clock.ts';
import type { InputOf, OperationName, OutputOf } from '../operations/all.ts';
import type { StoreMeter } from './store-meter.ts';

/** `isUnknown`: another version, probably a newer one, has applied it. */
export type MigrationState = { readonly name: string; readonly isApplied: boolean; readonly isUnknown?: true };

export type MigrationWatch = {
  /** With it, a database that cannot be reached yet is waited for; told at each try. */
  readonly onWait?: (error: Error) => void;
  /** Told what is done next, in words for people: migration 0009-x. */
  readonly onStep?: (what: string) => void;
};

export type Store = {
  readonly kind: 'sqlite' | 'postgres';
  /** One time for all nodes that share the store. */
  readonly clock: Clock;
  /** Resolves when the result is durable; throws SERVICE_UNAVAILABLE when the database cannot be had. */
  call<N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>;
  /** What its batches take; told where this process runs them. */
  readonly meter?: StoreMeter;
  /** Connections in use and not, and calls that wait for one. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** How many connections the server allows this user, and how many are open to it. */
  capacity?(): Promise<{ readonly most: number; readonly open: number }>;
  /** Really asks the database. */
  ping(): Promise<void>;
  readonly migrations: {
    status(): Promise<MigrationState[]>;
    /** Applies what is missing. */
    up(watch?: MigrationWatch): Promise<string[]>;
  };
  /** A port on which another thread of this process can use the store; left out where it opens its own connections. */
  share?(): MessagePort;
  close(): Promise<void>;
};
