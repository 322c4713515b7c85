// Signing in: a credential is judged and turns into a session in one commit.
import type { CodeAttempt, UnprovedAttempt } from './challenge.ts';
import type { SessionDraft } from './session.ts';

export type SignedIn = {
  readonly kind: 'signed in';
  readonly userId: string;
  readonly isNewUser: boolean;
  /** Sessions that had to go because the user has too many. */
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

/** closed: nobody has the number, and nobody new may sign up. */
export type PhoneSignInOutcome = SignInOutcome | UnprovedAttempt | { readonly kind: 'closed' };

export type LinkSignIn = { readonly tokenHash: string; readonly session: SessionDraft };

export type LinkSignInOutcome = SignInOutcome | { readonly kind: 'expired' };

export type SignInStore = {
  /** Of any number of racing calls with one code exactly one signs in; two first sign-ins of one phone make one user. */
  signInWithPhone(signIn: PhoneSignIn): Promise<PhoneSignInOutcome>;
  /** Of any number of racing calls with one link exactly one signs in; the user's other links end with it. */
  signInWithLink(signIn: LinkSignIn): Promise<LinkSignInOutcome>;
};
