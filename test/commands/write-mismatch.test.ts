// Why a database and a storage do not belong together, without a secret of either.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePlaces, explainMismatch, writeMismatch } from '../../src/commands/write-mismatch.ts';
import {
  InstallationMismatch,
  type InstallationState,
  type MismatchReason,
} from '../../src/files/storage/installation.ts';
import { parseProviderUrl } from '../../src/kernel/net/provider-url.ts';

const facts: InstallationState = {
  database: 'one',
  storage: undefined,
  users: 1,
  records: 2,
  sample: { blobs: 3, known: 1, adrift: 2 },
};
const local = { databaseUrl: undefined, storage: undefined, dataDir: '/data' };
const s3 = {
  ...(parseProviderUrl('s3://KEY:hunter2@s3.example.com/bucket?prefix=files/', 'host') ?? assert.fail()),
  scheme: 's3',
} as const;
const remote = {
  databaseUrl: 'postgres://ann:hunter2@db:5432,two/name?sslmode=require',
  storage: s3,
  dataDir: '/data',
};

describe('the places of the data', () => {
  it('on one machine are named by the folder', () =>
    assert.equal(
      describePlaces(local, facts),
      [
        '  database  SQLite in DATA_DIR=/data (DATABASE_URL is not set): one, 1 user, 2 file records',
        '  storage   disk in DATA_DIR=/data (STORAGE_URL is not set): no installation id, 1 of 3 files in the sample have a record in this database',
      ].join('\n'),
    ));

  it('elsewhere are named by host and name, without credentials', () =>
    assert.equal(
      describePlaces(remote, {
        ...facts,
        database: undefined,
        storage: 'two',
        sample: { blobs: 0, known: 0, adrift: 0 },
      }),
      [
        '  database  PostgreSQL of DATABASE_URL (name on db:5432,two:5432): no installation id, 1 user, 2 file records',
        '  storage   S3 of STORAGE_URL (s3.example.com/bucket files/): two, no files',
      ].join('\n'),
    ));

  for (const [databaseUrl, shown] of [
    ['postgres://db', '(of the user on db:5432)'],
    ['postgres://db/x?password=hunter2', '(x on db:5432)'],
    ['postgres://a:hunter2@db/x', '(x on db:5432)'],
    ['postgres://a@db/x?host=other&port=6000', '(x on other:6000)'],
  ] as const) {
    it(`${databaseUrl} is shown as ${shown}`, () => {
      const text = describePlaces({ ...remote, databaseUrl }, facts);
      assert.ok(text.includes(`DATABASE_URL ${shown}`), text);
      assert.doesNotMatch(text, /hunter2|KEY/);
    });
  }

  it('a storage without a prefix has no space before its bracket', () =>
    assert.match(describePlaces({ ...remote, storage: { ...s3, query: {} } }, facts), /\(s3\.example\.com\/bucket\)/));
});

describe('a mismatch', () => {
  const reasons: Readonly<Record<MismatchReason, RegExp>> = {
    'two installations': /ids of two different installations/,
    'new database': /has never been used with it/,
    'strange files': /holds files that this database does not know/,
    'no files': /the storage is empty/,
    'not joined': /has not run on them yet/,
  };
  for (const [reason, cause] of Object.entries(reasons) as [MismatchReason, RegExp][]) {
    it(`of the kind “${reason}” is reported with its cause, the places, a cure, and that nothing was changed`, () => {
      const text = writeMismatch(local, new InstallationMismatch(reason, facts));
      assert.match(text, cause);
      assert.ok(text.includes(describePlaces(local, facts)) && text.endsWith('Nothing was changed or removed.\n'));
      const [short, cure] = explainMismatch(reason);
      assert.match(short, cause);
      assert.ok(!cure.includes('\n') && cure.length > 20);
      assert.equal(/storage adopt/.test(cure), reason !== 'not joined');
    });
  }
});
