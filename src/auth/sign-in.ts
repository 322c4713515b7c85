// Signing in: what a proved credential turns into, in one commit.
import type { ProvedAttempt } from './challenge.ts';
import type { SessionDraft } from './session.ts';

export type SignInOutcome =
  | {
      readonly kind: 'signed in';
      readonly userId: string;
      readonly isNewUser: boolean;
      /** Sessions that had to go because the user has too many. */
      readonly evicted: readonly string[];
    }
  /** lost: another request consumed the credential first. */
  | { readonly kind: 'lost' | 'blocked' | 'closed' };

export type PhoneSignIn = {
  readonly proof: ProvedAttempt;
  readonly phone: string;
  readonly country: string;
  readonly countsUse: boolean;
  readonly isSignupOpen: boolean;
  readonly newUserId: string;
  readonly session: SessionDraft;
};

export type LinkSignIn = { readonly tokenHash: string; readonly session: SessionDraft };

export type LinkSignInOutcome = SignInOutcome | { readonly kind: 'expired' };

export type SignInStore = {
  /** Of any number of racing calls with one code exactly one signs in; two first sign-ins of one phone make one user. */
  signInWithPhone(signIn: PhoneSignIn): Promise<SignInOutcome>;
  /** Of any number of racing calls with one link exactly one signs in; the user's other links end with it. */
  signInWithLink(signIn: LinkSignIn): Promise<LinkSignInOutcome>;
};
