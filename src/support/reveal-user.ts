// Use case: a person's number, addresses and where their sessions began, in full; written down before anything is shown.
import type { Act } from '../kernel/audit.ts';
import type { SupportDeps } from './deps.ts';
import { type ShownUser, showUser } from './show-user.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'files' | 'audit' | 'clock'>;

export async function revealUser(deps: Deps, { who, by }: { who: string; by: Act }): Promise<ShownUser> {
  const shown = await showUser(deps, who);
  await deps.audit.record({
    kind: 'user.revealed',
    userId: shown.user.id,
    detail: { ...by },
    now: deps.clock.now(),
  });
  return shown;
}
