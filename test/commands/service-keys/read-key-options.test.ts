// The options of service keys on the command line: ends in several forms, and all problems at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEnd, readEnd, readKeyOptions } from '../../../src/commands/service-keys/read-key-options.ts';

const now = Date.UTC(2026, 5, 1, 12);
const day = 86_400_000;

function problems(name?: string, scope?: string, until?: string): string[] {
  try {
    readKeyOptions({ name, scope, until }, now);
    return [];
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

describe('the options of a service key', () => {
  it('a name, scopes and an end are read', () => {
    assert.deepEqual(readKeyOptions({ name: 'shop', scope: 'users:read, events:read', until: '90d' }, now), {
      name: 'shop',
      scopes: ['users:read', 'events:read'],
      endsAt: now + 90 * day,
    });
  });

  for (const [text, end] of [
    ['12h', now + day / 2],
    ['365d', now + 365 * day],
    ['2026-06-30', Date.UTC(2026, 6, 1)],
    ['2026-06-30T08:00Z', Date.UTC(2026, 5, 30, 8)],
    ['2026-06-30T08:00:30+02:00', Date.UTC(2026, 5, 30, 6, 0, 30)],
    ['2026-06-31', undefined],
    ['2026-13-01', undefined],
    ['2026-06-30T08:00', undefined],
    ['June', undefined],
    ['', undefined],
  ] as const)
    it(`--until ${text} means ${end === undefined ? 'nothing' : new Date(end).toISOString()}`, () =>
      assert.equal(parseEnd(text, now), end));

  it('everything that is wrong is said at once', () => {
    assert.deepEqual(
      problems().map((line) => line.slice(0, 8)),
      ['--name: ', '--scope:', '--until:'],
    );
    assert.deepEqual(
      problems(' ', 'users:raed,nothing', '400d').map((line) => line.split(':')[0]),
      ['--scope', '--scope', '--name', '--until'],
    );
  });

  for (const [word, hint] of [
    ['user:read', 'did you mean users:read?'],
    ['users:raed', 'did you mean users:read?'],
    ['read:users', 'did you mean users:read?'],
    ['Users.Write', 'did you mean users:write?'],
    ['session:end', 'did you mean sessions:end?'],
    ['everything', 'there are users:read, users:write, sessions:end, files:read, files:write, events:read'],
  ] as const)
    it(`the unknown scope ${word} is answered with “${hint}”`, () =>
      assert.deepEqual(problems('shop', word, '90d'), [`--scope: there is no scope “${word}”; ${hint}`]));

  it('an end in the past, now, or more than a year ahead is refused', () => {
    for (const until of ['2026-05-31', '2026-06-01T12:00Z', '366d', '2027-06-02', 'x'])
      assert.equal(problems('shop', 'users:read', until).length, 1, until);
    assert.deepEqual(problems('shop', 'users:read', '365d'), []);
    assert.throws(() => readEnd('366d', now), /--until: give an end in the future, at most 365 days ahead/);
    assert.equal(readEnd('1d', now), now + day);
  });

  it('a name that is too long is refused', () => {
    assert.equal(problems('x'.repeat(61), 'users:read', '1d').length, 1);
    assert.deepEqual(problems('x'.repeat(60), 'users:read', '1d'), []);
  });
});
