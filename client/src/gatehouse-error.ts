// The only error that the client throws: the failure that the service returned, or why it did not respond.
import type { FailureCode } from './api-types.ts';

/** A code of the service, or `NETWORK` (the service did not respond) or `ABORTED` (the caller's signal aborted the call). */
export type ErrorCode = FailureCode | 'NETWORK' | 'ABORTED';

type ErrorFields = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly helpUrl?: string | undefined;
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

  constructor({ code, message, status = 0, retryAfterSeconds, requestId, helpUrl, cause }: ErrorFields) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
    this.helpUrl = helpUrl;
  }
}

/** Returns a GatehouseError unchanged. Converts any other error to `ABORTED` or `NETWORK`. */
export function toGatehouseError(error: unknown, isAborted = false): GatehouseError {
  if (error instanceof GatehouseError) return error;
  return isAborted
    ? new GatehouseError({ code: 'ABORTED', message: 'The call was aborted.', cause: error })
    : new GatehouseError({ code: 'NETWORK', message: 'The service cannot be reached.', cause: error });
}
