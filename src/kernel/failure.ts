// The error type of the domain: a stable code for clients, and the values that its message and headers need.
import type { FailureDetails } from './failure-details.ts';

export const failureCodes = [
  'REQUEST_INVALID',
  'JSON_INVALID',
  'MEDIA_TYPE_UNSUPPORTED',
  'BODY_TOO_LARGE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'PHONE_INVALID',
  'PHONE_NOT_SUPPORTED',
  'PHONE_TAKEN',
  'PHONE_NEEDS_PROOF',
  'PROOF_TICKET_INVALID',
  'EMAIL_INVALID',
  'CAPTCHA_REQUIRED',
  'CAPTCHA_INVALID',
  'CAPTCHA_UNAVAILABLE',
  'OTP_RESEND_TOO_SOON',
  'OTP_SEND_LIMIT',
  'SMS_SUSPENDED',
  'OTP_INVALID',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
  'LINK_INVALID',
  'LINK_EXPIRED',
  'ACCESS_TOKEN_MISSING',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_EXPIRED',
  'SESSION_REVOKED',
  'REFRESH_TOKEN_MISSING',
  'REFRESH_TOKEN_INVALID',
  'REFRESH_TOKEN_EXPIRED',
  'REFRESH_TOKEN_REUSED',
  'CSRF_REJECTED',
  'RECENT_SIGN_IN_REQUIRED',
  'BROWSER_SESSION_REQUIRED',
  'ADMIN_REQUIRED',
  'STAFF_ROLE_REQUIRED',
  'SERVICE_KEY_INVALID',
  'SERVICE_SCOPE_MISSING',
  'SERVICE_KEYS_FULL',
  'EXTERNAL_ID_TAKEN',
  'USER_DATA_TOO_LARGE',
  'CURSOR_EXPIRED',
  'APP_SCOPE_MISSING',
  'AUTHORIZATION_EXPIRED',
  'MESSAGE_GONE',
  'EMAIL_TAKEN',
  'LAST_WAY_IN',
  'USER_BLOCKED',
  'SIGNUP_CLOSED',
  'FILE_PURPOSE_REQUIRED',
  'FILE_PURPOSE_UNKNOWN',
  'FILE_MISSING',
  'FILE_EMPTY',
  'FILE_MALFORMED',
  'FILE_INCOMPLETE',
  'FILE_TOO_LARGE',
  'FILE_TYPE_NOT_ALLOWED',
  'FILE_TYPE_MISMATCH',
  'FILE_CORRUPT',
  'FILE_IMAGE_TOO_LARGE',
  'FILE_DIGEST_MISMATCH',
  'FILE_INFECTED',
  'FILE_QUOTA_EXCEEDED',
  'FILE_NOT_FOUND',
  'RANGE_NOT_SATISFIABLE',
  'PRECONDITION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'UPLOAD_IN_PROGRESS',
  'UPLOAD_OFFSET_WRONG',
  'UPLOAD_NOT_FOUND',
  'UPLOAD_EXPIRED',
  'SHARING_NOT_ALLOWED',
  'FILE_LINKS_FULL',
  'STORAGE_FULL',
  'STORAGE_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'SERVICE_STOPPING',
  'INTERNAL_ERROR',
] as const satisfies readonly (keyof FailureDetails)[];

export type FailureCode = (typeof failureCodes)[number];

/** Code and detail of a failure as plain values, which threads and nodes send each other. */
export type Refusal<C extends FailureCode = FailureCode> = {
  [K in C]: { readonly code: K; readonly detail: FailureDetails[K] };
}[C];

/** A failure of one of these codes: comparing its code shows which detail it has. */
export type Failure<C extends FailureCode = FailureCode> = { [K in C]: Error & Refusal<K> }[C];

/** The fields of all details, for readers to whom it makes no difference which code has them. */
export type AnyDetail = { readonly [F in FieldOf<FailureCode>]?: ValueOf<FailureCode, F> };

/** The fields that a detail of any of these codes has. */
export type FieldOf<C extends FailureCode> = {
  [K in C]: string extends keyof FailureDetails[K] ? never : keyof FailureDetails[K];
}[C];

type ValueOf<C extends FailureCode, F> = {
  [K in C]: F extends FieldOf<K> ? FailureDetails[K][F & keyof FailureDetails[K]] : never;
}[C];

/** The codes that may stand alone. */
export type PlainCode = { [C in FailureCode]: Record<never, never> extends FailureDetails[C] ? C : never }[FailureCode];

/** A detail that fits each of these codes. */
type DetailFor<C extends FailureCode> = { [K in C]: (detail: FailureDetails[K]) => void }[C] extends (
  detail: infer All,
) => void
  ? All
  : never;

/** The cause goes to the log. It must not contain a secret or user data. */
type Given<C extends FailureCode> = [C] extends [PlainCode]
  ? [detail?: DetailFor<C>, cause?: unknown]
  : [detail: DetailFor<C>, cause?: unknown];

type FailureClass = {
  new <C extends FailureCode>(code: C, ...given: Given<C>): Failure<C>;
  /** For `instanceof`. */
  readonly prototype: Failure;
};

/** The types of code and detail cannot be written as those of one class, because they belong together. */
const Untyped = class Failure extends Error {
  readonly code: FailureCode;
  readonly detail: AnyDetail;

  constructor(code: FailureCode, detail: AnyDetail = {}, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.detail = detail;
  }
};

/** Does not compile without a value that its code requires, or with a field that belongs to other codes. */
export const Failure = Untyped as unknown as FailureClass;

/** The same failure, with more of the fields that each of its codes has. */
export function withDetail<C extends FailureCode>(
  failure: Failure<C> & { readonly code: C },
  more: { readonly [F in keyof FailureDetails[C]]?: FailureDetails[C][F] },
): Failure<C> {
  return new Untyped(failure.code, { ...failure.detail, ...more }, failure.cause) as unknown as Failure<C>;
}

/** What another thread or node gets. */
export function refusalFrom<C extends FailureCode>({ code, detail }: Failure<C> & { readonly code: C }): Refusal<C> {
  return { code, detail } as Refusal<C>;
}

/** The failure that a refusal describes. */
export function failureFrom<C extends FailureCode>(refusal: Refusal<C>, cause?: unknown): Failure<C> {
  return new Untyped(refusal.code, refusal.detail, cause) as unknown as Failure<C>;
}
