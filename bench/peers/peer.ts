// The interface of every peer: a process with a host and port, and its workloads.
import type { Caller } from '../load/drive.ts';

export type Peer = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Its other processes that are not descendants of the first. */
  readonly otherPids?: readonly number[];
  /** The folder in which its threads have left what they are. */
  readonly threadNames?: string;
  stop(): Promise<void>;
  /** Each prepares its data, enough for that many seconds, and returns one caller per connection. */
  readonly workloads: Readonly<Record<string, (connections: number, seconds?: number) => Promise<Caller[]>>>;
};

export type Store =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** One caller per connection, created from its number. */
export function forEachConnection(connections: number, create: (index: number) => Caller): Caller[] {
  return Array.from({ length: connections }, (_, index) => create(index));
}

/** Throws unless the answer has the status and a text that only a correct body has. */
export function expectAnswer(status: number, body: Buffer, wantedStatus: number, piece: string): void {
  if (status === wantedStatus && body.includes(piece)) return;
  throw new Error(`wanted ${wantedStatus} with ${piece}, got ${status}: ${body.toString('latin1', 0, 400)}`);
}
