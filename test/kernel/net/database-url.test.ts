// A database URL with several servers: how it is split, and what is not a database URL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { completeDatabaseUrl, placeOf, splitDatabaseUrl } from '../../../src/kernel/net/database-url.ts';
import { seed } from '../../helpers/faults/rounds.ts';

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

describe('the place of a database', () => {
  const nothing = { host: undefined, port: undefined, name: undefined, user: undefined };

  it('a URL stays as it is if the environment sets nothing', () => {
    for (const url of ['postgres:///x', 'postgres://ann:pw@one:1,two/x?a=b#c', 'postgresql://db'])
      assert.equal(completeDatabaseUrl(url, nothing), url);
  });

  /** The driver takes its defaults from the environment when a client is made. */
  const driverPlace = (url: string, env: Readonly<Record<string, string | undefined>>) => {
    const before = { ...process.env };
    try {
      for (const [name, value] of Object.entries(env))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      const { host, port, user, database } = new pg.Client({ connectionString: url });
      return { host, port, user, database };
    } finally {
      for (const name of Object.keys(env))
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
  };
  const none = { PGHOST: undefined, PGPORT: undefined, PGDATABASE: undefined, PGUSER: undefined };

  it('is the one that the driver connects to, whatever is in the URL and in the environment', () => {
    const maybe = (...values: string[]) => fc.constantFrom('', ...values);
    const parts = fc.record({
      user: maybe('ann@', 'ann:p%40w@'),
      server: maybe('db1', 'db1:7000', '[::1]', '[::1]:7000', '%2Frun%2Fpg'),
      path: maybe('/', '/x', '/my%20x'),
      query: fc.subarray(['host=db9', 'host=/run/pg', 'port=6001', 'user=eve', 'sslmode=disable']),
      host: maybe('db8', '/run/eight', '::2'),
      port: maybe('6008'),
      name: maybe('y', 'my y', 'a@b'),
      who: maybe('bob', 'b@b'),
    });
    const property = fc.property(parts, ({ user, server, path, query, host, port, name, who }) => {
      const url = `postgres://${user}${server}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
      // With a socket in both places, the driver takes one of them for a part of the name.
      const isOdd = server.startsWith('%2F') && query.some((one) => one.startsWith('host='));
      fc.pre(splitDatabaseUrl(url) !== undefined && !isOdd);
      const completed = completeDatabaseUrl(url, {
        host: host || undefined,
        port: port || undefined,
        name: name || undefined,
        user: who || undefined,
      });
      const env = { PGHOST: host, PGPORT: port, PGDATABASE: name, PGUSER: who };
      const used = driverPlace(url, env);
      assert.deepEqual(driverPlace(completed, env), used, completed);
      const shown = used.host.includes(':') ? `[${used.host}]` : used.host;
      const expected = shown.startsWith('/') && used.port === 5432 ? shown : `${shown}:${used.port}`;
      assert.equal(placeOf(completed), expected, completed);
      assert.equal(driverPlace(completed, none).host, used.host, completed);
      assert.equal(driverPlace(completed, none).port, used.port, completed);
    });
    fc.assert(property, { seed, numRuns: 500 });
  });
});
