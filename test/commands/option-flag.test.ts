// How an option is written on the command line.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { optionFlag } from '../../src/commands/option-flag.ts';

describe('an option', () => {
  for (const [name, expected] of [
    ['json', '--json'],
    ['dbOnly', '--db-only'],
    ['deleteSourceNow', '--delete-source-now'],
  ] as const) {
    it(`${name} is written ${expected}`, () => assert.equal(optionFlag(name), expected));
  }
});
