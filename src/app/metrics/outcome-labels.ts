// Maps outcomes of the domain to metric labels. An outcome without a label does not compile.
import type { RotationOutcome, SessionEnd } from '../../auth/session.ts';
import type { LinkSignInOutcome, PhoneSignInOutcome } from '../../auth/sign-in.ts';

/** A wrong code is not counted here: it counts as a failure of its request. */
export type CountedSignIn = Exclude<PhoneSignInOutcome | LinkSignInOutcome, { kind: 'refused' }>;

export type SignInLabel = 'new' | 'known' | Exclude<CountedSignIn['kind'], 'signed in'>;

export function signInLabel(outcome: CountedSignIn): SignInLabel {
  if (outcome.kind !== 'signed in') return outcome.kind;
  return outcome.isNewUser ? 'new' : 'known';
}

export type RefreshLabel = 'rotated' | 'repeated' | Exclude<RotationOutcome['kind'], 'renewed'>;

export function refreshLabel(outcome: RotationOutcome): RefreshLabel {
  if (outcome.kind !== 'renewed') return outcome.kind;
  return outcome.isRepeat ? 'repeated' : 'rotated';
}

export const endLabels = {
  'logged out': 'logged out',
  revoked: 'revoked',
  blocked: 'revoked',
  reused: 'reused',
  idle: 'expired',
  absolute: 'expired',
  evicted: 'evicted',
  'account deleted': 'account deleted',
} as const satisfies Readonly<Record<SessionEnd, string>>;
