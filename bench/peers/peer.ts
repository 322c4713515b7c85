// What every peer looks like from the bench: a process with an address and workloads that it can be driven with.
import type { Caller } from '../load/drive.ts';

export type Peer = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Each prepares what it needs and gives one caller a connection. */
  readonly workloads: Readonly<Record<string, (connections: number) => Promise<Caller[]>>>;
};

export type Store =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** One caller a connection, made from its number. */
export function forEachConnection(connections: number, create: (index: number) => Caller): Caller[] {
  return Array.from({ length: connections }, (_, index) => create(index));
}

/** Throws unless the answer has the status and a piece of the body that only a right one has. */
export function expectAnswer(status: number, body: Buffer, wantedStatus: number, piece: string): void {
  if (status === wantedStatus && body.includes(piece)) return;
  throw new Error(`wanted ${wantedStatus} with ${piece}, got ${status}: ${body.toString('latin1', 0, 400)}`);
}
