// The error type of the domain: a stable code for clients, and the values that its message and headers need.
import type { FileRuleName } from './text/texts.ts';

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
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Values for the message and the headers. Never a secret, a phone number, an e-mail address or an IP address. */
export type FailureDetail = {
  field?: string;
  left?: number;
  retryAfterSeconds?: number;
  limit?: string;
  policy?: RateLimitState;
  list?: string;
  /** The proved type of a file, as a short name. */
  type?: string;
  /** The rule that excludes a file. Its text replaces the message of the code. */
  rule?: FileRuleName;
  /** A whole file that its purpose does not allow, but perhaps another one. It is not part of the message. */
  whole?: { readonly type: string; readonly width?: number | undefined; readonly height?: number | undefined };
  /** A purpose that would accept the file. */
  purpose?: string;
  allow?: string;
  /** The media types that PATCH takes here. */
  acceptPatch?: string;
  contentRange?: string;
  /** The upload in several requests that the caller has already begun. Only a header carries it. */
  uploadId?: string;
  /** Where an upload in several requests goes on. Only a header carries it. */
  uploadOffset?: number;
  /** Whether the failure is the result of the whole upload. Only a header carries it. */
  isUploadComplete?: boolean;
  /** The limit of a purpose that a file exceeds. It is part of `uploadLimit`. */
  maxBytes?: number;
  /** The limits of an upload, as clients of uploads in several requests read them. Only a header carries them. */
  uploadLimit?: string;
  /** Encrypted, for the caller who proved a number. Only a header carries it. */
  proofTicket?: string;
  requestId?: string;
  /** The id of the user that does not exist, as the caller wrote it, on one short line. `unnamed`: by anything else than an id. */
  user?: string;
  /** The sign-in of an app that an expired link belongs to, sealed. Only a header carries it. */
  authorizationTicket?: string;
};

/** The limits that send RateLimit headers. Each name is also a metric label. */
export const quotaNames = [
  'requests-per-ip',
  'sends-per-ip',
  'sends-per-recipient',
  'resend',
  'attempts-per-ip',
  'phone-changes',
  'uploads-per-user',
  'admin-sign-ins',
  'requests-per-key',
  'opens-per-link',
] as const;

export type QuotaName = (typeof quotaNames)[number];

/** The content of the `RateLimit` headers: the name of the quota, its size and window, and when it resets. */
type RateLimitState = { name: QuotaName; quota: number; windowSeconds: number; resetSeconds: number };

export class Failure extends Error {
  readonly code: FailureCode;
  readonly detail: FailureDetail;

  /** The cause goes to the log. It must not contain a secret or user data. */
  constructor(code: FailureCode, detail: FailureDetail = {}, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.detail = detail;
  }
}
