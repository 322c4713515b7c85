// Plays calls on an engine, cut into batches, and shows what can be compared: the answers and the rows that are left.

import { Failure } from '../../../src/kernel/failure.ts';
import type { Outcome } from '../../../src/store/batch.ts';
import type { TableName } from '../../../src/store/engine/schema.ts';
import type { OperationName } from '../../../src/store/operations/all.ts';
import type { AnyRow, Call, Engine } from './engines.ts';
import { failuresAt } from './inputs/sign-in-inputs.ts';
import { firstOwnId } from './pool.ts';
import type { Rows } from './tables.ts';

/** The place of each call in the list, batch by batch. */
export type Batches = readonly (readonly number[])[];

export type Played = {
  readonly answers: readonly string[];
  readonly rows: Readonly<Record<string, readonly string[]>>;
};

/** A busy machine may make a database refuse a call. Such a run proves nothing and is repeated. */
const mostTries = 5;

export async function play(engine: Engine, rows: Rows, calls: readonly Call[], batches: Batches): Promise<Played> {
  for (let tries = 1; ; tries++) {
    try {
      return await playOnce(engine, rows, calls, batches);
    } catch (error) {
      if (!(error instanceof Failure) || tries === mostTries) throw error;
    }
  }
}

async function playOnce(engine: Engine, rows: Rows, calls: readonly Call[], batches: Batches): Promise<Played> {
  if (calls.some(({ name }) => watched.has(name))) await forgetFailures(engine);
  await engine.fill(rows);
  const answers: string[] = new Array(calls.length).fill('');
  for (const batch of batches) {
    const outcomes = await engine.run(batch.flatMap((at) => calls[at] ?? []));
    batch.forEach((at, place) => {
      answers[at] = showAnswer(calls[at]?.name, outcomes[place]);
    });
  }
  const isSweep = calls.some(({ name }) => name === 'tables.sweep');
  return { answers, rows: showRows(await engine.read(), isSweep) };
}

/** The process writes at most sixty audit events of these operations a minute. A jump of the clock starts a new minute. */
const watched: ReadonlySet<OperationName> = new Set([
  ...([
    'signIns.signInWithPhone',
    'bindings.bindEmail',
    'sendRequests.request',
    'phones.changePhone',
    'proofs.prove',
  ] as const),
]);

async function forgetFailures(engine: Engine): Promise<void> {
  const { sends, signIn } = failuresAt(0);
  await engine.run([
    ...sends.map((input) => ({ name: 'sendRequests.request' as const, input })),
    { name: 'signIns.signInWithPhone', input: signIn },
  ]);
}

/** Which of several rows a sweep removes first is not defined, only how many. */
function showRows(found: Readonly<Record<TableName, readonly AnyRow[]>>, isSweep: boolean): Played['rows'] {
  return Object.fromEntries(
    Object.entries(found).flatMap(([table, list]) => {
      // PostgreSQL writes a receipt for every transaction.
      const kept = table === 'receipts' ? list.filter(({ id }) => id === 'old receipt') : list;
      if (kept.length === 0) return [];
      return [[table, isSweep ? [`${kept.length} rows`] : kept.map(showRow).sort()]];
    }),
  );
}

/** The numbers of events go on from run to run, and of operations that run at the same time they alternate. */
function showRow(row: AnyRow): string {
  return maskIds(JSON.stringify(row, (name, value) => (name === 'order_no' && value !== null ? 'a number' : value)));
}

/** Their answers contain lists without a defined order. */
const unordered: ReadonlySet<OperationName | undefined> = new Set([
  'users.deleteUser',
  'directory.actOn',
  'sessions.endedSince',
  'webhookLog.replay',
]);

function showAnswer(name: OperationName | undefined, outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'no answer';
  if ('error' in outcome) {
    if (outcome.error instanceof Failure) throw outcome.error;
    return 'an error';
  }
  const sort = (_: string, value: unknown) =>
    Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;
  return maskIds(JSON.stringify(outcome.value, unordered.has(name) ? sort : undefined) ?? 'nothing');
}

const ownId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Ids that the store makes itself differ in every run. */
function maskIds(text: string): string {
  return text.replaceAll(ownId, (id) => (id < firstOwnId ? 'an id' : id));
}
