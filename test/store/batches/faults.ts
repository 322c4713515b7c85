// Faults that make an operation treat the inputs of a batch wrongly, to show that the batch property finds them.

import type { Operation, Transaction } from '../../../src/store/engine/transaction.ts';
import { type OperationName, operations } from '../../../src/store/operations/all.ts';

type AnyOperation = Operation<unknown, unknown>;
type Fault = (real: AnyOperation) => AnyOperation['run'];

/** An input alone is always treated rightly: only a batch shows the fault. */
export const faults = {
  'an input that sees the rows before the batch': (real) => (transaction, inputs) => {
    const known = new Map<string, Promise<unknown[]>>();
    const stale: Transaction = {
      ...transaction,
      all: <Result>(...[statement, args]: Parameters<typeof transaction.all<Result>>) => {
        const { text } = statement.on(transaction.dialect);
        // Without times and counts: a second claim reads the same rows as the first.
        const key = `${text} ${JSON.stringify(args, (_, value) => (typeof value === 'number' ? 0 : value))}`;
        const found = known.get(key) ?? transaction.all(statement, args);
        if (text.startsWith('select')) known.set(key, found);
        return found as Promise<Result[]>;
      },
    };
    return oneByOne(real, inputs, () => stale);
  },
  'inputs in the wrong order': (real) => async (transaction, inputs) =>
    (await real.run(transaction, inputs.toReversed())).toReversed(),
  'an input that is answered but not saved': (real) => (transaction, inputs) => {
    const forgetful: Transaction = { ...transaction, run: async () => undefined };
    return oneByOne(real, inputs, (isLast) => (isLast ? transaction : forgetful));
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

async function oneByOne(
  real: AnyOperation,
  inputs: readonly unknown[],
  choose: (isLast: boolean) => Transaction,
): Promise<unknown[]> {
  const outputs: unknown[] = [];
  for (const [index, input] of inputs.entries())
    outputs.push(...(await real.run(choose(index === inputs.length - 1), [input])));
  return outputs;
}

/** The operation has the fault while the work is done. */
export async function withFault<T>(name: OperationName, fault: FaultName, work: () => Promise<T>): Promise<T> {
  const table = operations as unknown as Record<OperationName, AnyOperation>;
  const real = table[name];
  table[name] = { ...real, run: faults[fault](real) };
  try {
    return await work();
  } finally {
    table[name] = real;
  }
}
