// The outcome of an S3 request: the class of each refusal, whether a retry may help, and how often it is tried.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorCodeOf, type Outcome, refused, retry, unavailable } from '../../../src/adapters/s3/s3-outcome.ts';

const error = (code: string) => `<Error><Code>${code}</Code><Message>quotes the request</Message></Error>`;

describe('a refusal of S3', () => {
  for (const [status, code, reason, isPassing, failure] of [
    [403, 'AccessDenied', 'denied', false, 'STORAGE_UNAVAILABLE'],
    [401, '', 'denied', false, 'STORAGE_UNAVAILABLE'],
    [403, 'RequestTimeTooSkewed', 'clock', false, 'STORAGE_UNAVAILABLE'],
    [403, 'RequestExpired', 'clock', false, 'STORAGE_UNAVAILABLE'],
    [404, 'NoSuchKey', 'missing', false, 'STORAGE_UNAVAILABLE'],
    [404, 'NoSuchBucket', 'missing', false, 'STORAGE_UNAVAILABLE'],
    [429, '', 'busy', true, 'STORAGE_UNAVAILABLE'],
    [503, 'SlowDown', 'busy', true, 'STORAGE_UNAVAILABLE'],
    [503, '', 'busy', true, 'STORAGE_UNAVAILABLE'],
    [200, 'SlowDown', 'busy', true, 'STORAGE_UNAVAILABLE'],
    [200, 'InternalError', 'fault', true, 'STORAGE_UNAVAILABLE'],
    [400, 'RequestTimeout', 'fault', true, 'STORAGE_UNAVAILABLE'],
    [409, 'OperationAborted', 'fault', true, 'STORAGE_UNAVAILABLE'],
    [500, '', 'fault', true, 'STORAGE_UNAVAILABLE'],
    [502, '', 'fault', true, 'STORAGE_UNAVAILABLE'],
    [507, '', 'full', false, 'STORAGE_FULL'],
    [403, 'QuotaExceeded', 'full', false, 'STORAGE_FULL'],
    [507, 'XMinioStorageFull', 'full', false, 'STORAGE_FULL'],
    [400, 'XMinioAdminBucketQuotaExceeded', 'full', false, 'STORAGE_FULL'],
    [400, 'MalformedXML', 'answer', false, 'STORAGE_UNAVAILABLE'],
    [301, 'PermanentRedirect', 'answer', false, 'STORAGE_UNAVAILABLE'],
    [200, '', 'answer', false, 'STORAGE_UNAVAILABLE'],
  ] as const) {
    it(`${status} ${code || 'without a code'} is ${reason}, ${isPassing ? 'passing' : 'lasting'}, and ${failure}`, () => {
      const problem = refused('PUT id', status, code === '' ? 'a page' : error(code));
      assert.deepEqual([problem.reason, problem.isPassing, problem.failure.code], [reason, isPassing, failure]);
      assert.equal((problem.failure.cause as Error).message, `S3 answered PUT id with ${status} ${code}`.trimEnd());
    });
  }

  it('only the code of an answer is kept, and only if it has the form of one', () => {
    assert.equal(errorCodeOf(error('A'.repeat(64))), 'A'.repeat(64));
    for (const code of ['A'.repeat(65), 'No Such Key', '', '<b/>', 'a-b'])
      assert.equal(errorCodeOf(error(code)), '', code);
  });

  it('an unavailable storage says when to come back', () => {
    const { failure, isPassing, reason } = unavailable('why');
    assert.deepEqual([failure.detail, isPassing, reason], [{ retryAfterSeconds: 5 }, false, 'answer']);
  });
});

describe('repeated requests to S3', () => {
  const passing = unavailable('busy', 'busy', true);
  const lasting = unavailable('denied', 'denied', false);
  const run = async (outcomes: readonly Outcome<string>[], pauses: readonly number[], signal?: AbortSignal) => {
    let tries = 0;
    const result = await retry(pauses, async () => outcomes[tries++] ?? assert.fail('one try too many'), signal).then(
      (value) => value,
      (failure: Error) => (failure.cause as Error).message,
    );
    return [result, tries];
  };

  for (const [what, outcomes, pauses, expected] of [
    ['a value at once', [{ value: 'v' }], [0, 0], ['v', 1]],
    ['a value after a passing problem', [passing, { value: 'v' }], [0, 0], ['v', 2]],
    ['a lasting problem', [lasting], [0, 0], ['denied', 1]],
    ['a lasting problem after a passing one', [passing, lasting], [0, 0], ['denied', 2]],
    ['passing problems only', [passing, passing, passing], [0, 0], ['busy', 3]],
    ['a passing problem without pauses', [passing], [], ['busy', 1]],
  ] as [string, Outcome<string>[], number[], [string, number]][]) {
    it(`${what} ends after ${expected[1]} tries with ${expected[0]}`, async () =>
      assert.deepEqual(await run(outcomes, pauses), expected));
  }

  it('nothing is tried again for a caller who has gone, before or during the pause', async () => {
    assert.deepEqual(await run([passing], [0], AbortSignal.abort()), ['busy', 1]);
    const controller = new AbortController();
    const waiting = run([passing], [5000], controller.signal);
    setImmediate(() => controller.abort());
    assert.deepEqual(await waiting, ['busy', 1]);
  });
});
