// The parts of a command declaration: arguments, options, and the input type that follows from them.

/** The value that a command receives for each kind of argument and option. */
type Values = {
  readonly argument: string;
  readonly argumentList: readonly string[];
  readonly flag: boolean;
  readonly text: string | undefined;
  readonly requiredText: string;
  /** An option that may be given several times. */
  readonly textList: readonly string[];
  readonly count: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly optionalDuration: number | undefined;
};

export type ParameterKind = keyof Values;

export type Parameter<Kind extends ParameterKind = ParameterKind> = {
  readonly kind: Kind;
  readonly description: string;
  /** Names the value in the help text. */
  readonly placeholder?: string;
  /** Applies when the command line does not give the option. */
  readonly default?: string;
};

export type ParameterValue<Kind extends ParameterKind> = Values[Kind];

type ArgumentKind = 'argument' | 'argumentList';
type OptionKind = Exclude<ParameterKind, ArgumentKind>;
type Parameters<Kind extends ParameterKind> = Readonly<Record<string, Parameter<Kind>>>;

export type CommandDeclaration = {
  readonly description: string;
  /** In the order of the command line. */
  readonly arguments?: Parameters<ArgumentKind>;
  /** By their names in camel case: `dbOnly` is --db-only. */
  readonly options: Parameters<OptionKind>;
  /** A command that touches data says first where they are, and runs as their owner. */
  readonly touches: 'data' | 'nothing';
  /** What follows `gatehouse` on the command line. */
  readonly example: string;
};

/** By the words of the command line, such as `users find`. */
export type CommandDeclarations = Readonly<Record<string, CommandDeclaration>>;

type ValuesOf<P> = { readonly [Name in keyof P]: P[Name] extends Parameter<infer Kind> ? ParameterValue<Kind> : never };

/** What the implementation of a command receives: each declared argument and option, and nothing else. */
export type InputOf<D extends CommandDeclaration> = ValuesOf<D['options']> &
  (D extends { readonly arguments: infer A } ? ValuesOf<A> : unknown);

export function argument(description: string): Parameter<'argument'> {
  return { kind: 'argument', description };
}

export function argumentList(description: string): Parameter<'argumentList'> {
  return { kind: 'argumentList', description };
}

export function flag(description: string): Parameter<'flag'> {
  return { kind: 'flag', description };
}

export function text(placeholder: string, description: string): Parameter<'text'> {
  return { kind: 'text', placeholder, description };
}

/** The command line must give it unless there is a default. */
export function requiredText(placeholder: string, description: string, preset?: string): Parameter<'requiredText'> {
  return { kind: 'requiredText', placeholder, description, ...(preset !== undefined && { default: preset }) };
}

/** May be given several times. */
export function textList(placeholder: string, description: string): Parameter<'textList'> {
  return { kind: 'textList', placeholder, description };
}

/** `--limit`. */
export function limit(preset: number): Parameter<'count'> {
  return { kind: 'count', placeholder: 'count', description: 'show at most this many', default: String(preset) };
}

/** `--since`, as a duration before now. */
export function since(preset: string): Parameter<'duration'> {
  return { kind: 'duration', placeholder: 'time', description: sinceDescription, default: preset };
}

const sinceDescription = 'look back this far: 30m, 24h, 7d';

export const optionalSince: Parameter<'optionalDuration'> = {
  kind: 'optionalDuration',
  placeholder: 'time',
  description: sinceDescription,
};

export const json = flag('print JSON');
export const reason = text('text', 'reason for the audit log');
export const reveal = flag('show masked data in full (audited, needs --reason)');
export const yes = flag('do not ask for confirmation');
