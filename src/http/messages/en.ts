// English: every message that an answer can carry. The other catalogues have the same keys.
import type { FailureCode } from '../../kernel/failure.ts';

export type SuccessCode =
  | 'OTP_SENT'
  | 'LOGGED_IN'
  | 'LINK_SENT'
  | 'BINDING_OTP_SENT'
  | 'EMAIL_BOUND'
  | 'TOKENS_REFRESHED'
  | 'LOGGED_OUT'
  | 'ME'
  | 'SESSIONS'
  | 'SESSION_ENDED'
  | 'ACCOUNT_DELETED'
  | 'CAPTCHA_CHALLENGE'
  | 'LINK_CHECKED'
  | 'INBOX'
  | 'FILE_STORED'
  | 'FILE_RECORD'
  | 'FILES'
  | 'FILE_DELETED'
  | 'PURPOSES'
  | 'ADMIN_ENTERED'
  | 'ADMIN_LEFT'
  | 'ADMIN_VIEW'
  | 'ADMIN_ACTED';

/** ICU MessageFormat; the placeholders are fields of FailureDetail. */
export type Catalogue = {
  readonly success: Readonly<Record<SuccessCode, string>>;
  readonly failure: Readonly<Record<FailureCode, string>>;
};

export const en: Catalogue = {
  success: {
    OTP_SENT: 'The code is on its way.',
    LOGGED_IN: 'You are signed in.',
    LINK_SENT: 'If an account with this address exists, a login link is sent to it.',
    BINDING_OTP_SENT: 'If this address is available for binding, a code is sent to it.',
    EMAIL_BOUND: 'The e-mail address is confirmed and bound to your account.',
    TOKENS_REFRESHED: 'The tokens are renewed.',
    LOGGED_OUT: 'You are signed out.',
    ME: 'This is your account.',
    SESSIONS: 'These are your sessions.',
    SESSION_ENDED: 'The session is ended.',
    ACCOUNT_DELETED: 'Your account and its files are deleted.',
    CAPTCHA_CHALLENGE: 'Solve this challenge and send the solution as captcha-token.',
    LINK_CHECKED: 'The link is valid.',
    INBOX: 'These are the captured messages.',
    FILE_STORED: 'The file is stored.',
    FILE_RECORD: 'This is the file’s record.',
    FILES: 'These are your files.',
    FILE_DELETED: 'The file is deleted.',
    PURPOSES: 'These are the purposes that a file can be uploaded for.',
    ADMIN_ENTERED: 'You are signed in to the admin page.',
    ADMIN_LEFT: 'You are signed out.',
    ADMIN_VIEW: 'This is what was asked for.',
    ADMIN_ACTED: 'It is done and written down.',
  },
  failure: {
    REQUEST_INVALID: 'The request is not valid{field, select, none {} other {: check “{field}”}}.',
    JSON_INVALID: 'The request body is not a valid JSON object.',
    MEDIA_TYPE_UNSUPPORTED: 'This content type is not accepted here{list, select, none {} other {; send {list}}}.',
    BODY_TOO_LARGE: 'The request body is too large; at most {limit} are accepted.',
    NOT_FOUND: 'There is nothing at this address.',
    METHOD_NOT_ALLOWED: 'This method is not allowed here; use {allow}.',
    HEADERS_TOO_LARGE: 'The request headers are too large.',
    REQUEST_TIMEOUT: 'The request took too long to arrive.',
    RATE_LIMITED: 'Too many requests. Try again in {retryAfterSeconds, plural, one {# second} other {# seconds}}.',
    PHONE_INVALID: 'This is not a valid phone number. Write it in international format, beginning with +.',
    PHONE_NOT_SUPPORTED: 'This kind of phone number, or its country, is not supported.',
    EMAIL_INVALID: 'This is not a valid e-mail address.',
    CAPTCHA_REQUIRED: 'The captcha-token header is missing.',
    CAPTCHA_INVALID: 'The captcha was refused, has expired or was used before. Solve a new one.',
    CAPTCHA_UNAVAILABLE: 'The captcha cannot be checked right now. Try again in a moment.',
    OTP_RESEND_TOO_SOON:
      'A code was sent a moment ago. You can ask for it again in {retryAfterSeconds, plural, one {# second} other {# seconds}}.',
    OTP_SEND_LIMIT:
      'Too many messages were sent to this recipient. Try again in {retryAfterSeconds, plural, one {# second} other {# seconds}}.',
    SMS_SUSPENDED: 'Text messages to this destination are suspended for now. Try again later.',
    OTP_INVALID:
      'The code is not right. {left, plural, =0 {No attempts are left; ask for a new code.} one {# attempt is left.} other {# attempts are left.}}',
    OTP_EXPIRED: 'The code has expired. Ask for a new one.',
    OTP_ATTEMPTS_EXCEEDED: 'Too many wrong codes. Ask for a new code, or try again later.',
    LINK_INVALID: 'This login link is not valid or was used before. Ask for a new one.',
    LINK_EXPIRED: 'This login link has expired. Ask for a new one.',
    ACCESS_TOKEN_MISSING: 'You are not signed in: the access token is missing.',
    ACCESS_TOKEN_INVALID: 'The access token is not valid.',
    ACCESS_TOKEN_EXPIRED: 'The access token has expired. Refresh it.',
    SESSION_REVOKED: 'This session has ended. Sign in again.',
    REFRESH_TOKEN_MISSING: 'The refresh token is missing. Sign in again.',
    REFRESH_TOKEN_INVALID: 'The refresh token is not valid. Sign in again.',
    REFRESH_TOKEN_EXPIRED: 'The session has expired. Sign in again.',
    REFRESH_TOKEN_REUSED: 'This refresh token was used before, so the session was ended to protect you. Sign in again.',
    CSRF_REJECTED: 'This request came from another site and was refused.',
    ADMIN_REQUIRED: 'This needs a valid admin sign-in. Ask for a new link.',
    MESSAGE_GONE: 'This message cannot be sent again: it was sent, is being sent or has expired.',
    EMAIL_TAKEN: 'This e-mail address belongs to another account.',
    USER_BLOCKED: 'This account is blocked.',
    SIGNUP_CLOSED: 'New accounts are not being accepted.',
    FILE_PURPOSE_REQUIRED: 'Say what the file is for: one of {list}.',
    FILE_PURPOSE_UNKNOWN: 'This purpose is not known; use one of {list}.',
    FILE_MISSING: 'No file was sent.',
    FILE_EMPTY: 'The file is empty.',
    FILE_MALFORMED: 'The upload could not be read: its form data is broken.',
    FILE_INCOMPLETE: 'The upload ended before the whole file had arrived.',
    FILE_TOO_LARGE: 'The file is too large; at most {limit} are allowed.',
    FILE_TYPE_NOT_ALLOWED: 'Files of this type are not allowed for this purpose; allowed are {list}.',
    FILE_TYPE_MISMATCH: 'The content of the file is not of the declared type.',
    FILE_CORRUPT: 'The file is damaged or has data after its end.',
    FILE_IMAGE_TOO_LARGE: 'The image has too many pixels; at most {limit} are allowed.',
    FILE_DIGEST_MISMATCH: 'The file does not match the digest that was sent with it.',
    FILE_INFECTED: 'The file was refused because it contains malware.',
    FILE_QUOTA_EXCEEDED: 'There is no room left for this file in your storage.',
    FILE_NOT_FOUND: 'There is no such file.',
    RANGE_NOT_SATISFIABLE: 'The requested range lies outside the file.',
    PRECONDITION_FAILED: 'The file is not in the expected version.',
    IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used before for another request.',
    UPLOAD_IN_PROGRESS: 'An upload with this Idempotency-Key is still under way.',
    STORAGE_FULL: 'The storage is full.',
    STORAGE_UNAVAILABLE: 'The file storage cannot be reached right now. Try again in a moment.',
    SERVICE_UNAVAILABLE: 'The service is not available right now. Try again in a moment.',
    INTERNAL_ERROR: 'Something went wrong on our side. Tell support this number: {requestId}.',
  },
};
