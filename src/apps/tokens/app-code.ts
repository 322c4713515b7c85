// The code of an app: who gets one, what it is worth, and what happens when it is used a second time. Pure rules.

import type { LastProof } from '../../auth/sessions/session.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { isAlive, type SessionTimes } from '../../auth/sessions/session-rules.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Authorization, AuthorizationOutcome, CodeExchange, Consent } from '../app-store.ts';
import type { AppScope } from '../clients/app.ts';

export const codeLifeSeconds = 60;

/** A used code is kept for so long, to notice its second use. */
const keptSeconds = 3600;

export function codeKeptUntil(expiresAt: number): number {
  return expiresAt + keptSeconds * 1000;
}

/** The session of this service that an app wants a code from. */
export type AuthorizingSession = LastProof &
  Pick<SessionTimes, 'expiresAt'> & {
    readonly hasEnded: boolean;
    readonly isOfApp: boolean;
    /** False if the user is blocked or gone. */
    readonly isUserFree: boolean;
  };

export function judgeAuthorization(
  session: AuthorizingSession | undefined,
  consent: Consent | undefined,
  { provedAfter, consentedAfter, actedAfter, scopes, now }: Authorization,
): AuthorizationOutcome['kind'] {
  const isSignedIn =
    session !== undefined &&
    !session.hasEnded &&
    !session.isOfApp &&
    session.isUserFree &&
    isAlive({ expiresAt: session.expiresAt }, now);
  if (!isSignedIn) return 'signed out';
  if (provedAfter !== undefined && session.provedAt < provedAfter) return 'needs proof';
  const lastAct = Math.max(session.provedAt, consent?.createdAt ?? 0);
  if (actedAfter !== undefined && lastAct < actedAfter) return 'needs consent';
  if (consentedAfter === undefined) return 'issued';
  const isAllowed = consent !== undefined && consent.createdAt >= consentedAfter && covers(consent, scopes);
  return isAllowed ? 'issued' : 'needs consent';
}

/** Whether the user allowed all of the scopes. */
export function covers(consent: Pick<Consent, 'scopes'> | undefined, scopes: readonly AppScope[]): boolean {
  return consent !== undefined && scopes.every((scope) => consent.scopes.includes(scope));
}

export type StoredCode = {
  readonly appId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly sessionId: SessionId | null;
};

/** `isParentAlive`: the session that gave the code has not ended, and its user exists, is not blocked and still allows the app. */
export type ExchangeVerdict =
  | { readonly kind: 'start' }
  /** `usesUp`: the code is worth nothing from now on. */
  | { readonly kind: 'refused'; readonly usesUp: boolean }
  /** The session that the code gave must end. */
  | { readonly kind: 'reused'; readonly sessionId: SessionId };

export function judgeExchange(
  code: StoredCode | undefined,
  isParentAlive: boolean,
  { appId, redirectUri, challenge, session: { now } }: CodeExchange,
): ExchangeVerdict {
  if (code === undefined) return { kind: 'refused', usesUp: false };
  if (code.usedAt !== null) {
    if (code.sessionId === null) return { kind: 'refused', usesUp: false };
    return { kind: 'reused', sessionId: code.sessionId };
  }
  const isTheirs = code.appId === appId && code.redirectUri === redirectUri && code.challenge === challenge;
  const isGood = isTheirs && now < code.expiresAt && isParentAlive;
  return isGood ? { kind: 'start' } : { kind: 'refused', usesUp: true };
}

export function appSignedInEvent(userId: UserId, { appId, session }: CodeExchange): DatedEvent {
  const { id, ip, now } = session;
  return { kind: 'app.signed-in', userId, detail: { session: id, app: appId, ip }, now };
}

export function codeReusedEvent(userId: UserId, sessionId: SessionId, { appId, session }: CodeExchange): DatedEvent {
  const { ip, now } = session;
  return { kind: 'app.code-reused', userId, detail: { session: sessionId, app: appId, ip }, now };
}
