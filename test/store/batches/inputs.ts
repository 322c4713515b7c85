// How the inputs of an operation are generated: choices from the pool, and an input made of them and its place in the list.
import fc from 'fast-check';
import type { InputOf, OperationName } from '../../../src/store/operations/all.ts';
import type { Rows } from './tables.ts';

type Inputs<N extends OperationName> = {
  /** The rows before the first input. */
  readonly rows: fc.Arbitrary<Rows>;
  /** The input for each place in a list. New ids contain the place, so that no two inputs have the same. */
  readonly input: fc.Arbitrary<(index: number) => InputOf<N>>;
};

export type AllInputs = { readonly [N in OperationName]: Inputs<N> };

export function inputsOf<N extends OperationName, Choice>(
  rows: fc.Arbitrary<Rows>,
  choice: fc.Arbitrary<Choice>,
  make: (choice: Choice, index: number) => InputOf<N>,
): Inputs<N> {
  return { rows, input: choice.map((chosen) => (index: number) => make(chosen, index)) };
}

/** For an operation whose input is always null. */
export function noInput<N extends OperationName>(rows: fc.Arbitrary<Rows>): Inputs<N> {
  return { rows, input: fc.constant(() => null as InputOf<N>) };
}
