// Failure code -> HTTP status, cause and cure: the one table behind answers, OpenAPI, client types and the error pages.
import type { FailureCode } from '../../kernel/failure.ts';

export type FailureReply = {
  readonly status: number;
  /** For developers, in the docs: when it happens and what to do about it. */
  readonly when: string;
  readonly cure: string;
};

const refresh = 'Call POST /api/auth/refresh-token and repeat the request once.';
const signIn = 'Sign the person in again.';

export const failureReplies: Readonly<Record<FailureCode, FailureReply>> = {
  REQUEST_INVALID: {
    status: 400,
    when: 'A field is missing, of the wrong type or too long, or the request itself is malformed.',
    cure: 'The message names the field.',
  },
  JSON_INVALID: { status: 400, when: 'The body is not a JSON object in UTF-8.', cure: 'Send one JSON object.' },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    when: 'The content type is not accepted here.',
    cure: 'Send application/json without content encoding.',
  },
  BODY_TOO_LARGE: { status: 413, when: 'The body of a JSON call is over 16 KiB.', cure: 'Send less.' },
  NOT_FOUND: { status: 404, when: 'No such path, or no such session.', cure: 'Check the path against /docs.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists, but not with this method.',
    cure: 'Use a method of the Allow header.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    when: 'Request line and headers are over 16 KiB.',
    cure: 'Send fewer or smaller headers; clear old cookies.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    when: 'Headers or body arrived too slowly.',
    cure: 'Repeat the request on a new connection.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'The caller sent too many requests, asked for too many messages or gave too many wrong codes.',
    cure: 'Wait for Retry-After.',
  },
  PHONE_INVALID: {
    status: 400,
    when: 'Not a phone number in international format with a leading plus.',
    cure: 'Ask the person to correct it.',
  },
  PHONE_NOT_SUPPORTED: {
    status: 422,
    when: 'A premium, shared-cost or toll-free number, a kind that PHONE_TYPES does not name (by default satellite, personal, pager, voicemail, UAN and unknown numbers), or a country that is not served.',
    cure: 'Ask for a mobile number.',
  },
  EMAIL_INVALID: { status: 400, when: 'Not an e-mail address.', cure: 'Ask the person to correct it.' },
  CAPTCHA_REQUIRED: {
    status: 400,
    when: 'The captcha-token header is missing or empty.',
    cure: 'Solve GET /api/auth/captcha/challenge, or use the provider’s widget.',
  },
  CAPTCHA_INVALID: {
    status: 403,
    when: 'The captcha was refused, has expired or was used before.',
    cure: 'Solve a new one and repeat the request.',
  },
  CAPTCHA_UNAVAILABLE: {
    status: 503,
    when: 'The captcha provider is down or answers nonsense.',
    cure: 'Wait for Retry-After.',
  },
  OTP_RESEND_TOO_SOON: {
    status: 429,
    when: 'The cool-down between two sends has not passed.',
    cure: 'Wait for Retry-After; the code that was sent still works.',
  },
  OTP_SEND_LIMIT: {
    status: 429,
    when: 'The recipient got as many messages as one may get.',
    cure: 'Wait for Retry-After.',
  },
  SMS_SUSPENDED: {
    status: 503,
    when: 'The spending brake holds messages to that destination.',
    cure: 'Wait for Retry-After, or offer the e-mail link.',
  },
  OTP_INVALID: {
    status: 400,
    when: 'The code is wrong, was used, or nobody asked for one; the message says how many attempts are left.',
    cure: 'Let the person try again or ask for a new code.',
  },
  OTP_EXPIRED: { status: 400, when: 'The right code, too late.', cure: 'Ask for a new code.' },
  OTP_ATTEMPTS_EXCEEDED: {
    status: 429,
    when: 'Too many wrong codes, for this code or for this recipient.',
    cure: 'Ask for a new code; after many failures wait for Retry-After.',
  },
  LINK_INVALID: { status: 400, when: 'The login link is unknown or was used.', cure: 'Ask for a new link.' },
  LINK_EXPIRED: { status: 410, when: 'The right login link, too late.', cure: 'Ask for a new link.' },
  ACCESS_TOKEN_MISSING: {
    status: 401,
    when: 'Neither an Authorization: Bearer header nor a JWT cookie came.',
    cure: signIn,
  },
  ACCESS_TOKEN_INVALID: { status: 401, when: 'Signature, key, type, issuer or audience is wrong.', cure: refresh },
  ACCESS_TOKEN_EXPIRED: { status: 401, when: 'The access token’s time is over.', cure: refresh },
  SESSION_REVOKED: { status: 401, when: 'The session was signed out, revoked, evicted or deleted.', cure: signIn },
  REFRESH_TOKEN_MISSING: { status: 401, when: 'Neither an RT header nor an RT cookie came.', cure: signIn },
  REFRESH_TOKEN_INVALID: { status: 401, when: 'The refresh token is malformed or forged.', cure: signIn },
  REFRESH_TOKEN_EXPIRED: { status: 401, when: 'The session was idle too long or has reached its end.', cure: signIn },
  REFRESH_TOKEN_REUSED: {
    status: 401,
    when: 'An old refresh token came back after its grace, or another client repeated it within the grace: the session was ended.',
    cure: signIn,
  },
  CSRF_REJECTED: {
    status: 403,
    when: 'A call by cookie came from another origin.',
    cure: 'Add the origin to CORS_ORIGINS, or send the tokens as headers.',
  },
  ADMIN_REQUIRED: {
    status: 403,
    when: 'A call of the admin page without its sign-in, or with one that is unknown, idle, ended or revoked.',
    cure: 'Ask for a new link: gatehouse admin token --name NAME.',
  },
  MESSAGE_GONE: {
    status: 409,
    when: 'Support asked to send a message again that was sent, is being sent or has expired.',
    cure: 'The person may ask for a new one; clearing their limits lets them at once.',
  },
  EMAIL_TAKEN: {
    status: 409,
    when: 'Another user bound the address between code and confirmation.',
    cure: 'Choose another address.',
  },
  USER_BLOCKED: {
    status: 403,
    when: 'The credential was right, but the account is blocked.',
    cure: 'Contact support.',
  },
  SIGNUP_CLOSED: {
    status: 403,
    when: 'The credential was right, but the phone is not known and sign-up is closed.',
    cure: 'Contact support.',
  },
  FILE_PURPOSE_REQUIRED: {
    status: 400,
    when: 'The upload names no purpose.',
    cure: 'Send purpose as a field, in the query or as X-File-Purpose.',
  },
  FILE_PURPOSE_UNKNOWN: {
    status: 422,
    when: 'The purpose is not configured.',
    cure: 'Use one of GET /api/file/purposes.',
  },
  FILE_MISSING: {
    status: 400,
    when: 'The upload holds no file.',
    cure: 'Send the file as field “file”, as raw body or as base64 in JSON.',
  },
  FILE_EMPTY: { status: 400, when: 'The file has no bytes.', cure: 'Send a file with content.' },
  FILE_MALFORMED: {
    status: 400,
    when: 'The multipart body is broken, or holds two files; or a chunked body is cut into chunks of a few bytes.',
    cure: 'Send one file in well-formed form data, and chunks of some kilobytes.',
  },
  FILE_INCOMPLETE: { status: 400, when: 'The stream ended early.', cure: 'Send the file again.' },
  FILE_TOO_LARGE: {
    status: 413,
    when: 'The file is larger than its purpose allows, or larger than 1 MiB in a JSON upload.',
    cure: 'The message names the limit. Send what is too large for JSON as multipart/form-data or as a raw body.',
  },
  FILE_TYPE_NOT_ALLOWED: {
    status: 415,
    when: 'The type that the bytes prove is outside the purpose.',
    cure: 'The message names the types.',
  },
  FILE_TYPE_MISMATCH: {
    status: 422,
    when: 'The declared type contradicts the bytes.',
    cure: 'Declare the true type, or none.',
  },
  FILE_CORRUPT: {
    status: 422,
    when: 'The structure is broken, cut short, or followed by other data.',
    cure: 'Send an undamaged file.',
  },
  FILE_IMAGE_TOO_LARGE: {
    status: 422,
    when: 'The image has more pixels than its purpose allows.',
    cure: 'Scale it down.',
  },
  FILE_DIGEST_MISMATCH: { status: 422, when: 'Repr-Digest does not match the bytes.', cure: 'Send the file again.' },
  FILE_INFECTED: { status: 422, when: 'A scanner found malware.', cure: 'Do not send this file.' },
  FILE_QUOTA_EXCEEDED: { status: 403, when: 'The user’s storage is full.', cure: 'Delete files.' },
  FILE_NOT_FOUND: { status: 404, when: 'Unknown, malformed, foreign and deleted ids alike.', cure: 'Check the id.' },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: 'The range lies outside the file.',
    cure: 'Content-Range tells the size.',
  },
  PRECONDITION_FAILED: { status: 412, when: 'If-Match names another version.', cure: 'Fetch the file anew.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The Idempotency-Key was used with other bytes.',
    cure: 'Use a new key for a new file.',
  },
  UPLOAD_IN_PROGRESS: {
    status: 409,
    when: 'An upload with this Idempotency-Key is under way.',
    cure: 'Wait for it to end.',
  },
  STORAGE_FULL: { status: 507, when: 'The disk or bucket is full.', cure: 'The operator must make room.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    when: 'The file storage cannot be reached or is too slow, or uploads under way hold all the room they may.',
    cure: 'Wait for Retry-After.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The database cannot be reached, or the service is starting or stopping.',
    cure: 'Wait for Retry-After.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'A fault of ours; nothing but the request id is told.',
    cure: 'Report the request id.',
  },
};
