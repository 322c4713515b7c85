// For each failure code the detail with nothing but what the code requires.
import { type Failure, type FailureCode, type FieldOf, failureFrom, type Refusal } from '../../src/kernel/failure.ts';
import type { FailureDetails } from '../../src/kernel/failure-details.ts';

type RequiredField<D> = { [F in keyof D]-?: Record<never, never> extends Pick<D, F> ? never : F }[keyof D];

/** A field that may be left out does not compile here, so a message that shows one fails its test. */
type Smallest = {
  readonly [C in FailureCode]: Pick<FailureDetails[C], RequiredField<FailureDetails[C]>> & {
    readonly [F in Exclude<FieldOf<C>, RequiredField<FailureDetails[C]>>]?: never;
  };
};

const nothing = {};
const wait = { retryAfterSeconds: 42 };
const limit = { limit: '5 MiB' };
const list = { list: 'avatar, image' };

export const smallestDetails: Smallest = {
  REQUEST_INVALID: { field: 'recipient' },
  JSON_INVALID: nothing,
  MEDIA_TYPE_UNSUPPORTED: nothing,
  BODY_TOO_LARGE: limit,
  NOT_FOUND: nothing,
  METHOD_NOT_ALLOWED: { allow: 'GET, HEAD' },
  HEADERS_TOO_LARGE: nothing,
  REQUEST_TIMEOUT: nothing,
  RATE_LIMITED: wait,
  PHONE_INVALID: nothing,
  PHONE_NOT_SUPPORTED: nothing,
  PHONE_TAKEN: nothing,
  PHONE_NEEDS_PROOF: { proofTicket: 'ticket' },
  PROOF_TICKET_INVALID: nothing,
  EMAIL_INVALID: nothing,
  CAPTCHA_REQUIRED: nothing,
  CAPTCHA_INVALID: nothing,
  CAPTCHA_UNAVAILABLE: wait,
  OTP_RESEND_TOO_SOON: wait,
  OTP_SEND_LIMIT: wait,
  SMS_SUSPENDED: wait,
  OTP_INVALID: { left: 3 },
  OTP_EXPIRED: nothing,
  OTP_ATTEMPTS_EXCEEDED: wait,
  LINK_INVALID: nothing,
  LINK_EXPIRED: nothing,
  ACCESS_TOKEN_MISSING: nothing,
  ACCESS_TOKEN_INVALID: nothing,
  ACCESS_TOKEN_EXPIRED: nothing,
  SESSION_REVOKED: nothing,
  REFRESH_TOKEN_MISSING: nothing,
  REFRESH_TOKEN_INVALID: nothing,
  REFRESH_TOKEN_EXPIRED: nothing,
  REFRESH_TOKEN_REUSED: nothing,
  CSRF_REJECTED: nothing,
  RECENT_SIGN_IN_REQUIRED: nothing,
  BROWSER_SESSION_REQUIRED: nothing,
  ADMIN_REQUIRED: nothing,
  STAFF_ROLE_REQUIRED: list,
  SERVICE_KEY_INVALID: nothing,
  SERVICE_SCOPE_MISSING: list,
  SERVICE_KEYS_FULL: limit,
  EXTERNAL_ID_TAKEN: nothing,
  USER_DATA_TOO_LARGE: { field: 'recipient', ...limit },
  CURSOR_EXPIRED: nothing,
  APP_SCOPE_MISSING: nothing,
  AUTHORIZATION_EXPIRED: nothing,
  MESSAGE_GONE: nothing,
  EMAIL_TAKEN: nothing,
  LAST_WAY_IN: nothing,
  USER_BLOCKED: nothing,
  SIGNUP_CLOSED: nothing,
  FILE_PURPOSE_REQUIRED: list,
  FILE_PURPOSE_UNKNOWN: list,
  FILE_MISSING: nothing,
  FILE_EMPTY: nothing,
  FILE_MALFORMED: nothing,
  FILE_INCOMPLETE: nothing,
  FILE_TOO_LARGE: limit,
  FILE_TYPE_NOT_ALLOWED: list,
  FILE_TYPE_MISMATCH: nothing,
  FILE_CORRUPT: nothing,
  FILE_IMAGE_TOO_LARGE: limit,
  FILE_DIGEST_MISMATCH: nothing,
  FILE_INFECTED: nothing,
  FILE_QUOTA_EXCEEDED: nothing,
  FILE_NOT_FOUND: nothing,
  RANGE_NOT_SATISFIABLE: { contentRange: 'bytes */5' },
  PRECONDITION_FAILED: nothing,
  IDEMPOTENCY_KEY_REUSED: nothing,
  UPLOAD_IN_PROGRESS: wait,
  UPLOAD_OFFSET_WRONG: { uploadOffset: 0 },
  UPLOAD_NOT_FOUND: nothing,
  UPLOAD_EXPIRED: nothing,
  SHARING_NOT_ALLOWED: nothing,
  FILE_LINKS_FULL: nothing,
  STORAGE_FULL: nothing,
  STORAGE_UNAVAILABLE: wait,
  SERVICE_UNAVAILABLE: wait,
  SERVICE_STOPPING: wait,
  INTERNAL_ERROR: { requestId: 'request-1' },
};

export function smallestFailure(code: FailureCode): Failure {
  return failureFrom({ code, detail: smallestDetails[code] } as Refusal);
}
