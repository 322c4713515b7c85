// Runs a command in this process, reports its errors as the program does and returns the exit code.
import { reportError } from '../../../src/commands/command-error.ts';
import type { CommandInput, CommandName } from '../../../src/commands/declarations.ts';
import { loaders } from '../../../src/commands/loaders.ts';
import { createOperatorContext } from '../../../src/commands/operator-context.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { TestEnv } from '../../helpers/services/gatehouse.ts';

export async function runHere<Name extends CommandName>(
  name: Name,
  env: TestEnv,
  input: CommandInput<Name>,
): Promise<number> {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const context = createOperatorContext({
    printsJson: false,
    tryConfig: () => result,
    environment: { env, origins: {}, files: [] },
  });
  try {
    const command = await loaders[name]();
    return await command(context, input);
  } catch (error) {
    return reportError(error, false);
  } finally {
    await context.close();
  }
}
