// What the use cases of apps need from the store: codes, sessions that start from codes, and consents.

import type { User } from '../auth/identity/user.ts';
import type { LastProof, SessionPolicy } from '../auth/sessions/session.ts';
import type { SessionId } from '../auth/sessions/session-id.ts';
import type { UserId } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/text/json-object.ts';
import type { AppScope } from './clients/app.ts';

/** Asks for a code, for the user of a session of this service (never of an app). */
export type Authorization = {
  readonly sessionId: SessionId;
  readonly codeHash: string;
  readonly appId: string;
  readonly redirectUri: string;
  readonly scopes: readonly AppScope[];
  readonly nonce: string | undefined;
  readonly challenge: string;
  /** The user must have been proved at or after this time. */
  readonly provedAfter: number | undefined;
  /** The user must have allowed these scopes to the app, at or after this time. Undefined if nobody asks. */
  readonly consentedAfter: number | undefined;
  /** The user must have done something for this request, proved or allowed, at or after this time. */
  readonly actedAfter: number | undefined;
  readonly expiresAt: number;
  /** A code extends the session that gives it. */
  readonly policy: SessionPolicy;
  readonly now: number;
};

/** signed out: the session has ended, or its user is blocked. */
export type AuthorizationOutcome = { readonly kind: 'issued' | 'signed out' | 'needs proof' | 'needs consent' };

/** Turns a code into a session of the app. */
export type CodeExchange = {
  readonly codeHash: string;
  readonly appId: string;
  readonly redirectUri: string;
  /** The challenge that belongs to the verifier of the app. */
  readonly challenge: string;
  /** The user must still allow the app what the code is for. A withdrawal may have missed a code that was being given. */
  readonly needsConsent: boolean;
  readonly session: AppSessionDraft;
};

type AppSessionDraft = {
  readonly id: SessionId;
  readonly seedHash: string;
  readonly userAgent: string | undefined;
  readonly ip: string;
  readonly policy: SessionPolicy;
  readonly now: number;
};

export type StartedAppSession = LastProof & {
  readonly user: User;
  readonly kind: 'started';
  readonly claims: JsonObject;
  readonly scopes: readonly AppScope[];
  readonly nonce: string | undefined;
  /** The session that gave the code. It is the “sid” of the id token. */
  readonly parentId: SessionId;
  readonly endsAt: number;
  /** Ids of sessions of this app that ended because the user has too many of them. */
  readonly evicted: readonly SessionId[];
};

/** refused: any other case. A code that was used before ends the session that it gave: `ended`. */
export type ExchangeOutcome = StartedAppSession | { readonly kind: 'refused'; readonly ended: readonly SessionId[] };

export type Consent = { readonly appId: string; readonly scopes: readonly AppScope[]; readonly createdAt: number };

export type NewConsent = Omit<Consent, 'createdAt'> & { readonly userId: UserId; readonly now: number };

export type Withdrawal = { readonly userId: UserId; readonly appId: string; readonly now: number };

/** By a refresh token, whose seed must be that of the session, or by an access token, which has no seed. */
export type AppEnding = {
  readonly sessionId: SessionId;
  readonly appId: string;
  readonly seedHash: string | undefined;
  readonly now: number;
};

export type AppStore = {
  /** Atomic: looks at the session, its user and the consent, and stores the code. */
  authorize(authorization: Authorization): Promise<AuthorizationOutcome>;
  /** Atomic: one of several racing calls with the same code gets a session. A wrong app, address or verifier uses the code up. */
  exchangeCode(exchange: CodeExchange): Promise<ExchangeOutcome>;
  /** Ends a session of the app, for the app. Returns its id if it was active. */
  endSession(ending: AppEnding): Promise<SessionId[]>;
  /** Adds to what the user allowed before. */
  saveConsent(consent: NewConsent): Promise<void>;
  listConsents(userId: UserId): Promise<Consent[]>;
  /** Removes the consent and ends all sessions of the app. Returns the ids of those that were active. */
  withdrawConsent(withdrawal: Withdrawal): Promise<SessionId[]>;
};
