// Runs a command that may be refused: tells why on stderr and gives the exit code.
import { BackupError } from '../backup/snapshot.ts';
import { Failure } from '../kernel/failure.ts';
import { CommandError, describeFailure, tellTrouble } from './command-error.ts';

export async function orRefusal(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    return tellTrouble(toTrouble(error));
  }
}

function toTrouble(error: unknown): unknown {
  if (error instanceof BackupError) return new CommandError(error.message);
  if (error instanceof Failure && error.cause instanceof Error) return new CommandError(describeFailure(error));
  const { message, code } = error as NodeJS.ErrnoException;
  // Where a name has several addresses and none answers, there is a code and no message.
  return message === '' && code !== undefined
    ? new CommandError(`This ended with ${code}. Run gatehouse doctor.`)
    : error;
}
