// What a user allowed an app to see: adding to it, and the events of allowing and withdrawing.

import type { SessionEnd } from '../../auth/sessions/session.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { endedEvents } from '../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import type { Consent, NewConsent, Withdrawal } from '../app-store.ts';
import { type AppScope, appScopes, writeScopes } from '../clients/app.ts';

/** The scopes after the user allowed some more. */
export function addConsent(before: Pick<Consent, 'scopes'> | undefined, { scopes }: NewConsent): AppScope[] {
  return appScopes.filter((scope) => scopes.includes(scope) || before?.scopes.includes(scope));
}

export function consentedEvent({ userId, appId, scopes, now }: NewConsent): DatedEvent {
  return { kind: 'app.consented', userId, detail: { app: appId, scopes: writeScopes(scopes) }, now };
}

/** Why the sessions of an app end when the user withdraws what the app was allowed. */
export const withdrawnEnd: SessionEnd = 'revoked';

/** None if there was nothing to withdraw. Who follows the ends of sessions learns of these too. */
export function withdrawnEvents(
  { userId, appId, now }: Withdrawal,
  hadConsent: boolean,
  ended: readonly SessionId[],
): DatedEvent[] {
  if (!hadConsent && ended.length === 0) return [];
  const withdrawn: DatedEvent = { kind: 'app.withdrawn', userId, detail: { app: appId, sessions: ended.length }, now };
  return [withdrawn, ...endedEvents({ userId, reason: withdrawnEnd, now }, ended)];
}
