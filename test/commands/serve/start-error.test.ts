// Why the service cannot start: the part at fault, the cause, and the exit code.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startError } from '../../../src/commands/serve/start-error.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import { InstallationMismatch } from '../../../src/files/storage/installation.ts';
import { ProgramFileError } from '../../../src/kernel/process/program-files.ts';

function configOf(env: Record<string, string> = {}): Config {
  const result = readConfig({ DATA_DIR: '/data', ...env }, 0);
  return 'config' in result ? result.config : assert.fail();
}
const postgres = configOf({ DATABASE_URL: 'postgres://ann:hunter2@db/x' });
const fault = (fields: object) => Object.assign(new Error('text'), fields);

describe('a start that fails', () => {
  for (const [what, config, cause, exitCode, message] of [
    [
      'a missing file of the program',
      configOf(),
      new ProgramFileError('Run npm run build.'),
      1,
      /^Cannot start\. Run npm run build\.$/,
    ],
    [
      'an error of SQLite',
      configOf(),
      fault({ code: 'ERR_SQLITE_ERROR' }),
      1,
      /^Cannot use the data folder \/data: text$/,
    ],
    [
      'a file in the data folder',
      configOf(),
      fault({ code: 'EACCES', path: '/data/secret' }),
      1,
      /^Cannot use the data folder \/data/,
    ],
    [
      'the data folder itself',
      configOf(),
      fault({ code: 'EACCES', path: '/data' }),
      1,
      /^Cannot use the data folder \/data/,
    ],
    [
      'a file beside the data folder',
      configOf(),
      fault({ code: 'EACCES', path: '/database/x' }),
      1,
      /^Cannot start: text\.$/,
    ],
    ['a file above the data folder', configOf(), fault({ code: 'EACCES', path: '/' }), 1, /^Cannot start: text\.$/],
    [
      'a file whose name starts with two dots',
      configOf(),
      fault({ code: 'EACCES', path: '/data/..x' }),
      1,
      /^Cannot use the data folder/,
    ],
    [
      'a secret that is a folder, beside PostgreSQL',
      postgres,
      fault({ code: 'EISDIR' }),
      1,
      /^Cannot use the data folder \/data/,
    ],
    [
      'a server that refuses',
      postgres,
      fault({ code: 'ECONNREFUSED', address: '10.0.0.1' }),
      1,
      /^Cannot use PostgreSQL at db:5432: the connection was refused/,
    ],
    [
      'a socket of PostgreSQL',
      postgres,
      fault({ code: 'EACCES', address: '/run/pg', path: undefined }),
      1,
      /^Cannot use PostgreSQL/,
    ],
    [
      'a pooler in the wrong mode',
      postgres,
      fault({ code: 'POOLER_MODE' }),
      78,
      /^Cannot use PostgreSQL at db:5432: a connection pooler/,
    ],
  ] as [string, Config, Error, number, RegExp][]) {
    it(`by ${what} exits with ${exitCode}`, () => {
      const error = startError(config, cause);
      assert.equal(error.exitCode, exitCode);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /hunter2/);
      assert.equal(error.cause, cause);
    });
  }

  it('by data that do not belong together exits with 78', () => {
    const facts = { database: 'a', storage: 'b', users: 0, records: 0, sample: { blobs: 0, known: 0, adrift: 0 } };
    const error = startError(configOf(), new InstallationMismatch('two installations', facts));
    assert.equal(error.exitCode, 78);
    assert.match(error.message, /^Cannot start\. The database and the storage do not belong together/);
  });
});
