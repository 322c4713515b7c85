// The batch property: however inputs are cut into batches, they answer like the same inputs one by one, and leave the same rows.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { InputOf, OperationName } from '../../../src/store/operations/all.ts';
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import type { Call, Engine } from './engines.ts';
import { allUserRows } from './file-rows.ts';
import { allInputs } from './inputs/all-inputs.ts';
import { type Batches, type Played, play } from './play.ts';
import type { Rows } from './tables.ts';

export type Case = {
  readonly rows: Rows;
  readonly calls: readonly Call[];
  /** After which calls a batch ends, in the run with several batches. */
  readonly cuts: readonly boolean[];
};

const mostInputs = 6;
const cuts = fc.array(fc.boolean(), { minLength: mostInputs, maxLength: mostInputs });

export function casesOf(name: OperationName): fc.Arbitrary<Case> {
  return fc.record({ rows: allInputs[name].rows, calls: callsOf([name]), cuts });
}

/** Several operations at once, on the rows of the same users. */
export function mixedCases(names: readonly OperationName[]): fc.Arbitrary<Case> {
  return fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 3 })
    .chain((some) => fc.record({ rows: allUserRows, calls: callsOf(some), cuts }));
}

function callsOf(names: readonly OperationName[]): fc.Arbitrary<Call[]> {
  const one = fc.oneof(
    ...names.map((name) =>
      (allInputs[name].input as fc.Arbitrary<(index: number) => InputOf<OperationName>>).map((make) => ({
        name,
        make,
      })),
    ),
  );
  return fc
    .array(one, { minLength: 2, maxLength: mostInputs, size: 'max' })
    .map((list) => list.map(({ name, make }, index) => ({ name, input: make(index) }) as Call));
}

/** They read with a statement for each input. */
const readOneByOne: ReadonlySet<OperationName> = new Set([
  'files.listFiles',
  'trash.listTrash',
  'resumables.listOpen',
  'backendUsers.list',
]);

/** The calls of one batch that see the same rows have the same text. */
function sightOf(kind: StoreKind, { name, input }: Call, at: number): string {
  if (kind === 'sqlite') return name;
  if (readOneByOne.has(name)) return `${name} ${at}`;
  // A statement for each kind of key.
  return name === 'backendUsers.find' ? `${name} ${input.by}` : name;
}

/**
 * The order that is promised. The inputs of one operation that wait together take effect in the order in which they were given,
 * each after the one before it. Operations that wait together run one after the other on SQLite, in the order of their first
 * inputs, and at the same time on PostgreSQL, where any order of the operations is right. A batch takes effect before the next one.
 * There, others may commit between two statements of a batch that reads its inputs with several, one after the other.
 */
function* ordersOf(kind: StoreKind, calls: readonly Call[], batches: Batches): Generator<number[]> {
  const [first = [], ...rest] = batches;
  if (batches.length === 0) return yield [];
  const groups = [...Map.groupBy(first, (at) => calls[at] && sightOf(kind, calls[at], at)).values()];
  for (const order of kind === 'sqlite' ? [groups] : permutations(groups)) {
    if (!areStatementsInOrder(order, calls)) continue;
    for (const after of ordersOf(kind, calls, rest)) yield [...order.flat(), ...after];
  }
}

/** Of one operation. */
function areStatementsInOrder(order: readonly (readonly number[])[], calls: readonly Call[]): boolean {
  const last = new Map<OperationName | undefined, number>();
  return order.every(([at = 0]) => {
    const name = calls[at]?.name;
    const isLater = at > (last.get(name) ?? -1);
    last.set(name, at);
    return isLater;
  });
}

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [at, one] of list.entries()) {
    for (const rest of permutations(list.toSpliced(at, 1))) yield [one, ...rest];
  }
}

/** Throws unless the calls in one batch, and in several, give the answers and rows of a promised order. */
export async function checkCase(engine: Engine, { rows, calls, cuts: ends }: Case): Promise<void> {
  const places = calls.map((_, at) => at);
  const known = new Map<string, Played>();
  const playAlone = async (order: readonly number[]): Promise<Played> => {
    const alone = known.get(order.join()) ?? (await play(engine, rows, calls, order.map(alonePlace)));
    known.set(order.join(), alone);
    return alone;
  };
  for (const batches of [[places], cutAfter(places, ends)]) {
    const together = await play(engine, rows, calls, batches);
    const expected: Played[] = [];
    let isFound = false;
    for (const order of ordersOf(engine.kind, calls, batches)) {
      const alone = await playAlone(order);
      isFound = isDeepStrictEqual(alone, together);
      if (isFound) break;
      expected.push(alone);
    }
    if (!isFound) assert.deepEqual(together, expected[0]);
  }
}

function alonePlace(at: number): number[] {
  return [at];
}

function cutAfter(places: readonly number[], ends: readonly boolean[]): number[][] {
  const batches: number[][] = [[]];
  for (const at of places) {
    batches.at(-1)?.push(at);
    if (ends[at] === true && at < places.length - 1) batches.push([]);
  }
  return batches;
}
