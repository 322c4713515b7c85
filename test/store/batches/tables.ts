// Generated tables: rows by key, and several tables as one set of rows.
import fc from 'fast-check';
import type { Row, TableName } from '../../../src/store/engine/schema.ts';
import { maybe } from './pool.ts';

export type Rows = { readonly [T in TableName]?: readonly Row<T>[] };

/** One row or none for each of the keys. */
export function rowsFor<T extends TableName, Choice>(
  keys: readonly string[],
  choice: fc.Arbitrary<Choice>,
  make: (key: string, choice: Choice, at: number) => Row<T>,
): fc.Arbitrary<readonly Row<T>[]> {
  return fc
    .tuple(...keys.map(() => maybe(choice)))
    .map((all) => all.flatMap((chosen, at) => (chosen === undefined ? [] : [make(keys[at] ?? '', chosen, at)])));
}

export function joined(...parts: readonly fc.Arbitrary<Rows>[]): fc.Arbitrary<Rows> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Rows);
}
