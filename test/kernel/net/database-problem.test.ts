// Why PostgreSQL cannot be used, as the operator reads it: the cause by error code, the places without a password.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDatabaseProblem } from '../../../src/kernel/net/database-problem.ts';

const url = 'postgres://ann:hunter2@db:5433/x';
const fault = (code: string | undefined, message = 'text of the driver', more: object = {}) =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more);

describe('the cause of a database problem', () => {
  for (const [error, cause, cure] of [
    [
      fault('POOLER_MODE'),
      'a connection pooler in transaction mode is in front of it and loses session settings',
      /session mode/,
    ],
    [fault('ECONNREFUSED'), 'the connection was refused, ECONNREFUSED', /start PostgreSQL there/],
    [fault('ENOTFOUND'), 'the host name is unknown, ENOTFOUND', /correct the host/],
    [fault('EAI_AGAIN'), 'the host name is unknown', /check the DNS/],
    [fault('EHOSTUNREACH'), 'the host cannot be reached, EHOSTUNREACH', /check the network/],
    [fault('ENETUNREACH'), 'the host cannot be reached, ENETUNREACH', /check the network/],
    [fault('ENOENT'), 'the socket does not exist, ENOENT', /correct the path/],
    [fault('53300'), 'it has no free connections, 53300', /lower DATABASE_POOL/],
    [fault('57P03'), 'it is starting up or recovering, 57P03', /wait/],
    [fault('28P01'), 'it refuses the user, 28P01', /user and password/],
    [fault('28000'), 'it refuses the user, 28000', /pg_hba/],
    [fault('3D000'), 'the database does not exist, 3D000', /create it/],
    [fault('25006'), 'no server accepts writes, 25006', /promote a standby/],
    [fault('55P03'), 'other connections lock its tables, 55P03', /pg_stat_activity/],
    [fault('40P01'), 'other connections lock its tables, 40P01', /pg_stat_activity/],
    [fault('42501'), 'the user lacks a permission, 42501', /owner/],
    [fault('CLUSTER_STRANGE'), 'it is the database of another installation, or was never started', /storage adopt/],
    [
      fault('CLUSTER_UNPROVED'),
      'it is not the database that this node knows, and the storage does not confirm it',
      /make the storage available/,
    ],
    [fault('CLUSTER_FILE'), 'the file database-cluster.json in DATA_DIR is damaged', /database adopt/],
    [fault('DATABASE_EMPTY'), 'this database has no Gatehouse tables', /migrate up first.*check DATABASE_URL/],
    [fault('DATABASE_OTHER'), 'its table schema_migrations belongs to another program', /check DATABASE_URL/],
    [
      Object.assign(fault('DATABASE_GRANT', 'the user lacks the right CREATE'), { cure: 'grant create' }),
      'the user lacks the right CREATE',
      /^grant create$/,
    ],
    [fault('ETIMEDOUT'), 'it does not answer, ETIMEDOUT', /firewall/],
    [fault(undefined, 'Connection timed out'), 'it does not answer', /firewall/],
    [fault(undefined, 'Query read timeout'), 'it does not answer', /firewall/],
    [fault('XX000', 'internal error'), 'internal error, XX000', /check that the server runs/],
    [fault('xx', 'odd'), 'odd', /check that the server runs/],
    [fault(undefined, ''), 'unknown', /check that the server runs/],
    [fault('E1', ''), 'E1', /check that the server runs/],
  ] as [Error & { code?: string }, string, RegExp][]) {
    it(`an error with ${error.code ?? JSON.stringify(error.message)} means: ${cause}`, () => {
      const problem = describeDatabaseProblem(url, error);
      assert.equal(problem.cause, cause);
      assert.match(problem.cure, cure);
    });
  }

  it('an error of several addresses is explained by one of its parts, and so is a cause', () => {
    const parts = new AggregateError([fault(undefined, 'x'), fault('ECONNREFUSED')], '');
    assert.equal(describeDatabaseProblem(url, parts).cause, 'the connection was refused');
    const wrapped = new Error('failed', { cause: fault('3D000') });
    assert.equal(describeDatabaseProblem(url, wrapped).cause, 'the database does not exist');
  });

  it('a number in a message is not taken for the code of a refused user', () => {
    assert.equal(
      describeDatabaseProblem(url, fault('42703', 'column 28 is missing')).cause,
      'column 28 is missing, 42703',
    );
  });
});

describe('the place of a database', () => {
  for (const [text, place] of [
    ['postgres://ann:hunter2@db:5433/x', 'db:5433'],
    ['postgres://ann:hunter2@db/x', 'db:5432'],
    ['postgres://ann:hunter2@one:1,two/x', 'one:1, two:5432'],
    ['postgres:///x', 'localhost:5432'],
    ['postgres:///x?host=/run/pg', '/run/pg'],
    ['nonsense', ''],
  ] as const) {
    it(`${text} is at “${place}”`, () => {
      const problem = describeDatabaseProblem(text, fault('ECONNREFUSED'));
      assert.equal(problem.place, place);
      assert.ok(!JSON.stringify(problem).includes('hunter2'));
    });
  }
});
