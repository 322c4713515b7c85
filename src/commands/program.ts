// The whole command line: every command and its options, each loaded when it runs.
import { Command } from 'commander';
import { serviceVersion } from './banner.ts';
import type { CheckOptions } from './files.ts';
import { addCareCommands } from './maintenance-commands.ts';
import { addOperatorCommands } from './register-commands.ts';
import { print, tell } from './terminal.ts';

/** Runs what the command line names. Whatever goes wrong is told in a line; its stack only to those who ask for it. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  // Serving is no default of the parser's: it would take a mistyped command for an argument of it.
  const words = argv.length > 2 ? argv : [...argv, 'serve'];
  if (!words.includes('serve')) endWithReader();
  try {
    await createProgram().parseAsync(words);
  } catch (error) {
    const { showsStacks } = await import('./load-config.ts');
    const { tellTrouble } = await import('./command-error.ts');
    if (showsStacks() && error instanceof Error) tell(`${error.stack}\n`);
    process.exit(tellTrouble(error, '. With LOG_LEVEL=debug it says where.'));
  }
}

/** Who reads what is printed may have seen enough, as head has: the rest is for nobody. */
function endWithReader(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => undefined);
}

export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description(
      'Lets people in (phone code, e-mail link) and keeps their files.\nSettings come from the environment; .env.example explains each.',
    )
    .version(serviceVersion)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .showSuggestionAfterError()
    .showHelpAfterError('Run gatehouse --help to see what there is.');

  program
    .command('serve')
    .description('start the service (what runs without a command)')
    .action(async () => {
      const { loadConfig } = await import('./load-config.ts');
      const config = loadConfig();
      const { serveWith } = await import('./workers.ts');
      await serveWith(config);
    });

  const migrations = program
    .command('migrate')
    .description('see or apply database migrations (serve applies them by itself)');
  for (const [verb, text] of [
    ['status', 'list migrations and whether they are applied'],
    ['up', 'apply what is missing'],
  ] as const) {
    migrations
      .command(verb)
      .description(text)
      .option('--json', 'print JSON')
      .action(async ({ json = false }: { json?: boolean }) => {
        const { loadConfig } = await import('./load-config.ts');
        const { migrate } = await import('./migrate.ts');
        await migrate(loadConfig(), verb, json);
      });
  }

  const files = program.command('files').description('look after stored files');
  files
    .command('check')
    .description('compare file records and blobs in both directions; exits with 1 when they differ')
    .option('--repair', 'remove blobs that have no record')
    .option('--yes', 'with --repair: remove them even if they are many')
    .option('--json', 'print JSON')
    .action(async (options: CheckOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { checkFilesCommand } = await import('./files.ts');
      process.exitCode = await checkFilesCommand(loadConfig(), options);
    });

  program
    .command('captcha')
    .description('solve a captcha challenge of a running service and print the token, for people with curl')
    .option('--url <url>', 'address of the service', 'http://localhost:8080')
    .option('--json', 'print JSON')
    .action(async ({ url, json = false }: { url: string; json?: boolean }) => {
      const { captchaCommand } = await import('./captcha.ts');
      const token = await captchaCommand(url);
      print(`${json ? JSON.stringify({ token }) : token}\n`);
    });

  addCareCommands(program, files);
  addOperatorCommands(program);
  return program;
}
