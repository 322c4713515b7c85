// A check of the doctor that fails itself: what it has found stays, and its failure is a finding.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attempt, type Findings } from '../../../src/commands/doctor/attempt.ts';
import { good } from '../../../src/commands/doctor/finding.ts';

describe('a check of the doctor', () => {
  const fine = good('sms', 'answers');
  const failed = (detail: string) => ({ name: 'sms', state: 'bad', detail: `cannot be checked: ${detail}` });
  for (const [what, check, expected] of [
    ['a list is passed on', () => [fine], [fine]],
    ['a promise is passed on', async () => [fine], [fine]],
    [
      'findings before a failure stay',
      async function* () {
        yield fine;
        throw new Error('no socket');
      },
      [fine, failed('no socket')],
    ],
    [
      'a failure without a promise is a finding',
      () => {
        throw new Error('no socket');
      },
      [failed('no socket')],
    ],
    [
      'a failure without a message is shown by its code',
      () => Promise.reject(Object.assign(new Error(), { code: 'EBROKEN' })),
      [failed('EBROKEN')],
    ],
    [
      'the cause of a failure is shown',
      () => Promise.reject(new Error('x', { cause: new Error('why') })),
      [failed('why')],
    ],
  ] as [string, () => Findings, object[]][]) {
    it(what, async () => {
      const found = (await Array.fromAsync(attempt('sms', check))).map(({ cure: _, ...rest }) => rest);
      assert.deepEqual(found, expected);
    });
  }
});
