// Signing in: one commit checks a credential and creates a session.

import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import type { CodeAttempt, UnprovedAttempt } from '../codes/challenge.ts';
import type { LinkTarget } from '../links/login-link.ts';
import type { Notice, NoticeDraft } from '../notices/notice.ts';
import type { SessionDraft } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import type { ProofTicket } from './proof-ticket.ts';

export type SignedIn = {
  readonly kind: 'signed in';
  readonly userId: UserId;
  /** The number of the user, for the device token. */
  readonly phone: PhoneNumber | undefined;
  /** What the app puts into the access token. */
  readonly claims: JsonObject;
  readonly isNewUser: boolean;
  /** The sign-in is reported to the user. */
  readonly hasNotice: boolean;
  /** Ids of sessions that ended because the user has too many. */
  readonly evicted: readonly SessionId[];
  /** The sign-in cancelled a scheduled change of the number. */
  readonly hasCancelled?: true;
};

type SignInOutcome =
  | SignedIn
  /** lost: another request consumed the credential first. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'blocked' };

/** The device that signs in: the user who is known on it, and what the notices of the sign-in are written from. If absent, it is unknown. */
export type SigningDevice = {
  readonly knownUserId: UserId | undefined;
  /** The user gets a notice of a sign-in on a new device. False if notices are off. */
  readonly isReported: boolean;
  readonly notice: NoticeDraft;
};

export type PhoneSignIn = {
  readonly attempt: CodeAttempt;
  readonly phone: PhoneNumber;
  readonly country: string;
  readonly countsUse: boolean;
  readonly isSignupOpen: boolean;
  /** After this time without use, the number alone does not open an account that has an e-mail address. */
  readonly recycledSeconds: number;
  readonly newUserId: UserId;
  readonly session: SessionDraft;
  readonly device?: SigningDevice;
};

/** closed: no user has the number, and sign-up is off. needs proof: the account was unused for so long that the number is not enough. */
export type PhoneSignInOutcome =
  | SignInOutcome
  | UnprovedAttempt
  | { readonly kind: 'closed' }
  | { readonly kind: 'needs proof'; readonly userId: UserId; readonly lastUse: number };

export type LinkSignIn = {
  readonly tokenHash: string;
  readonly session: SessionDraft;
  readonly device?: SigningDevice;
};

export type LinkSignInOutcome =
  | (SignedIn & LinkTarget)
  | Exclude<SignInOutcome, SignedIn>
  | { readonly kind: 'expired' };

export type PhoneClaim = {
  readonly ticket: ProofTicket;
  readonly isSignupOpen: boolean;
  readonly newUserId: UserId;
  readonly session: SessionDraft;
  readonly device?: SigningDevice;
  /** To the address of the account that loses the number. The store fills in the recipient. */
  readonly notice: Notice<'notice'>;
};

/** lost: the ticket was used, or the account was used, changed or deleted since. */
export type PhoneClaimOutcome = SignedIn | { readonly kind: 'lost' | 'blocked' | 'closed' };

export type SignInStore = {
  /** Atomic: one of several racing calls with the same code signs in. Two first sign-ins of one phone create one user. Whoever signs in with
   * the number still has it, so a scheduled change of it is cancelled. */
  signInWithPhone(signIn: PhoneSignIn): Promise<PhoneSignInOutcome>;
  /** Atomic: one of several racing calls with the same link signs in. It also ends the user's other links. */
  signInWithLink(signIn: LinkSignIn): Promise<LinkSignInOutcome>;
  /** Atomic: one of several racing calls with the same ticket takes the number, if the account was not used since. */
  claimPhone(claim: PhoneClaim): Promise<PhoneClaimOutcome>;
};
