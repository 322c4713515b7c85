// What each failure says beside its code: the values of its message and its headers. A new code needs a row here.
import type { RateLimitState } from './quota.ts';
import type { FileRuleName } from './text/texts.ts';

/** A value of any field does not compile, given or read. */
type Nothing = { readonly [field: string]: undefined };

/** The answer has Retry-After, and sometimes the limit that was reached. */
type Wait = { readonly retryAfterSeconds: number; readonly policy?: RateLimitState };

/** Of an upload in several requests. Only headers carry it. */
type UploadState = {
  /** The upload that the caller has already begun. */
  readonly uploadId?: string;
  /** Where the upload goes on. */
  readonly uploadOffset?: number;
  /** Whether the failure is the result of the whole upload. */
  readonly isUploadComplete?: boolean;
};

/** A rule that excludes a file. Its text replaces the message of the code. */
type Excluded = { readonly rule?: FileRuleName };

/**
 * By code. Each value that a message shows is required, unless the message has a branch for `none`. Never a secret, a phone number, an
 * e-mail address or an IP address, apart from the sealed tickets.
 */
export type FailureDetails = {
  REQUEST_INVALID: { readonly field: string } & UploadState;
  JSON_INVALID: Nothing;
  /** `acceptPatch`: the media types that PATCH takes here. */
  MEDIA_TYPE_UNSUPPORTED: { readonly list?: string; readonly acceptPatch?: string } & UploadState;
  BODY_TOO_LARGE: { readonly limit: string };
  /** The id of the user that does not exist, as the caller wrote it, on one short line. `unnamed`: by anything else than an id. */
  NOT_FOUND: { readonly user?: string };
  METHOD_NOT_ALLOWED: { readonly allow: string };
  HEADERS_TOO_LARGE: Nothing;
  REQUEST_TIMEOUT: UploadState;
  RATE_LIMITED: Wait & UploadState;
  PHONE_INVALID: Nothing;
  PHONE_NOT_SUPPORTED: Nothing;
  PHONE_TAKEN: Nothing;
  /** The ticket is encrypted, for the caller who proved the number. Only a header carries it. */
  PHONE_NEEDS_PROOF: { readonly proofTicket: string };
  PROOF_TICKET_INVALID: Nothing;
  EMAIL_INVALID: Nothing;
  CAPTCHA_REQUIRED: Nothing;
  CAPTCHA_INVALID: Nothing;
  CAPTCHA_UNAVAILABLE: Wait;
  OTP_RESEND_TOO_SOON: Wait;
  OTP_SEND_LIMIT: Wait;
  SMS_SUSPENDED: Wait;
  OTP_INVALID: { readonly left: number };
  OTP_EXPIRED: Nothing;
  OTP_ATTEMPTS_EXCEEDED: Wait;
  LINK_INVALID: Nothing;
  /** The sign-in of an app that the link belongs to, sealed. Only a header carries it. */
  LINK_EXPIRED: { readonly authorizationTicket?: string };
  ACCESS_TOKEN_MISSING: Nothing;
  ACCESS_TOKEN_INVALID: Nothing;
  ACCESS_TOKEN_EXPIRED: Nothing;
  SESSION_REVOKED: UploadState;
  REFRESH_TOKEN_MISSING: Nothing;
  REFRESH_TOKEN_INVALID: Nothing;
  REFRESH_TOKEN_EXPIRED: Nothing;
  REFRESH_TOKEN_REUSED: Nothing;
  CSRF_REJECTED: Nothing;
  RECENT_SIGN_IN_REQUIRED: Nothing;
  BROWSER_SESSION_REQUIRED: Nothing;
  ADMIN_REQUIRED: Nothing;
  STAFF_ROLE_REQUIRED: { readonly list: string };
  SERVICE_KEY_INVALID: Nothing;
  SERVICE_SCOPE_MISSING: { readonly list: string };
  SERVICE_KEYS_FULL: { readonly limit: string };
  EXTERNAL_ID_TAKEN: Nothing;
  USER_DATA_TOO_LARGE: { readonly field: string; readonly limit: string };
  CURSOR_EXPIRED: Nothing;
  APP_SCOPE_MISSING: Nothing;
  AUTHORIZATION_EXPIRED: Nothing;
  MESSAGE_GONE: Nothing;
  EMAIL_TAKEN: Nothing;
  LAST_WAY_IN: Nothing;
  USER_BLOCKED: UploadState;
  SIGNUP_CLOSED: Nothing;
  FILE_PURPOSE_REQUIRED: { readonly list: string } & UploadState;
  FILE_PURPOSE_UNKNOWN: { readonly list: string } & UploadState;
  FILE_MISSING: Nothing;
  FILE_EMPTY: UploadState;
  FILE_MALFORMED: UploadState;
  FILE_INCOMPLETE: UploadState;
  /** `maxBytes`: the limit of the purpose. `uploadLimit`: all limits, as clients of uploads in several requests read them. */
  FILE_TOO_LARGE: { readonly limit: string; readonly maxBytes?: number; readonly uploadLimit?: string } & UploadState;
  FILE_TYPE_NOT_ALLOWED: {
    /** The types that are allowed, and the proved type of the file, as short names. */
    readonly list: string;
    readonly type?: string;
    /** A purpose that would accept the file. */
    readonly purpose?: string;
    /** A whole file that its purpose does not allow, but perhaps another one. It is not part of the message. */
    readonly whole?: {
      readonly type: string;
      readonly width?: number | undefined;
      readonly height?: number | undefined;
    };
  } & Excluded &
    UploadState;
  /** The proved type of the file, as a short name. */
  FILE_TYPE_MISMATCH: { readonly type?: string } & Excluded & UploadState;
  FILE_CORRUPT: UploadState;
  FILE_IMAGE_TOO_LARGE: { readonly limit: string } & UploadState;
  FILE_DIGEST_MISMATCH: UploadState;
  FILE_INFECTED: UploadState;
  FILE_QUOTA_EXCEEDED: UploadState;
  FILE_NOT_FOUND: Nothing;
  RANGE_NOT_SATISFIABLE: { readonly contentRange: string };
  PRECONDITION_FAILED: Nothing;
  IDEMPOTENCY_KEY_REUSED: UploadState;
  UPLOAD_IN_PROGRESS: { readonly retryAfterSeconds: number } & UploadState;
  UPLOAD_OFFSET_WRONG: { readonly uploadOffset: number } & UploadState;
  UPLOAD_NOT_FOUND: UploadState;
  UPLOAD_EXPIRED: UploadState;
  SHARING_NOT_ALLOWED: Nothing;
  FILE_LINKS_FULL: Nothing;
  STORAGE_FULL: UploadState;
  STORAGE_UNAVAILABLE: Wait & UploadState;
  SERVICE_UNAVAILABLE: Wait & UploadState;
  SERVICE_STOPPING: Wait & UploadState;
  INTERNAL_ERROR: { readonly requestId: string };
};
