// What came of a request to S3: a value, or a failure and whether another try may help; and the tries.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../kernel/failure.ts';

/** A passing trouble may be gone at the next try; any other stays. */
export type Trouble = { readonly failure: Failure; readonly isPassing: boolean };
export type Outcome<T> = { readonly value: T } | Trouble;

const fullCodes = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);
const passingCodes = new Set(['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted']);

/** Tries once, and again after each pause while the trouble is passing. */
export async function retry<T>(pauses: readonly number[], attempt: () => Promise<Outcome<T>>): Promise<T> {
  for (let round = 0; ; round++) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    const pause = pauses[round];
    if (pause === undefined || !outcome.isPassing) throw outcome.failure;
    // Spread out, so that callers who failed together do not come back together.
    await sleep(pause * (0.5 + Math.random() / 2));
  }
}

/** An answer other than the wanted one. Of its text only the code is kept: the rest may quote the request. */
export function refused(what: string, status: number, xml: string): Trouble {
  const code = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1] ?? '';
  const reason = `S3 answered ${what} with ${status} ${code}`.trimEnd();
  if (status === 507 || fullCodes.has(code)) {
    const failure = new Failure('STORAGE_FULL');
    failure.cause = new Error(reason);
    return { failure, isPassing: false };
  }
  return unavailable(reason, status >= 500 || status === 429 || passingCodes.has(code));
}

/** The reason goes to the log; it must never hold a credential or a signature. */
export function unavailable(reason: string, isPassing = false): Trouble {
  const failure = new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
  failure.cause = new Error(reason);
  return { failure, isPassing };
}
