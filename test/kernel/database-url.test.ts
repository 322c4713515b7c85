// A database URL with several servers: how it is split, and what is not a database URL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitDatabaseUrl } from '../../src/kernel/database-url.ts';
import { seed } from '../helpers/faults/rounds.ts';

describe('a database URL', () => {
  const cases: [text: string, urls: string[]][] = [
    ['postgres://db/x', ['postgres://db/x']],
    ['postgresql://db/x', ['postgresql://db/x']],
    ['postgres://ann:pw@one:1,two:2/x?a=b', ['postgres://ann:pw@one:1/x?a=b', 'postgres://ann:pw@two:2/x?a=b']],
    ['postgres://ann:p,w@one,two/x', ['postgres://ann:p,w@one/x', 'postgres://ann:p,w@two/x']],
    ['postgres://a@b@one,two', ['postgres://a@b@one', 'postgres://a@b@two']],
    ['postgres://[::1]:5433,[::2]/x', ['postgres://[::1]:5433/x', 'postgres://[::2]/x']],
    ['postgres://one?a=1,2', ['postgres://one?a=1,2']],
    ['postgres://one#a,b', ['postgres://one#a,b']],
    ['postgres:///x?host=/run/pg', ['postgres:///x?host=/run/pg']],
    ['postgres://one,two?p=a%40b,c', ['postgres://one?p=a%40b,c', 'postgres://two?p=a%40b,c']],
    ['postgres://svc:4711%2Fgeheim@one/gh', ['postgres://svc:4711%2Fgeheim@one/gh']],
  ];
  for (const [text, urls] of cases) {
    it(`${text} names ${urls.length} server${urls.length === 1 ? '' : 's'}`, () =>
      assert.deepEqual(splitDatabaseUrl(text), urls));
  }

  for (const text of [
    '',
    'db',
    'mysql://db/x',
    ' postgres://db/x',
    'postgres:',
    'postgres:/db/x',
    'postgres://',
    'postgres://ann@',
    'postgres://ann@/x',
    'postgres://one,/x',
    'postgres://,two/x',
    'postgres://one,,two/x',
    'postgres://one:port/x',
    'postgres://one,two:99999/x',
    'postgres://svc:4711/geheim@db.example/gh',
    'postgres://svc:4711?geheim@db.example/gh',
    'postgres://svc:4711#geheim@db.example/gh',
    'postgres://svc:pw@one/two/geheim@db.example/gh',
    'postgres://one/x?user=a@b',
    'postgres://svc:50%zz@one/gh',
    'postgres://svc%:pw@one/gh',
    'postgres://svc:%C3@one/gh',
    'postgres://svc:pw@one,two/g%h',
  ]) {
    it(`“${text}” is not a database URL`, () => assert.equal(splitDatabaseUrl(text), undefined));
  }

  it('each server gets the same user, name and options, in the order of the text', () => {
    const host = fc.stringMatching(/^[a-z]{1,8}(:[1-9]\d{0,3})?$/);
    const property = fc.property(fc.array(host, { minLength: 1, maxLength: 4 }), (hosts) => {
      assert.deepEqual(
        splitDatabaseUrl(`postgres://u:p@${hosts.join(',')}/x?a=b`),
        hosts.map((one) => `postgres://u:p@${one}/x?a=b`),
      );
    });
    fc.assert(property, { seed, numRuns: 50 });
  });
});
