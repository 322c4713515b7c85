// What a failed request means for an upload in several requests.
import type { GatehouseError } from './gatehouse-error.ts';

/**
 * `wait`: it may be over in a moment, or in an hour. `some`: the same, but it may also last, so only a few attempts. `offset`: the service has
 * another number of bytes. `smaller`: a proxy takes no requests of this size. `again`: the service no longer knows the upload. `final`: none of these.
 */
export type Verdict = 'wait' | 'some' | 'offset' | 'smaller' | 'again' | 'final';

const passing = [408, 425, 429, 502, 503, 504];

export function judgeFailure({ code, status }: Pick<GatehouseError, 'code' | 'status'>, isCreation = false): Verdict {
  if (code === 'UPLOAD_OFFSET_WRONG') return 'offset';
  if (code === 'UPLOAD_NOT_FOUND' || code === 'UPLOAD_EXPIRED') return 'again';
  if (code === 'UPLOAD_IN_PROGRESS' || passing.includes(status)) return 'wait';
  // During an upgrade: a node of a version that knows no such uploads. The next request may meet a newer one.
  if (code === 'NOT_FOUND' || (code === 'FILE_EMPTY' && isCreation)) return 'some';
  // Only the service sends codes, so this is the answer of a proxy, or there was none.
  if (code === 'NETWORK') return status === 0 ? 'wait' : status === 413 ? 'smaller' : 'some';
  if (code === 'BODY_TOO_LARGE') return 'smaller';
  return status >= 500 ? 'some' : 'final';
}
