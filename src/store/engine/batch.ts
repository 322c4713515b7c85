// Runs what waited together: one transaction for many inputs, and one by one when somebody among them fails.
import { type OperationName, operations } from '../operations/all.ts';
import type { Operation, Transaction } from './transaction.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Types of input and output are kept by Store.call; between threads they are just data. */
export function operationNamed(name: OperationName): Operation<unknown, unknown> {
  return operations[name] as unknown as Operation<unknown, unknown>;
}

/** `attempt` runs its work in a transaction or savepoint of its own and undoes it when it throws. */
export async function runTogether(
  name: OperationName,
  inputs: readonly unknown[],
  attempt: (work: (transaction: Transaction) => Promise<unknown[]>) => Promise<unknown[]>,
  isHopeless: (error: unknown) => boolean,
): Promise<Outcome[]> {
  const { run } = operationNamed(name);
  try {
    const values = await attempt((transaction) => run(transaction, inputs));
    return inputs.map((_, index) => ({ value: values[index] }));
  } catch (error) {
    if (inputs.length === 1 || isHopeless(error)) return inputs.map(() => ({ error }));
  }
  const outcomes: Outcome[] = [];
  for (const input of inputs) outcomes.push(...(await runTogether(name, [input], attempt, isHopeless)));
  return outcomes;
}
