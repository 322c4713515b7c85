// The options of the bench: their defaults, and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { help, readOptions } from '../../bench/options.ts';

describe('the options of npm run bench', () => {
  it('a run has three rounds of two seconds, a comparison two of one', () => {
    const { rounds, seconds, workloads } = readOptions(['refresh', '--peer', 'floor']);
    assert.deepEqual({ rounds, seconds, workloads }, { rounds: 3, seconds: 2, workloads: ['refresh'] });
    const comparison = readOptions(['--against', 'HEAD']);
    assert.deepEqual([comparison.rounds, comparison.seconds, comparison.against], [2, 1, 'HEAD']);
    assert.equal(readOptions([], { BENCH_SECONDS: '7' }).seconds, 7);
  });

  it('nothing is recorded or written without being asked', () => {
    const { isRecorded, isWritten } = readOptions([]);
    assert.deepEqual([isRecorded, isWritten], [false, false]);
    assert.equal(readOptions(['--record']).isRecorded, true);
  });

  it('refuses numbers that are none and options that it does not have', () => {
    for (const args of [
      ['--rounds', '0'],
      ['--seconds', 'x'],
      ['--warm-up', '-1'],
      ['--agianst', 'HEAD'],
    ])
      assert.throws(() => readOptions(args), Error, args.join(' '));
  });

  it('the help names every option', () => {
    for (const name of [
      'peer',
      'rounds',
      'seconds',
      'warm-up',
      'record',
      'write',
      'from',
      'against',
      'with-flags',
      'list',
    ])
      assert.match(help, new RegExp(`^  --${name}[ =]`, 'm'));
  });
});
