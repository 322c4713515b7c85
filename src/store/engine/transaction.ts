// What an operation may do inside its transaction, and what an operation is.
import type { Args, Dialect } from './sql.ts';
import type { Statement } from './statement.ts';

export type Transaction = {
  readonly dialect: Dialect;
  /** True where the operation promised to write nothing. */
  readonly reads: boolean;
  /** The webhook endpoints that are told what happens; empty where there are none. */
  readonly endpoints: readonly string[];
  all<Result>(statement: Statement<Result>, args: Args): Promise<Result[]>;
  /** For a statement that gives no rows: may be sent without waiting for its end; a later step or the commit reports its failure. */
  run(statement: Statement<never>, args: Args): Promise<void>;
};

/**
 * One atomic unit of the store. It is handed all inputs that waited, loads what they touch, lets each see what those before it
 * did, saves, and gives one output an input, in order. All inputs of a call share one commit; when one of them throws, they are
 * run again one by one, so that only the culprit fails.
 */
export type Operation<Input, Output> = {
  /** True where nothing is written: no commit is waited for. */
  readonly reads?: true;
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
