// What the doctor says about a scanner: old or missing signatures, a test file that passes, and a limit that is too small.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeScanner } from '../../../src/commands/doctor/examine-scanner.ts';
import type { ScannerState } from '../../../src/files/uploads/scan-provider.ts';

const now = Date.UTC(2031, 4, 5, 12);
const day = 86_400_000;
const well: ScannerState = { name: 'ClamAV 1', signaturesAt: now - day, findsTestFile: true, takesLargest: true };

describe('the judgement of a scanner', () => {
  const cases: readonly [what: string, changes: Partial<ScannerState>, expected: readonly (readonly string[])[]][] = [
    ['well', {}, [['good', 'ClamAV 1 finds the test file; its signatures are 1 days old']]],
    [
      'with a clock ahead of ours',
      { signaturesAt: now + day },
      [['good', 'ClamAV 1 finds the test file; its signatures are 0 days old']],
    ],
    [
      'with signatures of a week',
      { signaturesAt: now - 7.9 * day },
      [['good', 'ClamAV 1 finds the test file; its signatures are 7 days old']],
    ],
    ['with old signatures', { signaturesAt: now - 8 * day }, [['doubtful', 'ClamAV 1: its signatures are 8 days old']]],
    ['without a date', { signaturesAt: undefined }, [['doubtful', 'ClamAV 1 does not say how old its signatures are']]],
    ['blind', { findsTestFile: false }, [['bad', 'ClamAV 1 does not find the EICAR test file']]],
    [
      'with a small limit and no signatures',
      { takesLargest: false, findsTestFile: false },
      [
        ['bad', 'ClamAV 1 does not find the EICAR test file'],
        ['bad', 'ClamAV 1 refuses files of 200 MiB, the largest that the purposes allow'],
      ],
    ],
  ];
  for (const [what, changes, expected] of cases)
    it(`a scanner ${what} is ${expected.map(([state]) => state).join(' and ')}`, () => {
      const findings = judgeScanner({ ...well, ...changes }, 200 * 2 ** 20, now);
      assert.deepEqual(
        findings.map(({ name, state, detail }) => [name, state, detail]),
        expected.map((one) => ['scanner', ...one]),
      );
      for (const { state, cure } of findings) assert.equal(cure === undefined, state === 'good');
    });

  it('the cure of a small limit names the size to set', () => {
    const [finding] = judgeScanner({ ...well, takesLargest: false }, 200 * 2 ** 20 + 1, now);
    assert.equal(finding?.cure, 'set StreamMaxLength, MaxScanSize and MaxFileSize in clamd.conf to 201M or more');
  });
});
