// The command line of those who run the service: makes a command of every verb in the table, loaded when it runs.
import { type Command, Option } from 'commander';
import { verbs } from './command-table.ts';
import type { Verb, VerbOptions } from './operator-context.ts';

const groups: Readonly<Record<string, string>> = {
  users: 'find people and act for them',
  messages: 'what was sent to whom, and sending again',
  webhooks: 'what apps are told, and telling them again',
  limits: 'what holds somebody back, and letting them through',
  keys: 'the keys that sign access tokens',
  admin: 'let the support staff into the admin page',
  audit: 'what happened, and who did it',
  config: 'the settings in force, and what there is to set',
  secret: 'the secret from which every key is derived',
  files: 'look after stored files',
  storage: 'which storage belongs to the database',
  sample: 'something to try the service with',
};

/** Every acting verb takes a reason; who is named in full is written down. */
const options: Readonly<Record<string, Option>> = {
  reveal: new Option('--reveal', 'show numbers and addresses in full (audited, needs --reason)'),
  reason: new Option('--reason <text>', 'why, for the audit log'),
  yes: new Option('--yes', 'do not ask whether you are sure'),
  limit: new Option('--limit <count>', 'show no more than so many'),
  since: new Option('--since <time>', 'look back so far: 30m, 24h, 7d'),
  to: new Option('--to <recipient>', 'a phone number or an e-mail address'),
  user: new Option('--user <who>', 'only of this user'),
  kind: new Option('--kind <kind>', 'only of this kind, such as login.refused'),
  follow: new Option('--follow', 'go on with what comes, until Ctrl+C'),
  now: new Option('--now', 'sign with it at once, not after a day in which others learn of it'),
  url: new Option('--url <url>', 'address of the service (default: PUBLIC_URL)'),
  name: new Option('--name <name>', 'who it is, as the audit log will have it'),
  life: new Option('--life <time>', 'how long they may stay: 30m, 8h; at most 24h (default: 8h)'),
  files: new Option('--files <folder>', 'write the files into this folder too'),
};

export function addOperatorCommands(program: Command): void {
  for (const [usage, says, names, example, load] of verbs) {
    const [name = '', ...rest] = usage.split(' ');
    const group = program.commands.find((one) => one.name() === name) ?? program.command(name);
    if (group.description() === '') group.description(groups[name] ?? '');
    const command = group.command(rest.join(' ')).description(says);
    for (const option of names.split(' ')) if (options[option] !== undefined) command.addOption(options[option]);
    command
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  gatehouse ${example}`)
      .action(() => run(load, command.args, command.opts<VerbOptions>()));
  }
  program.addHelpText(
    'after',
    '\nExit codes: 0 ok, 1 failed or nothing found, 2 wrong use, 78 settings.\nExample:\n  gatehouse users find 0123',
  );
}

async function run(load: () => Promise<Verb>, args: readonly string[], given: VerbOptions): Promise<void> {
  const [verb, { createOperatorContext }, { tellTrouble }] = await Promise.all([
    load(),
    import('./operator-context.ts'),
    import('./command-error.ts'),
  ]);
  const context = createOperatorContext(given);
  try {
    process.exitCode = await verb(context, args, given);
  } catch (error) {
    process.exitCode = tellTrouble(error);
  } finally {
    await context.close();
  }
}
