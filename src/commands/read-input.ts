// Converts the parsed command line into the input of a command.
import { parseDuration } from '../config/units.ts';
import { CommandError } from './command-error.ts';
import type { CommandDeclaration, Parameter, ParameterKind, ParameterValue } from './declare.ts';
import { optionFlag } from './option-flag.ts';

const longestList = 10_000;

/** The parsed value of an argument or option. */
export type Found = string | readonly string[] | boolean | undefined;

type Reader<Kind extends ParameterKind> = (found: Found, name: string) => ParameterValue<Kind>;

const readTexts = (found: Found) => (Array.isArray(found) ? found.map(String) : []);

const readers: { readonly [Kind in ParameterKind]: Reader<Kind> } = {
  argument: String,
  argumentList: readTexts,
  flag: (found) => found === true,
  text: (found) => (found === undefined ? undefined : String(found)),
  requiredText: String,
  textList: readTexts,
  count: readCount,
  duration: readDuration,
  optionalDuration: (found, name) => (found === undefined ? undefined : readDuration(found, name)),
};

export function readInput(
  declaration: CommandDeclaration,
  args: readonly Found[],
  options: Readonly<Record<string, Found>>,
): Record<string, unknown> {
  const given = Object.entries(declaration.arguments ?? {}).map(([name, parameter], index) => [
    name,
    read(parameter, args[index], name),
  ]);
  const chosen = Object.entries(declaration.options).map(([name, parameter]) => [
    name,
    read(parameter, options[name], optionFlag(name)),
  ]);
  return Object.fromEntries([...given, ...chosen]);
}

function read(parameter: Parameter, found: Found, name: string): unknown {
  return readers[parameter.kind](found ?? parameter.default, name);
}

function readCount(found: Found, name: string): number {
  const count = Number(found);
  if (!Number.isInteger(count) || count < 1 || count > longestList)
    throw new CommandError(`${name} takes a whole number from 1 to ${longestList}.`, 2);
  return count;
}

function readDuration(found: Found, name: string): number {
  const seconds = parseDuration(String(found));
  if (seconds === undefined) throw new CommandError(`${name} takes a time such as 30m, 24h or 7d.`, 2);
  return seconds * 1000;
}
