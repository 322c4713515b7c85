// When to try again, in words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languages } from '../../../src/kernel/text/language.ts';
import { writeWait } from '../../../src/kernel/work/write-wait.ts';

describe('the time of the next try', () => {
  for (const [seconds, expected] of [
    [1, 'in 1 second'],
    [42, 'in 42 seconds'],
    [119, 'in 119 seconds'],
    [120, 'in 2 minutes'],
    [121, 'in 3 minutes'],
    [540, 'in 9 minutes'],
    [7199, 'in 120 minutes'],
    [7200, 'in 2 hours'],
    [7201, 'in 3 hours'],
    [86_400, 'in 24 hours'],
  ] as const)
    it(`${seconds} seconds are written as “${expected}”`, () => {
      assert.equal(writeWait('en', seconds), expected);
    });

  it('every language has its own words, with the digits 0 to 9', () => {
    for (const language of languages) assert.match(writeWait(language, 540), /9/);
    assert.equal(writeWait('de', 540), 'in 9 Minuten');
    assert.equal(writeWait('ru', 61), 'через 61 секунду');
    assert.equal(writeWait('ar', 540), 'بعد 9 دقائق');
  });
});
