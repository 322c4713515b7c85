// What the outcome of an examination means for the upload, and what is logged about it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOf } from '../../../src/adapters/examiner/create-examiner.ts';

function judge(outcome: Parameters<typeof failureOf>[0]) {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (event: string, facts: object = {}) =>
      void lines.push(`${level} ${event} ${JSON.stringify(facts)}`);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const { code, detail, cause } = failureOf(outcome, log);
  return { code, detail, cause: cause instanceof Error ? cause.message : undefined, lines };
}

const refusal = (code: 'STORAGE_FULL' | 'FILE_CORRUPT', reason?: string) =>
  ({ kind: 'refusal', refusal: { code, detail: { uploadOffset: 5 }, reason } }) as const;

describe('the outcome of an examination', () => {
  it('a refusal keeps its code and detail, and its reason as the cause', () =>
    assert.deepEqual(judge(refusal('STORAGE_FULL', 'ENOSPC')), {
      code: 'STORAGE_FULL',
      detail: { uploadOffset: 5 },
      cause: 'ENOSPC',
      lines: [],
    }));

  it('a refusal without a reason has no cause', () => assert.equal(judge(refusal('STORAGE_FULL')).cause, undefined));

  it('the reason of a corrupt file is logged and stays out of the answer', () =>
    assert.deepEqual(judge(refusal('FILE_CORRUPT', 'bad chunk')), {
      code: 'FILE_CORRUPT',
      detail: { uploadOffset: 5 },
      cause: undefined,
      lines: ['info file refused {"reason":"bad chunk"}'],
    }));

  for (const loss of ['time', 'memory', 'crash'] as const) {
    it(`a file that ended its thread by ${loss} is corrupt, and that is a warning`, () => {
      const { code, lines } = judge({ kind: 'lost', loss, error: undefined });
      assert.equal(code, 'FILE_CORRUPT');
      assert.deepEqual(lines, [`warn a file ended the thread that examined it {"loss":"${loss}"}`]);
    });
  }

  it('a file that was not examined may be sent again, and a thread that cannot start is an error', () => {
    const waited = judge({ kind: 'unavailable', error: undefined });
    assert.deepEqual([waited.code, waited.detail, waited.lines], ['SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, []]);
    assert.match(
      judge({ kind: 'unavailable', error: 'no memory' }).lines[0] ?? '',
      /^error no thread to examine files/,
    );
  });
});
