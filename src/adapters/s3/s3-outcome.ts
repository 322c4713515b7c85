// The outcome of an S3 request: a value, or a problem that says whether a retry may help. Also the retry loop.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../kernel/failure.ts';
import { childrenOf, nameOfElement, readXml, textOf } from './s3-xml.ts';

export const storageOperations = ['keep', 'read', 'remove', 'list'] as const;

export const refusalReasons = [
  'denied',
  'clock',
  'missing',
  'full',
  'busy',
  'fault',
  'answer',
  'connection',
  'time-out',
  'given up',
] as const;

type Reason = (typeof refusalReasons)[number];

/** The operation, and the class of the failure. */
export type StorageRefusal = { readonly act: (typeof storageOperations)[number]; readonly reason: Reason };

/** `isPassing`: a retry may succeed. */
export type S3Problem = { readonly failure: Failure; readonly isPassing: boolean; readonly reason: Reason };
export type Outcome<T> = { readonly value: T } | S3Problem;

/** Called for every failed attempt: the class is for the metrics, the detail for the log. */
export type ReportRefusal = (refusal: StorageRefusal & { readonly detail: string }) => void;

const clockCodes = new Set(['RequestTimeTooSkewed', 'RequestExpired']);
const fullCodes = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);
const passingCodes = new Set(['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted']);

/** Tries once, then again after each pause, while the problem is passing and the signal is not aborted. */
export async function retry<T>(
  pauses: readonly number[],
  attempt: () => Promise<Outcome<T>>,
  signal?: AbortSignal,
): Promise<T> {
  for (let round = 0; ; round++) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    const pause = pauses[round];
    if (pause === undefined || !outcome.isPassing || signal?.aborted === true) throw outcome.failure;
    // Random pauses, so that callers that failed together do not retry together.
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => Promise.reject(outcome.failure));
  }
}

/** The problem of an unexpected response. Keeps only the error code of its text, because the rest may quote the request. */
export function refused(what: string, status: number, xml: string): S3Problem {
  const code = errorCodeOf(xml);
  const detail = `S3 answered ${what} with ${status} ${code}`.trimEnd();
  if (status === 507 || fullCodes.has(code)) {
    return { failure: new Failure('STORAGE_FULL', {}, new Error(detail)), isPassing: false, reason: 'full' };
  }
  const isPassing = status >= 500 || status === 429 || passingCodes.has(code);
  return unavailable(detail, classOf(status, code), isPassing);
}

/** Only NoSuchKey says that an object is not there: a bucket that is not there, or a proxy, says something else. */
export function isMissingObject({ cause }: Failure): boolean {
  return cause instanceof Error && cause.message.endsWith(' with 404 NoSuchKey');
}

/** Empty if the text is not an S3 error, for example the error page of a proxy. */
export function errorCodeOf(xml: string): string {
  const root = readXml(xml);
  if (root === undefined) return '';
  // Some services wrap the error in an ErrorResponse.
  const error = nameOfElement(root) === 'Error' ? root : childrenOf(root, 'Error')[0];
  const code = error === undefined ? '' : (textOf(error, 'Code') ?? '');
  return /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : '';
}

function classOf(status: number, code: string): Reason {
  if (clockCodes.has(code)) return 'clock';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'missing';
  if (status === 429 || status === 503 || code === 'SlowDown') return 'busy';
  return status >= 500 || passingCodes.has(code) ? 'fault' : 'answer';
}

/** The detail is logged, so it must not contain a credential or a signature. */
export function unavailable(detail: string, reason: Reason = 'answer', isPassing = false): S3Problem {
  const failure = new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error(detail));
  return { failure, isPassing, reason };
}
