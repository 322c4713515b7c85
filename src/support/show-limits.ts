// Use case: show the limits of a recipient or a caller, and how long each blocks.
import type { LimitStore } from '../abuse/limit-store.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  type CounterReading,
  countersOf,
  type LimitKind,
  type LimitPolicies,
  type LimitSubject,
} from './recipient-limits.ts';

type Deps = LimitPolicies & { readonly limits: LimitStore; readonly clock: Clock };

export type ShownLimit = CounterReading & { readonly kind: LimitKind; readonly name: string; readonly subject: string };

export async function showLimits(deps: Deps, subject: LimitSubject): Promise<ShownLimit[]> {
  const now = deps.clock.now();
  return Promise.all(
    countersOf(subject, deps).map(async ({ kind, name, subject: limited, id, read }) => ({
      kind,
      name,
      subject: limited,
      ...read(await deps.limits.read(id), now),
    })),
  );
}
