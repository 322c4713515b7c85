// Use case: what holds a recipient or a caller back, and for how long.
import type { LimitStore } from '../guard/limit-store.ts';
import type { Clock } from '../kernel/clock.ts';
import { countersOf, type LimitKind, type LimitPolicies, type LimitSubject } from './recipient-limits.ts';

type Deps = LimitPolicies & { readonly limits: LimitStore; readonly clock: Clock };

export type ShownLimit = {
  readonly kind: LimitKind;
  readonly name: string;
  readonly hits: number;
  readonly lastAt: number | undefined;
  readonly blockedSeconds: number;
};

export async function showLimits(deps: Deps, subject: LimitSubject): Promise<ShownLimit[]> {
  const now = deps.clock.now();
  return Promise.all(
    countersOf(subject, deps).map(async ({ kind, name, id, blockedSeconds }) => {
      const hits = await deps.limits.read(id);
      return { kind, name, hits: hits.length, lastAt: hits.at(-1), blockedSeconds: blockedSeconds(hits, now) };
    }),
  );
}
