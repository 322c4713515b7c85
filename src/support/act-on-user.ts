// Use case: block a person, let them in again, or sign them out everywhere. Every node learns of ended sessions from the store.
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import type { PersonAct, PersonStore } from './user-directory.ts';

type Deps = { readonly persons: PersonStore; readonly clock: Clock };

export async function actOnPerson(
  { persons, clock }: Deps,
  input: { userId: string; act: PersonAct['act']; by: Act },
): Promise<{ endedSessions: number }> {
  const ended = await persons.actOn({ ...input, now: clock.now() });
  if (ended === undefined) throw new Failure('NOT_FOUND');
  return { endedSessions: ended.length };
}
