// The declarations of commands: each has an implementation, examples are valid, and a command reads only what it declares.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, type CommandName, declarations } from '../../src/commands/declarations.ts';
import type { CommandDeclaration } from '../../src/commands/declare.ts';
import { loaders } from '../../src/commands/loaders.ts';
import { optionFlag } from '../../src/commands/option-flag.ts';
import { createProgram } from '../../src/commands/program.ts';

const names = Object.keys(declarations) as CommandName[];

describe('the declarations of commands', () => {
  it('every declared command has an implementation named after its words', async () => {
    for (const name of names) {
      const { name: given } = await loaders[name]();
      assert.equal(
        given,
        name.replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase()),
      );
    }
  });

  it('the example of every command uses its words, only its options, and every required option', () => {
    for (const name of names) {
      const { example, options }: CommandDeclaration = declarations[name];
      assert.ok(`${example} `.startsWith(`${name} `), example);
      const used: readonly string[] = example.match(/--[a-z-]+/g) ?? [];
      const known = Object.keys(options).map(optionFlag);
      assert.deepEqual(
        used.filter((option) => !known.includes(option)),
        [],
        example,
      );
      for (const [option, { kind, default: preset }] of Object.entries(options))
        if (kind === 'requiredText' && preset === undefined) assert.ok(used.includes(optionFlag(option)), example);
    }
  });

  it('the program has exactly the declared commands, and every group has a description', () => {
    const program = createProgram();
    const found = program.commands.flatMap((group) => {
      assert.notEqual(group.description(), '', group.name());
      return group.commands.length === 0
        ? [group.name()]
        : group.commands.map((command) => `${group.name()} ${command.name()}`);
    });
    assert.deepEqual(found.sort(), [...names].sort());
  });

  it('a command cannot read an option that it does not declare', () => {
    // @ts-expect-error: `users block` declares no --yes.
    const readsTooMuch: Command<'users block'> = async (_, { yes }) => (yes ? 0 : 1);
    // @ts-expect-error: `keys list` declares no --reason, which every act needs.
    const actsWithout: Command<'keys list'> = async (context, { reason }) => (context.act(reason) ? 0 : 1);
    assert.notEqual(readsTooMuch, actsWithout);
  });
});
