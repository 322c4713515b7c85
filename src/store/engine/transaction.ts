// The types of an operation and of the transaction that it runs in.
import type { Args, Dialect } from './sql.ts';
import type { Statement } from './statement.ts';

export type Transaction = {
  readonly dialect: Dialect;
  /** True if the operation only reads. */
  readonly reads: boolean;
  /** True if every statement has ended when its call returns. */
  readonly isImmediate?: true;
  /** The ids of the webhook endpoints that receive events. May be empty. */
  readonly endpoints: readonly string[];
  all<Result>(statement: Statement<Result>, args: Args): Promise<Result[]>;
  /** For a statement that returns no rows. It may resolve before the statement ends; a later statement or the commit then fails. */
  run(statement: Statement<never>, args: Args): Promise<void>;
};

/**
 * One atomic unit of the store. It gets all waiting inputs, loads the rows that they need, processes them in order so that each
 * sees the changes of the ones before it, saves, and returns one output per input, in order. All inputs share one commit. If one
 * throws, all run again one by one, so that only the failing input gets the error.
 */
export type Operation<Input, Output> = {
  /** True if the operation writes nothing: it then needs no commit. */
  readonly reads?: true;
  /** SQLite runs it on the thread of the caller. */
  readonly isLookup?: true;
  run(transaction: Transaction, inputs: readonly Input[]): Promise<Output[]>;
};

export function operation<Input, Output>(
  run: (transaction: Transaction, inputs: readonly Input[]) => Promise<Output[]>,
): Operation<Input, Output> {
  return { run };
}

export function reading<Input, Output>(
  run: (transaction: Transaction, inputs: readonly Input[]) => Promise<Output[]>,
): Operation<Input, Output> {
  return { reads: true, run };
}

/** Asks one question by a key for each input, and gets at most a handful of rows. A list or a search is no lookup. */
export function lookup<Input, Output>(
  run: (transaction: Transaction, inputs: readonly Input[]) => Promise<Output[]>,
): Operation<Input, Output> & { readonly isLookup: true } {
  return { reads: true, isLookup: true, run };
}
