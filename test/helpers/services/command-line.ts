// Runs the program as an operator would and returns its exit code, data and messages.
import { type Ran as Ended, runCommand } from '../commands/run-command.ts';
import type { TestEnv } from './gatehouse.ts';

type Ran = Ended & {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
  readonly data: any;
};

/** Takes the words of the command line. `data` is the output of --json. */
export async function run(env: TestEnv, ...args: readonly string[]): Promise<Ran> {
  const ran = await runCommand(args, env);
  return { ...ran, data: args.includes('--json') && ran.code === 0 ? JSON.parse(ran.stdout) : undefined };
}

export const because = ['--reason', 'a test'] as const;
