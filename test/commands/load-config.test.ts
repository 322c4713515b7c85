// The settings of a command: problems told at once, with the file that a setting is in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeProblems } from '../../src/commands/load-config.ts';

describe('the problems of settings', () => {
  const port = { name: 'PORT', trouble: 'is “x”, which cannot be read', cure: 'write a number' };

  it('one problem is told with its cure', () =>
    assert.equal(
      describeProblems([port]),
      '1 setting needs attention.\n\n  PORT is “x”, which cannot be read: write a number\n\nEvery setting is explained in .env.example.',
    ));

  it('several problems are told together', () => {
    const text = describeProblems([port, { name: 'HOST', trouble: 'is required', cure: 'write one' }]);
    assert.match(text, /^2 settings need attention\.\n\n {2}PORT .*\n {2}HOST is required: write one\n\n/);
  });
});
