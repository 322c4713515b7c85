// What ends a command: a sentence for stderr and an exit code. 0 ok, 1 failed, 2 wrong use, 78 settings.
import { Failure, type FailureCode } from '../kernel/failure.ts';
import { tell } from './terminal.ts';

export class CommandError extends Error {
  readonly exitCode: 1 | 2 | 78;

  constructor(message: string, exitCode: 1 | 2 | 78 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const sentences: Partial<Record<FailureCode, readonly [exitCode: 1 | 2, sentence: string]>> = {
  NOT_FOUND: [1, 'There is nobody and nothing by that name.'],
  FILE_NOT_FOUND: [1, 'There is no such file.'],
  REQUEST_INVALID: [2, 'This names nobody: write an id, a whole number with its plus, or an e-mail address.'],
  EMAIL_INVALID: [2, 'This is no e-mail address.'],
  SERVICE_UNAVAILABLE: [
    1,
    'The database cannot be used just now. Is it up, and does DATABASE_URL or DATA_DIR name it?',
  ],
};

/** Tells what went wrong and gives the exit code. `hint` follows what has no words of its own. */
export function tellTrouble(error: unknown, hint = ''): number {
  const [exitCode, sentence] = judge(error);
  const isOurs = error instanceof CommandError || error instanceof Failure;
  tell(`gatehouse: ${sentence}${isOurs ? '' : hint}\n`);
  return exitCode;
}

/** The cause, where there is one: it names no secret. */
export function describeFailure({ code, cause }: Failure): string {
  return cause instanceof Error
    ? `This ended with ${code}: ${cause.message}. Run gatehouse doctor to see what is wrong.`
    : `This ended with ${code}.`;
}

function judge(error: unknown): readonly [exitCode: number, sentence: string] {
  if (error instanceof CommandError) return [error.exitCode, error.message];
  if (error instanceof Failure) return sentences[error.code] ?? [1, describeFailure(error)];
  return [1, error instanceof Error ? error.message : 'something went wrong'];
}
