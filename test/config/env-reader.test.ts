// Settings read from an environment: their values, the files of secrets, and problems that are reported once and never show a secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnvReader, type Env } from '../../src/config/env-reader.ts';

const files: Readonly<Record<string, string>> = { '/full': ' from a file \n', '/empty': ' \n' };
const readFile = (path: string) => files[path] ?? assert.fail(`no ${path}`);
const open = (env: Env) => createEnvReader(env, readFile);

describe('the text of a setting', () => {
  for (const [what, env, expected, problem] of [
    ['is not set', {}, undefined, undefined],
    ['is empty', { SECRET: '' }, undefined, undefined],
    ['is blank', { SECRET: ' \t' }, undefined, undefined],
    ['has spaces around it', { SECRET: ' a b ' }, 'a b', undefined],
    ['is in a file', { SECRET_FILE: ' /full ' }, 'from a file', undefined],
    ['is in a file and blank', { SECRET: ' ', SECRET_FILE: '/full' }, 'from a file', undefined],
    ['is given with a blank file name', { SECRET: 'a', SECRET_FILE: ' ' }, 'a', undefined],
    ['is set twice', { SECRET: 'a', SECRET_FILE: '/full' }, undefined, 'SECRET is set twice: SECRET and SECRET_FILE'],
    ['is in an empty file', { SECRET_FILE: '/empty' }, undefined, 'SECRET_FILE names an empty file'],
    ['is in a missing file', { SECRET_FILE: '/none' }, undefined, 'SECRET_FILE names a file that cannot be read'],
  ] as [string, Env, string | undefined, string | undefined][]) {
    it(`of a secret that ${what} is ${JSON.stringify(expected)}`, () => {
      const reader = open(env);
      assert.equal(reader.text('SECRET'), expected);
      assert.deepEqual(
        reader.problems.map(({ name, trouble }) => `${name} ${trouble}`),
        problem === undefined ? [] : [problem],
      );
    });
  }

  it('only a secret is read from a file', () => assert.equal(open({ HOST_FILE: '/full' }).text('HOST'), undefined));
});

describe('a parsed setting', () => {
  const parse = (text: string) => (text === 'good' ? 7 : undefined);

  it('is its value, or the default if it is not set, without a problem', () => {
    const reader = open({ HOST: 'good' });
    assert.equal(reader.parsed('HOST', 5, parse, 'write good'), 7);
    assert.equal(reader.parsed('PORT', 5, parse, 'write good'), 5);
    assert.deepEqual(reader.problems, []);
  });

  it('that cannot be read is the default, with a problem that shows the value of a plain setting', () => {
    const reader = open({ HOST: 'bad' });
    assert.equal(reader.parsed('HOST', 5, parse, 'write good'), 5);
    assert.deepEqual(reader.problems, [
      { name: 'HOST', trouble: 'is “bad”, which cannot be read', cure: 'write good' },
    ]);
  });

  it('that is a secret is never shown', () => {
    const reader = open({ SMS_URL: 'hunter2' });
    reader.parsed('SMS_URL', 5, parse, 'write good');
    assert.deepEqual(reader.problems, [{ name: 'SMS_URL', trouble: 'cannot be read', cure: 'write good' }]);
  });

  for (const [value, shown] of [
    ['x'.repeat(40), 'x'.repeat(40)],
    ['x'.repeat(41), `${'x'.repeat(40)}…`],
    ['a\u001b[31mé', 'a?[31m?'],
    ['http://ann:hun/ter2@host', 'http://…@host'],
  ] as const) {
    it(`${JSON.stringify(value)} is shown as ${shown}`, () => {
      const reader = open({ HOST: value });
      reader.parsed('HOST', 5, parse, 'write good');
      assert.equal(reader.problems[0]?.trouble, `is “${shown}”, which cannot be read`);
    });
  }

  it('that is read twice is reported once, and two different problems are both reported', () => {
    const reader = open({ HOST: 'bad' });
    for (const cure of ['write good', 'write good', 'write well']) reader.parsed('HOST', 5, parse, cure);
    assert.deepEqual(
      reader.problems.map(({ cure }) => cure),
      ['write good', 'write well'],
    );
    assert.ok(reader.hasProblem('PORT', 'HOST'));
    assert.ok(!reader.hasProblem('PORT') && !reader.hasProblem());
  });
});

describe('a setting by its kind', () => {
  const reader = open({
    LINK_LIFE: '5m',
    FILE_QUOTA: '2GiB',
    WORKERS: '4',
    SIGNUP: 'closed',
    LIMIT_SENDS_PER_IP: '5/1h',
    LIMIT_REQUESTS_PER_IP: 'off',
  });

  it('is read as such', () => {
    assert.equal(reader.duration('LINK_LIFE', 1), 300);
    assert.equal(reader.bytes('FILE_QUOTA', 1), 2 * 2 ** 30);
    assert.equal(reader.count('WORKERS', 1, 1, 64), 4);
    assert.equal(reader.choice('SIGNUP', 'open', ['open', 'closed'] as const), 'closed');
    assert.deepEqual(reader.limit('LIMIT_SENDS_PER_IP', []), [{ count: 5, windowSeconds: 3600 }]);
    assert.deepEqual(reader.limit('LIMIT_REQUESTS_PER_IP', [{ count: 1, windowSeconds: 1 }]), []);
    assert.deepEqual(reader.problems, []);
  });

  for (const [name, read, cure] of [
    ['LINK_LIFE', (bad: ReturnType<typeof open>) => bad.duration('LINK_LIFE', 1), /unit .*, from 1s to 3650d/],
    ['FILE_QUOTA', (bad: ReturnType<typeof open>) => bad.bytes('FILE_QUOTA', 1), /a size with its unit/],
    ['WORKERS', (bad: ReturnType<typeof open>) => bad.count('WORKERS', 1, 1, 64), /a whole number from 1 to 64/],
    [
      'SIGNUP',
      (bad: ReturnType<typeof open>) => bad.choice('SIGNUP', 1 as never, ['open', 'closed'] as never[]),
      /one of open, closed/,
    ],
    [
      'LIMIT_SENDS_PER_IP',
      (bad: ReturnType<typeof open>) => bad.limit('LIMIT_SENDS_PER_IP', 1 as never),
      /count\/time/,
    ],
  ] as const) {
    it(`${name} that cannot be read is its default, and the cure says how to write it`, () => {
      const bad = open({ [name]: 'nonsense' });
      assert.equal(read(bad), 1);
      assert.match(bad.problems[0]?.cure ?? '', cure);
    });
  }
});
