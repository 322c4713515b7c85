// The one error of the client: what the service answered, or why no answer came.
import type { FailureCode } from './api-types.ts';

/** `NETWORK`: no answer of the service came. `ABORTED`: the caller's own signal ended the call. */
export type ErrorCode = FailureCode | 'NETWORK' | 'ABORTED';

type Facts = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly helpUrl?: string | undefined;
  readonly cause?: unknown;
};

export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  readonly code: ErrorCode;
  /** HTTP status; 0 where nothing was answered. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  readonly helpUrl: string | undefined;

  constructor({ code, message, status = 0, retryAfterSeconds, requestId, helpUrl, cause }: Facts) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
    this.helpUrl = helpUrl;
  }
}

/** What a call that threw came to: our own error as it is, anything else as a failure of the network. */
export function toGatehouseError(error: unknown, isAborted = false): GatehouseError {
  if (error instanceof GatehouseError) return error;
  return isAborted
    ? new GatehouseError({ code: 'ABORTED', message: 'The call was stopped.', cause: error })
    : new GatehouseError({ code: 'NETWORK', message: 'The service cannot be reached.', cause: error });
}
