// Runs one command of the real program to its end.
import { spawnMain, type TestEnv } from '../gatehouse.ts';

export type Ran = { readonly code: number | undefined; readonly stdout: string; readonly stderr: string };

export async function runCommand(args: readonly string[], env: TestEnv): Promise<Ran> {
  const { ended, output } = spawnMain(args, env);
  const code = await ended;
  return { code, ...output() };
}
