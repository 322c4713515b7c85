// HTTP status, cause and cure of every failure code: the only table for answers, OpenAPI, client types and the error pages.
import { largestUserDataBody } from '../../backend/user-data.ts';
import type { FailureCode } from '../../kernel/failure.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { type FailureReply, waitAndRepeat } from './failure-reply.ts';
import { fileReplies } from './file-replies.ts';

const refresh = 'Call POST /api/auth/refresh-token and repeat the request once.';
const signIn = 'Ask the user to sign in again.';

export const failureReplies: Readonly<Record<FailureCode, FailureReply>> = {
  REQUEST_INVALID: {
    status: 400,
    when: 'A field is missing, has the wrong type or is too long, or the request itself is malformed.',
    cure: 'Correct the field that the message names. If it is “url”, percent-encode spaces and letters outside ASCII.',
  },
  JSON_INVALID: { status: 400, when: 'The body is not a JSON object in UTF-8.', cure: 'Send one JSON object.' },
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    when: 'The content type is not accepted here.',
    cure: 'Send application/json without content encoding.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    when: `The JSON body is larger than 16 KiB, or than ${formatBytes(largestUserDataBody)} in a change of what an app stores with a user.`,
    cure: 'Send a smaller body.',
  },
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
    cure: waitAndRepeat,
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
  PHONE_TAKEN: {
    status: 409,
    when: 'The code is correct, or the link restores the number, but another account has the phone number.',
    cure: 'Ask the user for another number, or to sign in with this one. After a link: delete that account or change its number, then open the link again.',
  },
  PHONE_NEEDS_PROOF: {
    status: 409,
    when: 'The code is correct, but the account of the number has an e-mail address and was not used for PHONE_RECYCLED_AFTER: the number may belong to somebody else now.',
    cure: 'Let the user sign in with a link by e-mail, or start a new account: POST /api/auth/phone/claim with the value of the header proof-ticket.',
  },
  PROOF_TICKET_INVALID: {
    status: 400,
    when: 'The ticket is unknown, expired or used, or the account was used since.',
    cure: 'Sign in again with a new code.',
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
    cure: waitAndRepeat,
  },
  OTP_RESEND_TOO_SOON: {
    status: 429,
    when: 'The waiting time between two messages has not passed.',
    cure: 'Repeat the request after the time in Retry-After. The code that was sent still works.',
  },
  OTP_SEND_LIMIT: {
    status: 429,
    when: 'The recipient has reached the limit of messages.',
    cure: waitAndRepeat,
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
  LINK_INVALID: { status: 400, when: 'The link is unknown or was already used.', cure: 'Ask for a new link.' },
  LINK_EXPIRED: { status: 410, when: 'The link is correct but has expired.', cure: 'Ask for a new link.' },
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
    when: 'A refresh token older than the previous one was used, or the previous one from another device, or too often long after its renewal. The session was ended.',
    cure: signIn,
  },
  CSRF_REJECTED: {
    status: 403,
    when: 'A request that is authenticated by a cookie came from another origin.',
    cure: 'Add the origin to CORS_ORIGINS, or send the tokens as headers.',
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    when: 'The call needs a recent sign-in, and the user last entered a code or used a link longer ago than RECENT_SIGN_IN.',
    cure: 'Send a code with POST /api/auth/proof/send, confirm it with POST /api/auth/proof, and repeat the call with the new access token.',
  },
  BROWSER_SESSION_REQUIRED: {
    status: 403,
    when: 'The call needs the browser in which the user signed in: the cookie SSO beside the cookie JWT, both of one session. A bearer token, or the cookie JWT alone, is not enough.',
    cure: 'Only the sign-in page of the service makes this call. In a browser that has lost the cookie SSO, POST /api/auth/refresh-token sets it again.',
  },
  ADMIN_REQUIRED: {
    status: 403,
    when: 'A request of the admin page has no staff session, or one that is unknown, idle, ended or revoked.',
    cure: 'Ask an operator for a new link: gatehouse admin token --name NAME.',
  },
  STAFF_ROLE_REQUIRED: {
    status: 403,
    when: 'The staff session is valid, but its role may not do this.',
    cure: 'Ask an operator for a link with the role that the message names: gatehouse admin token --name NAME --role ROLE.',
  },
  SERVICE_KEY_INVALID: {
    status: 403,
    when: 'There is no service key in the request, it is unknown, has ended or was revoked, or the request comes from a browser or from a network that SERVICE_FROM does not name.',
    cure: 'Send a valid service key as a bearer token, from your back end. An operator creates one with “gatehouse service-keys create”.',
  },
  SERVICE_SCOPE_MISSING: {
    status: 403,
    when: 'The service key is valid, but it has no scope for this call.',
    cure: 'Use a key with the scope that the message names.',
  },
  SERVICE_KEYS_FULL: {
    status: 409,
    when: 'There are as many valid service keys as the service allows.',
    cure: 'Revoke the keys that are not used, then create the new one.',
  },
  EXTERNAL_ID_TAKEN: {
    status: 409,
    when: 'Another user has this external id.',
    cure: 'Find that user by the external id, and decide which of the two keeps it.',
  },
  USER_DATA_TOO_LARGE: {
    status: 422,
    when: 'The claims or the metadata of a user are larger than allowed: 1 KiB for claims, 4 KiB each for public and private metadata, as JSON.',
    cure: 'Store less, and keep the rest in your own database.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    when: 'Events after this cursor are no longer kept, or the database was restored after it: events may be missing.',
    cure: 'Compare your copy of the users with the list of users, then read the events again without a cursor.',
  },
  APP_SCOPE_MISSING: {
    status: 403,
    when: 'The access token was issued to an app, and no scope of the app allows this call.',
    cure: 'Ask for the scope that the call needs when the user signs in. Calls about the account are for the pages of this service only.',
  },
  AUTHORIZATION_EXPIRED: {
    status: 410,
    when: 'The ticket of a sign-in for an app is unknown, or more than an hour old.',
    cure: 'Start the sign-in again in the app.',
  },
  MESSAGE_GONE: {
    status: 409,
    when: 'Staff asked to resend a message that was sent, is being sent or has expired.',
    cure: 'Let the user ask for a new message. Clear the limits of the user if they prevent this.',
  },
  EMAIL_TAKEN: {
    status: 409,
    when: 'Another user added the e-mail address after the code was sent.',
    cure: 'Ask the user for another e-mail address.',
  },
  LAST_WAY_IN: {
    status: 409,
    when: 'The account has no phone number, so its e-mail address is the only way in.',
    cure: 'Let the user add a phone number first, or replace the address.',
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
  ...fileReplies,
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The database, or another service that the request needs, cannot be reached; or the service is starting or stopping.',
    cure: waitAndRepeat,
  },
  SERVICE_STOPPING: {
    status: 503,
    when: 'The service stops and did not answer within STOP_WAIT, for example because the body was still arriving. An upload in several requests keeps what has arrived.',
    cure: 'Repeat the request after the time in Retry-After, on a new connection. Continue an upload in several requests at the offset that it answers.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'The service has a fault. The response contains only the request id.',
    cure: 'Report the request id to the operator.',
  },
};
