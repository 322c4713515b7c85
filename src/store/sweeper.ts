// Sweeps all tables in turn, batch by batch, until nothing is left: one that fails or is slow keeps no other from its turn.
import { createPacer, nextSize, type Pace, type Turn } from '../kernel/work/pace.ts';
import { type SweepTarget, sweepTargets } from './engine/sweep-targets.ts';
import type { SweepPlace } from './operations/sweep.ts';
import type { Store } from './store.ts';

type SweepPolicy = { readonly accessTokenLifeSeconds: number };

/**
 * A quarter of the time of one connection, or of the only writer of SQLite, for each process. On SQLite a request waits for the batch
 * that it meets. On PostgreSQL nobody waits, and the way to the database and the commit cost as much for few rows as for many.
 */
export const sweepPaces: Readonly<Record<Store['kind'], Pace>> = {
  sqlite: { share: 0.25, pieceMilliseconds: 20, least: 500, most: 20_000 },
  postgres: { share: 0.25, pieceMilliseconds: 250, least: 1000, most: 20_000 },
};

/** Sessions and their users come to the process, which serves requests as well. */
const mostSessions = 1000;

type SweepWatch = {
  onSwept(target: SweepTarget, count: number): void;
  /** The target has its next turn in the next round. */
  onFailure(target: SweepTarget, error: unknown): void;
};

type Progress = { readonly target: SweepTarget; readonly after: SweepPlace | undefined; readonly size: number };

/**
 * One round over all tables. Several nodes share the work: each skips the rows that another one removes at the moment. Throws if the
 * database is unavailable, because then every target would fail.
 */
export async function sweepOnce(
  store: Pick<Store, 'kind' | 'call' | 'clock' | 'ping'>,
  policy: SweepPolicy,
  turn: Turn,
  watch: SweepWatch,
): Promise<void> {
  const pace = sweepPaces[store.kind];
  const paced = createPacer(pace, turn);
  const sweepBatch = async ({ target, after, size }: Progress): Promise<Progress[]> => {
    const input = { target, after, most: size, now: store.clock.now(), ...policy };
    const { value, milliseconds } = await paced(() => store.call('tables.sweep', input));
    if (value.removed > 0) watch.onSwept(target, value.removed);
    if (value.next === undefined) return [];
    const most = target === 'endedSessions' || target === 'oldSessions' ? mostSessions : pace.most;
    return [{ target, after: value.next, size: nextSize(size, milliseconds, { ...pace, most }) }];
  };
  let left: readonly Progress[] = sweepTargets.map((target) => ({ target, after: undefined, size: pace.least }));
  while (left.length > 0) {
    const next: Progress[] = [];
    for (const progress of left) {
      if (turn.stop.aborted) return;
      try {
        next.push(...(await sweepBatch(progress)));
      } catch (error) {
        watch.onFailure(progress.target, error);
        await store.ping();
      }
    }
    left = next;
  }
}
