// Maps outcomes of the domain to metric labels. An outcome without a label does not compile.
import type { AuthorizationOutcome, ExchangeOutcome } from '../../apps/app-store.ts';
import type { BindingOutcome } from '../../auth/identity/email-binding.ts';
import type { PhoneChangeOutcome } from '../../auth/identity/phone-change.ts';
import type { DueOutcome } from '../../auth/identity/scheduled-phone.ts';
import type { Renewal, RotationOutcome, SessionEnd } from '../../auth/sessions/session.ts';
import type { ProofOutcome } from '../../auth/sessions/session-proof.ts';
import type { LinkSignInOutcome, PhoneSignInOutcome } from '../../auth/sign-in/sign-in.ts';
import { listOf } from '../../kernel/text/closed-list.ts';

/** A wrong code is not counted here: it counts as a failure of its request. */
export type CountedSignIn = Exclude<PhoneSignInOutcome | LinkSignInOutcome, { kind: 'refused' }>;

type SignInLabel = 'new' | 'known' | Exclude<CountedSignIn['kind'], 'signed in'>;

export const signInLabels = listOf<SignInLabel>({
  new: true,
  known: true,
  lost: true,
  expired: true,
  closed: true,
  blocked: true,
  'needs proof': true,
});

export function signInLabel(outcome: CountedSignIn): SignInLabel {
  if (outcome.kind !== 'signed in') return outcome.kind;
  return outcome.isNewUser ? 'new' : 'known';
}

/** Scopes that the session of an app does not have make its token invalid for this request. */
type RefusedLabel = Exclude<RotationOutcome['kind'], 'renewed' | 'too wide'>;

type RefreshLabel = 'rotated' | 'repeated' | 'repeated_late' | RefusedLabel;

const renewalLabels = {
  rotated: 'rotated',
  repeated: 'repeated',
  'repeated late': 'repeated_late',
} as const satisfies Record<Renewal, RefreshLabel>;

export function refreshLabel(outcome: RotationOutcome): RefreshLabel {
  if (outcome.kind === 'too wide') return 'invalid';
  if (outcome.kind !== 'renewed') return outcome.kind;
  return renewalLabels[outcome.renewal];
}

export const refreshLabels = listOf<RefreshLabel>({
  rotated: true,
  repeated: true,
  repeated_late: true,
  reused: true,
  expired: true,
  ended: true,
  invalid: true,
});

/** A wrong code is not counted here: it counts as a failure of its request. */
export type CountedProof = Exclude<ProofOutcome, { kind: 'refused' }>;

type ProofLabel = 'proved' | Exclude<CountedProof['kind'], 'renewed' | 'too wide'>;

export function proofLabel({ kind }: CountedProof): ProofLabel {
  if (kind === 'too wide') return 'invalid';
  return kind === 'renewed' ? 'proved' : kind;
}

export const proofLabels = listOf<ProofLabel>({
  proved: true,
  lost: true,
  invalid: true,
  expired: true,
  reused: true,
  ended: true,
});

export const appCodeLabels = listOf<AuthorizationOutcome['kind']>({
  issued: true,
  'signed out': true,
  'needs proof': true,
  'needs consent': true,
});

type AppExchangeLabel = ExchangeOutcome['kind'] | 'reused';

export function appExchangeLabel(outcome: ExchangeOutcome): AppExchangeLabel {
  return outcome.kind === 'refused' && outcome.ended.length > 0 ? 'reused' : outcome.kind;
}

export const appExchangeLabels = listOf<AppExchangeLabel>({ started: true, refused: true, reused: true });

export const bindingLabels = listOf<Exclude<BindingOutcome['kind'], 'refused'>>({
  bound: true,
  lost: true,
  stale: true,
  taken: true,
  gone: true,
});

export const phoneChangeLabels = listOf<Exclude<PhoneChangeOutcome['kind'], 'refused'>>({
  changed: true,
  scheduled: true,
  own: true,
  taken: true,
  limited: true,
  lost: true,
  gone: true,
});

export type ScheduledPhoneLabel = DueOutcome['kind'] | 'cancelled';

export const scheduledPhoneLabels = listOf<ScheduledPhoneLabel>({
  applied: true,
  cancelled: true,
  taken: true,
  announced: true,
});

export const endLabels = {
  'logged out': 'logged out',
  revoked: 'revoked',
  blocked: 'revoked',
  reused: 'reused',
  idle: 'expired',
  absolute: 'expired',
  evicted: 'evicted',
  'account deleted': 'account deleted',
  'not me': 'not me',
  'phone changed': 'phone changed',
} as const satisfies Readonly<Record<SessionEnd, string>>;

export const resumableLabels = ['created', 'stored', 'cancelled', 'refused', 'taken over'] as const;
