// Runs the program as an operator would and returns its exit code, data and messages.
import { spawnMain, type TestEnv } from './gatehouse.ts';

export type Ran = {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
  readonly data: any;
};

/** Takes the words of the command line. `data` is the output of --json. */
export async function run(env: TestEnv, ...args: readonly string[]): Promise<Ran> {
  const { ended, output } = spawnMain(args, env);
  const code = await ended;
  const { stdout, stderr } = output();
  return { code, stdout, stderr, data: args.includes('--json') && code === 0 ? JSON.parse(stdout) : undefined };
}

export const because = ['--reason', 'a test'] as const;
