// The sweeper goes around all tables until each is done: a slow, endless or failing one keeps no other from its turn.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Turn } from '../../src/kernel/work/pace.ts';
import { type SweepTarget, sweepTargets } from '../../src/store/engine/sweep-targets.ts';
import type { Sweep, SweptBatch } from '../../src/store/operations/sweep.ts';
import type { Store } from '../../src/store/store.ts';
import { sweepOnce, sweepPaces } from '../../src/store/sweeper.ts';

type Backlog = Partial<Record<SweepTarget, number>>;

/** A store with so many old rows in each table, which removes so many in a millisecond of a clock of its own. */
function scene(backlog: Backlog, rowsPerMillisecond: Partial<Record<SweepTarget, number>> = {}, failing?: SweepTarget) {
  const left = new Map(Object.entries(backlog) as [SweepTarget, number][]);
  const calls: { readonly target: SweepTarget; readonly most: number; readonly at: number }[] = [];
  const failures: SweepTarget[] = [];
  let [now, worked, isAway] = [0, 0, false];
  const stopping = new AbortController();
  const sweepTable = async ({ target, most }: Sweep): Promise<SweptBatch> => {
    calls.push({ target, most, at: now });
    const removed = Math.min(most, left.get(target) ?? 0);
    const took = target === failing ? 2500 : Math.max(1, removed / (rowsPerMillisecond[target] ?? 100));
    now += took;
    worked += took;
    if (target === failing) throw new Error('canceling statement due to statement timeout');
    left.set(target, (left.get(target) ?? 0) - removed);
    return { removed, next: removed === most ? 1 : undefined };
  };
  const store = {
    kind: 'postgres',
    clock: { now: () => 0 },
    call: (_: string, input: Sweep) => sweepTable(input),
    ping: async () => {
      if (isAway) throw new Error('the database is away');
    },
  } as unknown as Pick<Store, 'kind' | 'call' | 'clock' | 'ping'>;
  const turn: Turn = {
    stop: stopping.signal,
    time: () => now,
    rest: async (milliseconds) => {
      now += milliseconds;
    },
  };
  const run = () =>
    sweepOnce(store, { accessTokenLifeSeconds: 900 }, turn, {
      onSwept: () => undefined,
      onFailure: (target) => void failures.push(target),
    });
  const lastOf = (target: SweepTarget) => calls.findLast((call) => call.target === target);
  return {
    run,
    calls,
    failures,
    left,
    lastOf,
    share: () => worked / now,
    now: () => now,
    loseDatabase: () => {
      isAway = true;
    },
    stop: () => stopping.abort(),
  };
}

describe('a round of the sweeper', () => {
  it('removes all that is over, with no ceiling', async () => {
    const { run, left } = scene({ limits: 50_000, auditEvents: 3_000_000 });
    await run();
    assert.deepEqual(
      [...left.values()].filter((count) => count > 0),
      [],
    );
  });

  it('keeps up with 20,000 rows a second where a batch removes 100 in a millisecond', async () => {
    const { run, now } = scene({ auditEvents: 20_000 * 60 });
    await run();
    assert.ok(now() < 60_000, `${now()} ms for a minute of rows`);
  });

  it('uses its share of the time', async () => {
    const { run, share } = scene({ auditEvents: 1_000_000, oldSessions: 10_000 }, { oldSessions: 1 });
    await run();
    assert.ok(Math.abs(share() - sweepPaces.postgres.share) < 0.02, String(share()));
  });

  it('a slow table with millions of rows keeps no other from its turn', async () => {
    const { run, lastOf, now } = scene({ oldSessions: 60_000, auditEvents: 10_000 }, { oldSessions: 0.5 });
    await run();
    const done = lastOf('auditEvents')?.at ?? 0;
    assert.ok(done < now() / 10, `audit events are done after ${done} of ${now()} ms`);
    assert.equal(lastOf('oldSessions')?.most, sweepPaces.postgres.least);
  });

  it('a table that fails is named, is left out until the next round, and keeps no other from its turn', async () => {
    const { run, failures, calls, left } = scene({ auditEvents: 5000, orphans: 5000 }, {}, 'oldSessions');
    await run();
    assert.deepEqual(failures, ['oldSessions']);
    assert.equal(calls.filter(({ target }) => target === 'oldSessions').length, 1);
    assert.deepEqual([left.get('auditEvents'), left.get('orphans')], [0, 0]);
    assert.deepEqual(new Set(calls.map(({ target }) => target)), new Set(sweepTargets));
  });

  it('ends when the database is unavailable, because every table would fail', async () => {
    const { run, calls, loseDatabase } = scene({}, {}, 'challenges');
    loseDatabase();
    await assert.rejects(run(), /the database is away/);
    assert.equal(calls.length, 1);
  });

  it('does not begin a batch once it is stopped', async () => {
    const { run, calls, stop } = scene({ limits: 1_000_000 });
    stop();
    await run();
    assert.equal(calls.length, 0);
  });
});
