// Runs waiting calls as a batch in one transaction. If the batch fails, runs its inputs one by one.

import { runOperation } from './engine/run-operation.ts';
import type { Operation, Transaction } from './engine/transaction.ts';
import { type OperationName, operations } from './operations/all.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Store.call checks the types of input and output. Between threads they are plain data. */
export function operationNamed(name: OperationName): Operation<unknown, unknown> {
  return operations[name] as unknown as Operation<unknown, unknown>;
}

/** `attempt` runs the work in its own transaction or savepoint and rolls back if the work throws. */
export async function runTogether(
  name: OperationName,
  inputs: readonly unknown[],
  attempt: (work: (transaction: Transaction) => Promise<unknown[]>) => Promise<unknown[]>,
  isHopeless: (error: unknown) => boolean,
): Promise<Outcome[]> {
  const operation = operationNamed(name);
  try {
    const values = await attempt((transaction) => runOperation(name, operation, transaction, inputs));
    return inputs.map((_, index) => ({ value: values[index] }));
  } catch (error) {
    if (inputs.length === 1 || isHopeless(error)) return inputs.map(() => ({ error }));
  }
  const outcomes: Outcome[] = [];
  for (const input of inputs) outcomes.push(...(await runTogether(name, [input], attempt, isHopeless)));
  return outcomes;
}
