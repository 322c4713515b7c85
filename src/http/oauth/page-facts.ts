// What the pages of a sign-in for an app get from the service.
// These are the sign-in page at /oauth/authorize, the page that asks before a sign-out, and the page about an error of an app.
import type { AppScope } from '../../apps/clients/app.ts';

export type AppFacts = {
  readonly id: string;
  readonly name: string;
  /** A picture as a data: URI. */
  readonly logo: string | null;
  readonly isFirstParty: boolean;
};

/** The fact `authorization` of the sign-in page. */
export type AuthorizationFacts = {
  /** Carries the request of the app. The page goes on by navigating to `continueUrl`. */
  readonly ticket: string;
  /** sign-in: nobody is signed in. proof: the app asks for a fresh proof of the user. consent: the user must allow the scopes. */
  readonly need: 'sign-in' | 'proof' | 'consent';
  readonly app: AppFacts;
  readonly scopes: readonly AppScope[];
  /** A phone number or an e-mail address to begin with, as the app sent it: any text. */
  readonly loginHint: string | null;
  /** /oauth/authorize?ticket=…: the service judges again. */
  readonly continueUrl: string;
  /** Leads back to the app with the answer that the user declined. */
  readonly cancelUrl: string;
};

/** The fact `appSignOut` of the page app-sign-out. */
export type AppSignOutFacts = {
  /** Null if the request names no app. */
  readonly app: AppFacts | null;
  /** False: the page asks first, calls POST /api/auth/logout, and then goes on. True: it says that the user is signed out. */
  readonly isSignedOut: boolean;
  /** Where to go after the sign-out: a registered address of the app. Null: nowhere, the page says that the user is signed out. */
  readonly continueUrl: string | null;
};

/** Why the page app-error is shown. expired: the ticket is too old, or not ours. later: this service cannot answer now. */
export type AppErrorReason = 'unknown-app' | 'redirect-uri' | 'logout-uri' | 'request' | 'expired' | 'later';

/** The fact `appError` of the page app-error. */
export type AppErrorFacts = {
  readonly reason: AppErrorReason;
  /** Null if the app is not known. */
  readonly appName: string | null;
  /** For developers, in English. With the reason “later” it is for the user, in the language of the page. */
  readonly description: string;
};
