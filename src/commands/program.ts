// The command line: registers every declared command, runs the one that is named, and reports its errors.
import { InvalidArgumentError, Option, Command as ProgramCommand } from 'commander';
import { type CommandInput, type CommandName, declarations, groupDescriptions } from './declarations.ts';
import type { CommandDeclaration, Parameter } from './declare.ts';
import { loaders } from './loaders.ts';
import { optionFlag } from './option-flag.ts';
import type { Found } from './read-input.ts';
import { serviceVersion } from './service-version.ts';

export async function runProgram(argv: readonly string[]): Promise<void> {
  // Serving is not the parser's default command: the parser would take a mistyped command for an argument of it.
  const [node = '', script = '', ...given] = argv;
  const words = isForServe(withoutEnvFile(given)) ? [node, script, 'serve', ...given] : argv;
  const isServing = words.includes('serve');
  if (!isServing) endWithReader();
  try {
    await createProgram().parseAsync(words);
  } catch (error) {
    const [{ reportError }, { showsStacks }] = await Promise.all([
      import('./command-error.ts'),
      import('./load-config.ts'),
    ]);
    process.exitCode = reportError(error, showsStacks());
    // A service that cannot start has open ports and threads. Other commands finish the writes that they have begun.
    if (isServing) process.exit();
  }
}

/** The option of every command may stand before the name of the command. */
function withoutEnvFile(given: readonly string[]): readonly string[] {
  if (given[0] === '--env-file') return given.slice(2);
  return given[0]?.startsWith('--env-file=') === true ? given.slice(1) : given;
}

/** Of two files, one would count in silence, and it may be the wrong one. */
function takeOnce(file: string, earlier: string | undefined): string {
  if (file === '') throw new InvalidArgumentError('Name a file.');
  if (earlier !== undefined) throw new InvalidArgumentError('Name only one file.');
  return file;
}

/** Also a mistyped option of it, so that the parser can suggest the right one. */
function isForServe([first]: readonly string[]): boolean {
  return first === undefined || (first.startsWith('--') && !['--help', '--version'].includes(first));
}

/** A reader such as head may close the pipe before everything is printed. */
function endWithReader(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => undefined);
}

export function createProgram(): ProgramCommand {
  const program = new ProgramCommand('gatehouse')
    .description(
      'Signs users in (phone code, e-mail link) and stores their files.\nSettings come from the environment, from the systemd unit that runs this program, or from .env; .env.example explains each.',
    )
    .version(serviceVersion)
    .addOption(
      new Option(
        '--env-file <file>',
        'read the settings from this file instead of the unit of systemd and .env; the environment overrides it',
      ).argParser(takeOnce),
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .showSuggestionAfterError()
    .showHelpAfterError('Run gatehouse --help to list all commands.')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed or nothing found, 2 wrong use, 78 wrong settings.\nExamples:\n  gatehouse users find 0123\n  gatehouse --lan    starts the service for phones in the same network',
    );
  for (const name of Object.keys(declarations) as CommandName[]) addCommand(program, name);
  return program;
}

function addCommand<Name extends CommandName>(program: ProgramCommand, name: Name): void {
  const declaration: CommandDeclaration = declarations[name];
  const [first = '', second] = name.split(' ');
  const command = second === undefined ? program.command(first) : findGroup(program, first).command(second);
  command.description(declaration.description);
  for (const [argument, { kind, description }] of Object.entries(declaration.arguments ?? {}))
    command.argument(kind === 'argumentList' ? `[${argument}...]` : `<${argument}>`, description);
  for (const [option, parameter] of Object.entries(declaration.options)) command.addOption(toOption(option, parameter));
  command
    .addHelpText('after', `\nExample:\n  gatehouse ${declaration.example}`)
    .action(() => run(name, command.processedArgs, command.opts(), program.opts<{ envFile?: string }>().envFile));
}

function findGroup(program: ProgramCommand, name: string): ProgramCommand {
  const known = program.commands.find((group) => group.name() === name);
  const description = Object.entries(groupDescriptions).find(([group]) => group === name)?.[1] ?? '';
  return known ?? program.command(name).description(description);
}

function toOption(name: string, { kind, description, placeholder, default: preset }: Parameter): Option {
  const flags = placeholder === undefined ? optionFlag(name) : `${optionFlag(name)} <${placeholder}>`;
  const option = new Option(flags, preset === undefined ? description : `${description} (default: ${preset})`);
  if (kind === 'textList') option.argParser((value, others: readonly string[] = []) => [...others, value]);
  return option.makeOptionMandatory(kind === 'requiredText' && preset === undefined);
}

async function run<Name extends CommandName>(
  name: Name,
  args: readonly Found[],
  options: Readonly<Record<string, Found>>,
  envFile: string | undefined,
): Promise<void> {
  const [command, { readInput }, { createOperatorContext }, { takeSettings, tryConfig }] = await Promise.all([
    loaders[name](),
    import('./read-input.ts'),
    import('./operator-context.ts'),
    import('./load-config.ts'),
  ]);
  const { touches }: CommandDeclaration = declarations[name];
  const input = readInput(declarations[name], args, options);
  const found = takeSettings(envFile, name === 'serve');
  if (touches === 'data') (await import('./begin-on-data.ts')).beginOnData(found);
  const context = createOperatorContext({
    printsJson: input.json === true,
    tryConfig: () => tryConfig(found),
    environment: found,
  });
  try {
    process.exitCode = await command(context, input as CommandInput<Name>);
  } finally {
    await context.close();
  }
}
