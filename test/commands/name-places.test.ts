// The line that names database and storage, for each kind of both, without a secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namePlaces } from '../../src/commands/name-places.ts';
import { readConfig } from '../../src/config/config.ts';

const s3 = 's3://KEY:hunter2@s3.example.com/bucket?region=x';

describe('the first line of a command', () => {
  for (const [env, line] of [
    [{}, 'Database: /d/gatehouse.db (SQLite, does not exist yet) · Files: /d/files (disk)'],
    [
      { DATABASE_URL: 'postgres://ann:hunter2@db1,db2:6432/gate%20house?sslmode=require', STORAGE_URL: s3 },
      'Database: PostgreSQL gate house on db1:5432,db2:6432 · Files: S3 bucket on s3.example.com',
    ],
    [
      { DATABASE_URL: 'postgres://ann:hunter2@localhost/x?host=/run/postgresql', STORAGE_URL: `${s3}&prefix=test` },
      'Database: PostgreSQL x on /run/postgresql · Files: S3 bucket under test on s3.example.com',
    ],
    [
      { DATABASE_URL: 'postgres://ann:hunter2@[::1]' },
      'Database: PostgreSQL ann on [::1]:5432 · Files: /d/files (disk)',
    ],
    [
      { DATABASE_URL: 'postgres://ann@db1/x?host=db9&port=6000' },
      'Database: PostgreSQL x on db9:6000 · Files: /d/files (disk)',
    ],
    [
      { DATABASE_URL: 'postgres:///', PGHOST: 'db9', PGPORT: '6000', PGDATABASE: 'y' },
      'Database: PostgreSQL y on db9:6000 · Files: /d/files (disk)',
    ],
    [
      { DATABASE_URL: 'postgres://db1:7000,db2', PGHOST: 'db9', PGPORT: '6000', PGUSER: 'bob' },
      'Database: PostgreSQL bob on db1:7000,db2:6000 · Files: /d/files (disk)',
    ],
    [
      { DATABASE_URL: 'postgres:///x', PGHOST: '/run/pg', PGPORT: '6000' },
      'Database: PostgreSQL x on /run/pg:6000 · Files: /d/files (disk)',
    ],
  ] as [Record<string, string>, string][]) {
    it(line, () => {
      const result = readConfig({ DATA_DIR: '/d', ...env }, 0);
      assert.equal(namePlaces('config' in result ? result.config : assert.fail(JSON.stringify(result.problems))), line);
    });
  }
});
