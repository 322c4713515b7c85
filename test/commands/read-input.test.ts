// The input of a command from its command line: each kind of argument and option, defaults, and wrong use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandError } from '../../src/commands/command-error.ts';
import {
  argument,
  argumentList,
  type CommandDeclaration,
  flag,
  limit,
  optionalSince,
  type Parameter,
  requiredText,
  since,
  text,
  textList,
} from '../../src/commands/declare.ts';
import { type Found, readInput } from '../../src/commands/read-input.ts';

function read(option: Parameter, found: Found): unknown {
  const declaration = {
    description: '',
    options: { someName: option },
    touches: 'nothing',
    example: '',
  } as CommandDeclaration;
  return readInput(declaration, [], { someName: found }).someName;
}

describe('an option of a command', () => {
  for (const [what, option, found, expected] of [
    ['a flag that is given', flag(''), true, true],
    ['a flag that is not given', flag(''), undefined, false],
    ['a text', text('x', ''), 'abc', 'abc'],
    ['an empty text', text('x', ''), '', ''],
    ['no text', text('x', ''), undefined, undefined],
    ['a required text', requiredText('x', ''), 'abc', 'abc'],
    ['a required text with a default', requiredText('x', '', 'preset'), undefined, 'preset'],
    ['a list of texts', textList('x', ''), ['a', 'b'], ['a', 'b']],
    ['no list of texts', textList('x', ''), undefined, []],
    ['a limit', limit(50), '7', 7],
    ['the smallest limit', limit(50), '1', 1],
    ['the largest limit', limit(50), '10000', 10_000],
    ['no limit', limit(50), undefined, 50],
    ['a time', since('7d'), '30m', 1_800_000],
    ['no time', since('7d'), undefined, 604_800_000],
    ['an optional time', optionalSince, '24h', 86_400_000],
    ['no optional time', optionalSince, undefined, undefined],
  ] as [string, Parameter, Found, unknown][]) {
    it(`${what} is ${JSON.stringify(expected)}`, () => assert.deepEqual(read(option, found), expected));
  }

  for (const [option, found, message] of [
    [limit(50), '0', '--some-name takes a whole number from 1 to 10000.'],
    [limit(50), '10001', '--some-name takes a whole number from 1 to 10000.'],
    [limit(50), '1.5', '--some-name takes a whole number from 1 to 10000.'],
    [limit(50), '-1', '--some-name takes a whole number from 1 to 10000.'],
    [limit(50), 'many', '--some-name takes a whole number from 1 to 10000.'],
    [limit(50), '', '--some-name takes a whole number from 1 to 10000.'],
    [since('7d'), 'yesterday', '--some-name takes a time such as 30m, 24h or 7d.'],
    [since('7d'), '', '--some-name takes a time such as 30m, 24h or 7d.'],
    [optionalSince, '5', '--some-name takes a time such as 30m, 24h or 7d.'],
  ] as [Parameter, Found, string][]) {
    it(`${option.kind} with ${JSON.stringify(found)} is wrong use, and the message names the option`, () =>
      assert.throws(
        () => read(option, found),
        (error) => error instanceof CommandError && error.exitCode === 2 && error.message === message,
      ));
  }
});

describe('the arguments of a command', () => {
  const declaration: CommandDeclaration = {
    description: '',
    arguments: { who: argument(''), ids: argumentList('') },
    options: { dbOnly: flag('') },
    touches: 'nothing',
    example: '',
  };

  it('get their names in the order of the command line', () =>
    assert.deepEqual(readInput(declaration, ['ann', ['a', 'b']], { dbOnly: true }), {
      who: 'ann',
      ids: ['a', 'b'],
      dbOnly: true,
    }));

  it('that are left out are an empty list', () =>
    assert.deepEqual(readInput(declaration, ['ann', undefined], {}).ids, []));

  it('that are not declared are not read', () =>
    assert.deepEqual(Object.keys(readInput(declaration, ['ann', [], 'more'], { other: true })), [
      'who',
      'ids',
      'dbOnly',
    ]));
});
