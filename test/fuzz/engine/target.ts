// What can be fuzzed: a function that takes any bytes, says what became of them, and fails if a promise is broken.
import type { LengthKind } from './lengths.ts';

/** accepted: parsed or proved. refused: by one of the errors that callers expect. */
export type Verdict = 'accepted' | 'refused';

export type FuzzTarget = {
  readonly name: string;
  /** The promise, in one sentence. */
  readonly promise: string;
  /** Throws if the promise is broken. Keeps nothing between two inputs. */
  run(input: Buffer): Verdict | Promise<Verdict>;
  /** Valid inputs to start from. */
  seeds(): Buffer[] | Promise<Buffer[]>;
  /** Words of the format, besides those in the sources. */
  readonly words?: readonly string[];
  readonly lengthKinds?: readonly LengthKind[];
  /** Makes checksums and offsets right again after a change, so that the change is seen by what comes after their check. */
  repair?(input: Buffer): Buffer;
  readonly longest: number;
  /** Loop rounds and calls that an input of this size may cause. */
  mostWork(size: number): number;
};
