// One line of the doctor.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bad, doubtful, good, writeFinding } from '../../../src/commands/doctor/finding.ts';

describe('a line of the doctor', () => {
  for (const [finding, text] of [
    [good('disk', 'is fine'), '✔ disk      is fine\n'],
    [doubtful('disk', 'is small', 'add one'), '! disk      is small\n            → add one\n'],
    [bad('database', 'is gone', 'find it'), '✖ database  is gone\n            → find it\n'],
  ] as const) {
    it(`that is ${finding.state} is written with its mark and its cure`, () =>
      assert.equal(writeFinding(finding), text));
  }
});
