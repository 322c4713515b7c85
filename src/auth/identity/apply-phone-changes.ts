// Use case of the service itself: the scheduled changes of phone numbers that are due take effect.
import type { AuthDeps } from '../deps.ts';
import { preparePhoneNotices } from './phone-change.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'scheduledPhones' | 'revocations' | 'phoneRecoveryWaitSeconds' | 'wakeDelivery'
>;

const mostAtOnce = 20;

/** Every node does it. What one node holds, the others skip. */
export async function applyPhoneChanges(deps: Deps): Promise<void> {
  const { clock, secrets, scheduledPhones, revocations, phoneRecoveryWaitSeconds: waitSeconds } = deps;
  let count = mostAtOnce;
  while (count === mostAtOnce) {
    const now = clock.now();
    const due = await scheduledPhones.countDuePhoneChanges({ now, most: mostAtOnce });
    if (due === 0) return;
    // The store sets topic and language, which depend on what it finds.
    const notices = Array.from({ length: due }, () =>
      preparePhoneNotices(secrets, 'phone-changed', { language: 'en', now }),
    );
    const outcomes = await scheduledPhones.applyPhoneChanges({ notices, waitSeconds, now });
    revocations.add(outcomes.flatMap((outcome) => (outcome.kind === 'applied' ? outcome.sessionIds : [])));
    if (outcomes.length > 0) deps.wakeDelivery();
    count = outcomes.length;
  }
}
