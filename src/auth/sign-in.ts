// Signing in: one commit checks a credential and creates a session.
import type { CodeAttempt, UnprovedAttempt } from './challenge.ts';
import type { SessionDraft } from './session.ts';

export type SignedIn = {
  readonly kind: 'signed in';
  readonly userId: string;
  readonly isNewUser: boolean;
  /** Ids of sessions that ended because the user has too many. */
  readonly evicted: readonly string[];
};

export type SignInOutcome =
  | SignedIn
  /** lost: another request consumed the credential first. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'blocked' };

export type PhoneSignIn = {
  readonly attempt: CodeAttempt;
  readonly phone: string;
  readonly country: string;
  readonly countsUse: boolean;
  readonly isSignupOpen: boolean;
  readonly newUserId: string;
  readonly session: SessionDraft;
};

/** closed: no user has the number, and sign-up is off. */
export type PhoneSignInOutcome = SignInOutcome | UnprovedAttempt | { readonly kind: 'closed' };

export type LinkSignIn = { readonly tokenHash: string; readonly session: SessionDraft };

export type LinkSignInOutcome = SignInOutcome | { readonly kind: 'expired' };

export type SignInStore = {
  /** Atomic: one of several racing calls with the same code signs in. Two first sign-ins of one phone create one user. */
  signInWithPhone(signIn: PhoneSignIn): Promise<PhoneSignInOutcome>;
  /** Atomic: one of several racing calls with the same link signs in. It also ends the user's other links. */
  signInWithLink(signIn: LinkSignIn): Promise<LinkSignInOutcome>;
};
