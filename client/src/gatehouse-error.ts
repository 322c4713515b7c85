// The only error that the client throws: the failure that the service returned, or why it did not respond.
import type { FailureCode } from './api-types.ts';

/**
 * A code of the service, or one of the client: `NETWORK` (the service did not respond), `ABORTED` (the caller aborted the call),
 * `FILE_UNREADABLE` (the file changed or went away during the upload), `FILE_NOT_SAME` (another file than the upload began with),
 * `SESSION_STORAGE_FAILED` (the storage of the tokens is blocked, full or broken).
 */
export type ErrorCode =
  | FailureCode
  | 'NETWORK'
  | 'ABORTED'
  | 'FILE_UNREADABLE'
  | 'FILE_NOT_SAME'
  | 'SESSION_STORAGE_FAILED';

type ErrorFields = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly helpUrl?: string | undefined;
  readonly proofTicket?: string | undefined;
  readonly continueTo?: string | undefined;
  readonly cause?: unknown;
};

/**
 * Every call of the client fails with this error.
 * @example
 * try {
 *   await gatehouse.phone.signIn('+12025550123', '482913');
 * } catch (error) {
 *   if (!(error instanceof GatehouseError)) throw error;
 *   console.log(error.code, error.message); // OTP_INVALID The code is incorrect. You have 4 attempts left.
 * }
 */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  /** Stable: decide by this, and show `message` to the user. */
  readonly code: ErrorCode;
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  /** When to try again, if the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Quote this ID when you report a problem to the operator. */
  readonly requestId: string | undefined;
  /** The entry of `code` in the error catalogue. */
  readonly helpUrl: string | undefined;
  /** Only with `PHONE_NEEDS_PROOF`: for `phone.claim`, within ten minutes. */
  readonly proofTicket: string | undefined;
  /** Only with `LINK_EXPIRED`: the path at which the sign-in of the app goes on. */
  readonly continueTo: string | undefined;

  constructor(fields: ErrorFields) {
    const { code, message, status = 0, retryAfterSeconds, requestId, helpUrl, proofTicket, continueTo, cause } = fields;
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
    this.helpUrl = helpUrl;
    this.proofTicket = proofTicket;
    this.continueTo = continueTo;
  }
}

/** Returns a GatehouseError unchanged. Converts any other error to `ABORTED` or `NETWORK`. */
export function toGatehouseError(error: unknown, isAborted = false): GatehouseError {
  if (error instanceof GatehouseError) return error;
  return isAborted
    ? new GatehouseError({ code: 'ABORTED', message: 'The call was aborted.', cause: error })
    : new GatehouseError({ code: 'NETWORK', message: 'The service cannot be reached.', cause: error });
}
