// Use case: show a user's phone number, e-mail address and IP addresses unmasked. The audit event is written first.
import type { Act } from '../../kernel/audit.ts';
import type { SupportDeps } from '../deps.ts';
import { type ShownUser, showUser } from './show-user.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'scheduledPhones' | 'files' | 'trash' | 'audit' | 'clock'>;

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
