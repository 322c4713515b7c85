// Use case: a person's number, addresses and where their sessions began, in full; written down before anything is shown.
import type { Act } from '../kernel/audit.ts';
import type { SupportDeps } from './deps.ts';
import { type ShownPerson, showPerson } from './show-user.ts';

type Deps = Pick<SupportDeps, 'persons' | 'sessions' | 'files' | 'audit' | 'clock'>;

export async function revealPerson(deps: Deps, { who, by }: { who: string; by: Act }): Promise<ShownPerson> {
  const shown = await showPerson(deps, who);
  await deps.audit.record({
    kind: 'user.revealed',
    userId: shown.person.id,
    detail: { ...by },
    now: deps.clock.now(),
  });
  return shown;
}
