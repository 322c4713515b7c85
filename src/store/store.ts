// The interface of the store: named operations, independent of the database.
import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import type { StoreMeter } from './engine/store-meter.ts';
import type { InputOf, OperationName, OutputOf } from './operations/all.ts';
import type { Cluster } from './postgres/cluster.ts';

/** `isUnknown`: applied by another version, probably a newer one. */
export type MigrationState = { readonly name: string; readonly isApplied: boolean; readonly isUnknown?: true };

export type MigrationWatch = {
  /** If set, the migration waits for a database that cannot be reached, and calls this at each attempt. */
  readonly onWait?: (error: Error) => void;
  /** Called before each step with a readable text: migration 0009-x. */
  readonly onStep?: (what: string) => void;
};

export type Store = {
  readonly kind: 'sqlite' | 'postgres';
  /** The common time of all nodes that share the store. */
  readonly clock: Clock;
  /** Resolves when the result is durable. Throws SERVICE_UNAVAILABLE if the database is unavailable. */
  call<N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>;
  /** Measures the batches. Absent if this thread does not run them. */
  readonly meter?: StoreMeter;
  /** Connections in use, idle connections, and calls that wait for a connection. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** How many connections the server allows this user, and how many are open to it. */
  capacity?(): Promise<{ readonly most: number; readonly open: number }>;
  /** The servers of DATABASE_URL. Absent on SQLite. */
  readonly cluster?: Pick<Cluster, 'view' | 'adopt' | 'timeline' | 'prove'>;
  /** Sends a query to the database. Throws if it fails. */
  ping(): Promise<void>;
  readonly migrations: {
    status(): Promise<MigrationState[]>;
    /** Applies the missing migrations and returns their names. */
    up(watch?: MigrationWatch): Promise<string[]>;
  };
  /** A port for another thread of this process. Absent if other threads open their own connections. */
  share?(): MessagePort;
  close(): Promise<void>;
};
