// How a command fails: one sentence and an exit code for each kind of error, and stack traces only on request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BackupError } from '../../src/backup/snapshot.ts';
import { CommandError, reportError } from '../../src/commands/command-error.ts';
import { Failure } from '../../src/kernel/failure.ts';

function report(error: unknown, showsStack = false) {
  const written: string[] = [];
  const exitCode = reportError(error, showsStack, (text) => written.push(text));
  return { exitCode, written };
}

const hint = ' Set LOG_LEVEL=debug to see the stack trace.';

describe('an error of a command', () => {
  for (const [what, error, exitCode, sentence] of [
    ['a command error', new CommandError('Nothing was changed.'), 1, 'Nothing was changed.'],
    ['wrong use', new CommandError('Give a reason.', 2), 2, 'Give a reason.'],
    ['wrong settings', new CommandError('Fix it.\n\n', 78), 78, 'Fix it.'],
    ['an error of a backup', new BackupError('Use another backup.'), 1, 'Use another backup.'],
    ['nobody', new Failure('NOT_FOUND'), 1, 'There is no such user or record.'],
    ['no file', new Failure('FILE_NOT_FOUND'), 1, 'There is no such file.'],
    ['no address', new Failure('EMAIL_INVALID'), 2, 'This is not an e-mail address.'],
    ['another failure', new Failure('MESSAGE_GONE'), 1, 'This failed with MESSAGE_GONE.'],
    [
      'another failure with a cause',
      new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error('no bucket')),
      1,
      'This failed with STORAGE_UNAVAILABLE: no bucket. Run gatehouse doctor.',
    ],
    [
      'a database that is away',
      new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error('refused')),
      1,
      'The database is not available: refused. Check that it runs, and that DATABASE_URL or DATA_DIR names it.',
    ],
    [
      'a database that is away without a cause',
      new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }),
      1,
      'The database is not available. Check that it runs, and that DATABASE_URL or DATA_DIR names it.',
    ],
    ['any error', new Error('it broke'), 1, `it broke.${hint}`],
    ['any error with its own end', new Error('Did it break?'), 1, `Did it break?${hint}`],
    [
      'an error without words',
      Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
      1,
      `This failed with ECONNREFUSED. Run gatehouse doctor.${hint}`,
    ],
    ['no error at all', 'text', 1, `Something went wrong.${hint}`],
  ] as const) {
    it(`${what} exits with ${exitCode}`, () =>
      assert.deepEqual(report(error), { exitCode, written: [`gatehouse: ${sentence}\n`] }));
  }

  it('a wrong name of a user is wrong use, and the sentence says which names there are', () => {
    const { exitCode, written } = report(new Failure('REQUEST_INVALID', { field: 'who' }));
    assert.equal(exitCode, 2);
    assert.match(written[0] ?? '', /an id, a full phone number with its plus sign, or an e-mail address/);
  });

  it('on request the stacks come first: of an error and of its cause, but not of an expected one', () => {
    const cause = new Error('the cause');
    const stacks = (error: unknown) =>
      report(error, true)
        .written.slice(0, -1)
        .map((text) => text.split('\n')[0]);
    assert.deepEqual(stacks(new Error('outer', { cause })), ['Error: outer', 'Error: the cause']);
    assert.deepEqual(stacks(new CommandError('expected', 1, { cause })), ['Error: the cause']);
    assert.deepEqual(stacks(new CommandError('expected')), []);
    assert.deepEqual(stacks('text'), []);
  });
});
