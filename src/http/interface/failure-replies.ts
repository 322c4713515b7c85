// HTTP status, cause and cure of every failure code: the only table for answers, OpenAPI, client types and the error pages.
import type { FailureCode } from '../../kernel/failure.ts';

export type FailureReply = {
  readonly status: number;
  /** For developers, shown in the docs: when the failure happens and what to do about it. */
  readonly when: string;
  readonly cure: string;
};

const refresh = 'Call POST /api/auth/refresh-token and repeat the request once.';
const wait = 'Repeat the request after the time in Retry-After.';
const signIn = 'Ask the user to sign in again.';

export const failureReplies: Readonly<Record<FailureCode, FailureReply>> = {
  REQUEST_INVALID: {
    status: 400,
    when: 'A field is missing, has the wrong type or is too long, or the request itself is malformed.',
    cure: 'Correct the field that the message names.',
  },
  JSON_INVALID: { status: 400, when: 'The body is not a JSON object in UTF-8.', cure: 'Send one JSON object.' },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    when: 'The content type is not accepted here.',
    cure: 'Send application/json without content encoding.',
  },
  BODY_TOO_LARGE: { status: 413, when: 'The JSON body is larger than 16 KiB.', cure: 'Send a smaller body.' },
  NOT_FOUND: { status: 404, when: 'The path or the session does not exist.', cure: 'Check the path against /docs.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists, but not with this method.',
    cure: 'Use a method from the Allow header.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    when: 'The request line and headers are larger than 16 KiB.',
    cure: 'Send fewer or smaller headers, and clear old cookies.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    when: 'The headers or the body arrived too slowly.',
    cure: 'Repeat the request on a new connection.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'The client sent too many requests, asked for too many messages or sent too many wrong codes.',
    cure: wait,
  },
  PHONE_INVALID: {
    status: 400,
    when: 'The value is not a phone number in international format with a leading plus.',
    cure: 'Ask the user to correct it.',
  },
  PHONE_NOT_SUPPORTED: {
    status: 422,
    when: 'The number is a premium, shared-cost or toll-free number, is of a kind that PHONE_TYPES does not name (by default satellite, personal, pager, voicemail, UAN and unknown numbers), or is from a country that is not served.',
    cure: 'Ask the user for a mobile number.',
  },
  EMAIL_INVALID: { status: 400, when: 'The value is not an e-mail address.', cure: 'Ask the user to correct it.' },
  CAPTCHA_REQUIRED: {
    status: 400,
    when: 'The captcha-token header is missing or empty.',
    cure: 'Solve the challenge from GET /api/auth/captcha/challenge, or use the provider’s widget.',
  },
  CAPTCHA_INVALID: {
    status: 403,
    when: 'The captcha solution is wrong, has expired or was already used.',
    cure: 'Solve a new captcha and repeat the request.',
  },
  CAPTCHA_UNAVAILABLE: {
    status: 503,
    when: 'The captcha provider does not respond, or its response is invalid.',
    cure: wait,
  },
  OTP_RESEND_TOO_SOON: {
    status: 429,
    when: 'The waiting time between two messages has not passed.',
    cure: 'Repeat the request after the time in Retry-After. The code that was sent still works.',
  },
  OTP_SEND_LIMIT: {
    status: 429,
    when: 'The recipient has reached the limit of messages.',
    cure: wait,
  },
  SMS_SUSPENDED: {
    status: 503,
    when: 'The spending brake has suspended messages to this destination.',
    cure: 'Repeat the request after the time in Retry-After, or offer the sign-in link by e-mail.',
  },
  OTP_INVALID: {
    status: 400,
    when: 'The code is wrong, was already used or was never requested. The message says how many attempts are left.',
    cure: 'Let the user try again or ask for a new code.',
  },
  OTP_EXPIRED: { status: 400, when: 'The code is correct but has expired.', cure: 'Ask for a new code.' },
  OTP_ATTEMPTS_EXCEEDED: {
    status: 429,
    when: 'There were too many wrong attempts for this code or for this recipient.',
    cure: 'Ask for a new code. If that is refused too, wait for the time in Retry-After.',
  },
  LINK_INVALID: { status: 400, when: 'The sign-in link is unknown or was already used.', cure: 'Ask for a new link.' },
  LINK_EXPIRED: { status: 410, when: 'The sign-in link is correct but has expired.', cure: 'Ask for a new link.' },
  ACCESS_TOKEN_MISSING: {
    status: 401,
    when: 'The request has neither an Authorization: Bearer header nor a JWT cookie.',
    cure: signIn,
  },
  ACCESS_TOKEN_INVALID: {
    status: 401,
    when: 'The signature, key, type, issuer or audience of the access token is wrong.',
    cure: refresh,
  },
  ACCESS_TOKEN_EXPIRED: { status: 401, when: 'The access token has expired.', cure: refresh },
  SESSION_REVOKED: { status: 401, when: 'The session was signed out, revoked, evicted or deleted.', cure: signIn },
  REFRESH_TOKEN_MISSING: { status: 401, when: 'The request has neither an RT header nor an RT cookie.', cure: signIn },
  REFRESH_TOKEN_INVALID: { status: 401, when: 'The refresh token is malformed or forged.', cure: signIn },
  REFRESH_TOKEN_EXPIRED: {
    status: 401,
    when: 'The session was idle for too long, or has reached its maximum age.',
    cure: signIn,
  },
  REFRESH_TOKEN_REUSED: {
    status: 401,
    when: 'A refresh token was used again after its grace period, or another client used it again within the grace period. The session was ended.',
    cure: signIn,
  },
  CSRF_REJECTED: {
    status: 403,
    when: 'A request that is authenticated by a cookie came from another origin.',
    cure: 'Add the origin to CORS_ORIGINS, or send the tokens as headers.',
  },
  ADMIN_REQUIRED: {
    status: 403,
    when: 'A request of the admin page has no staff session, or one that is unknown, idle, ended or revoked.',
    cure: 'Ask an operator for a new link: gatehouse admin token --name NAME.',
  },
  MESSAGE_GONE: {
    status: 409,
    when: 'Staff asked to resend a message that was sent, is being sent or has expired.',
    cure: 'Let the user ask for a new message. Clear the limits of the user if they prevent this.',
  },
  EMAIL_TAKEN: {
    status: 409,
    when: 'Another user bound the e-mail address after the code was sent.',
    cure: 'Ask the user for another e-mail address.',
  },
  USER_BLOCKED: {
    status: 403,
    when: 'The credential is correct, but the account is blocked.',
    cure: 'Contact support.',
  },
  SIGNUP_CLOSED: {
    status: 403,
    when: 'The code is correct, but the phone number has no account and sign-up is closed.',
    cure: 'Contact support.',
  },
  FILE_PURPOSE_REQUIRED: {
    status: 400,
    when: 'The upload does not name a purpose.',
    cure: 'Send the purpose as a form field, in the query or in the header X-File-Purpose.',
  },
  FILE_PURPOSE_UNKNOWN: {
    status: 422,
    when: 'The purpose is not configured.',
    cure: 'Use a purpose from GET /api/file/purposes.',
  },
  FILE_MISSING: {
    status: 400,
    when: 'The upload contains no file.',
    cure: 'Send the file as the form field “file”, as a raw body or as base64 in JSON.',
  },
  FILE_EMPTY: { status: 400, when: 'The file has no bytes.', cure: 'Send a file with content.' },
  FILE_MALFORMED: {
    status: 400,
    when: 'The multipart body is malformed or contains two files, or a chunked body consists of chunks of a few bytes.',
    cure: 'Send one file in well-formed form data, in chunks of at least a few kilobytes.',
  },
  FILE_INCOMPLETE: { status: 400, when: 'The body ended before the file was complete.', cure: 'Send the file again.' },
  FILE_TOO_LARGE: {
    status: 413,
    when: 'The file is larger than its purpose allows, or larger than 1 MiB in a JSON upload.',
    cure: 'The message names the limit. Send a file that is too large for JSON as multipart/form-data or as a raw body.',
  },
  FILE_TYPE_NOT_ALLOWED: {
    status: 415,
    when: 'The content of the file has a type that its purpose does not allow.',
    cure: 'Send one of the types that the message names.',
  },
  FILE_TYPE_MISMATCH: {
    status: 422,
    when: 'The declared type does not match the content of the file.',
    cure: 'Declare the correct type, or no type.',
  },
  FILE_CORRUPT: {
    status: 422,
    when: 'The file is damaged or incomplete, or other data follows it.',
    cure: 'Send an undamaged file.',
  },
  FILE_IMAGE_TOO_LARGE: {
    status: 422,
    when: 'The image has more pixels than its purpose allows.',
    cure: 'Scale the image down.',
  },
  FILE_DIGEST_MISMATCH: { status: 422, when: 'Repr-Digest does not match the bytes.', cure: 'Send the file again.' },
  FILE_INFECTED: { status: 422, when: 'A scanner found malware in the file.', cure: 'Do not send this file.' },
  FILE_QUOTA_EXCEEDED: { status: 403, when: 'The user’s storage is full.', cure: 'Delete files first.' },
  FILE_NOT_FOUND: {
    status: 404,
    when: 'The id is unknown or malformed, or the file was deleted, or the caller may not access it.',
    cure: 'Check the id.',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: 'The range is outside the file.',
    cure: 'Read the size of the file from Content-Range.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: 'If-Match names another version, or the file is newer than If-Unmodified-Since.',
    cure: 'Download the file again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The Idempotency-Key was already used for a file with different bytes.',
    cure: 'Use a new key for a new file.',
  },
  UPLOAD_IN_PROGRESS: {
    status: 409,
    when: 'An upload with this Idempotency-Key is still in progress.',
    cure: wait,
  },
  STORAGE_FULL: { status: 507, when: 'The disk or bucket is full.', cure: 'Ask the operator to free space.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    when: 'The file storage cannot be reached or is too slow, or the running uploads use all the space reserved for them.',
    cure: wait,
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The database cannot be reached, or the service is starting or stopping.',
    cure: wait,
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'The service has a fault. The response contains only the request id.',
    cure: 'Report the request id to the operator.',
  },
};
