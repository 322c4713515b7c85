// Classes of PostgreSQL errors: who is at fault, and whether another attempt may help.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import {
  codeOf,
  isAnswer,
  isConnectionLoss,
  isOutOfConnections,
  isRace,
  isStoreProblem,
} from '../../../src/store/postgres/postgres-errors.ts';

const answer = (code: string, message = 'text') => Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
const network = (code: string, message = 'text') => Object.assign(new Error(message), { code });

describe('an error of PostgreSQL', () => {
  for (const [what, error, isTheAnswer, isLoss, isProblem] of [
    ['a unique-key conflict', answer('23505'), true, false, false],
    ['a syntax error', answer('42601'), true, false, false],
    ['a serialisation conflict', answer('40001'), true, false, true],
    ['a deadlock', answer('40P01'), true, false, true],
    ['a lock time-out', answer('55P03'), true, false, true],
    ['too many connections', answer('53300'), true, false, true],
    ['a full disk', answer('53100'), true, false, true],
    ['a shutdown', answer('57P01'), false, true, true],
    ['a crash', answer('57P02'), false, true, true],
    ['a start', answer('57P03'), false, true, true],
    ['a read-only standby', answer('25006'), false, true, true],
    ['a lost connection by its code', answer('08006'), false, true, true],
    ['a cancelled statement', answer('57014'), true, false, true],
    ['a refused connection', network('ECONNREFUSED'), false, true, true],
    ['a reset', network('ECONNRESET'), false, true, true],
    ['an unreachable server', network('UNREACHABLE'), false, true, true],
    ['a connection that ended', new Error('Connection terminated unexpectedly'), false, true, true],
    ['a client that is closed', new Error('Client was closed and is not queryable'), false, true, true],
    ['a time-out', new Error('Query read timeout'), false, true, true],
    ['a mistake of ours', new TypeError('x is not a function'), false, true, false],
    ['a text', 'text', false, true, false],
  ] as const) {
    it(`${what} is ${isTheAnswer ? 'an answer' : 'no answer'}, ${isLoss ? 'a loss' : 'no loss'}, and ${isProblem ? 'a problem of the store' : 'none of the store'}`, () =>
      assert.deepEqual(
        [isAnswer(error), isConnectionLoss(error), isStoreProblem(error)],
        [isTheAnswer, isLoss, isProblem],
      ));
  }

  for (const [code, round, expected] of [
    ['40001', 100, true],
    ['40P01', 100, true],
    ['23505', 5, true],
    ['23505', 6, false],
    ['42601', 0, false],
    ['ECONNRESET', 0, false],
  ] as const) {
    it(`${code} in round ${round} is ${expected ? '' : 'not '}a race`, () =>
      assert.equal(isRace(answer(code), round), expected));
  }

  for (const [error, expected] of [
    [answer('53300'), true],
    [network('x', 'sorry, too many clients already'), true],
    [network('08P01', 'no more connections allowed (max_client_conn)'), true],
    [network('x', 'too many connections for role'), true],
    [answer('53100'), false],
  ] as const) {
    it(`“${error.message}” with ${error.code} ${expected ? 'means' : 'does not mean'} that connections ran out`, () =>
      assert.equal(isOutOfConnections(error), expected));
  }

  it('the code of anything is a text, empty if there is none', () => {
    assert.equal(codeOf(answer('23505')), '23505');
    for (const value of [undefined, {}, { code: 5 }, 'x', new Error('x')]) assert.equal(codeOf(value), '');
  });
});
