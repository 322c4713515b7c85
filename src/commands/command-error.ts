// How a command fails: a sentence for stderr and an exit code. 0 ok, 1 failed, 2 wrong use, 78 wrong settings.
import { BackupError } from '../backup/snapshot.ts';
import { Failure, type FailureCode } from '../kernel/failure.ts';
import { tell } from './terminal.ts';

export type ErrorCode = 1 | 2 | 78;

/** The message is for the operator. A cause is shown to those who ask for stack traces. */
export class CommandError extends Error {
  readonly exitCode: ErrorCode;

  constructor(message: string, exitCode: ErrorCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

const sentences: Partial<Record<FailureCode, readonly [exitCode: ErrorCode, sentence: string]>> = {
  NOT_FOUND: [1, 'There is no such user or record.'],
  FILE_NOT_FOUND: [1, 'There is no such file.'],
  REQUEST_INVALID: [
    2,
    'This does not name a user: use an id, a full phone number with its plus sign, or an e-mail address. `users find` also takes the last digits of a number, at least 3.',
  ],
  EMAIL_INVALID: [2, 'This is not an e-mail address.'],
  PHONE_INVALID: [2, 'This is not a phone number: write it in full, with its plus sign and country code.'],
  PHONE_NOT_SUPPORTED: [
    1,
    'The service does not send codes to this number (SMS_COUNTRIES, PHONE_TYPES), so it could not sign in.',
  ],
  LAST_WAY_IN: [1, 'The user has no phone number, so the e-mail address is the only way in. Add a number first.'],
  SERVICE_KEYS_FULL: [1, 'There are as many live service keys as there may be. Revoke one that is not used first.'],
  PHONE_TAKEN: [1, 'This phone number belongs to another user.'],
};

/** The one place that turns errors of commands into a message and an exit code. */
export function reportError(error: unknown, showsStack: boolean, write: (text: string) => void = tell): ErrorCode {
  const [exitCode, sentence] = judge(error);
  if (showsStack) for (const stack of stacksOf(error)) write(`${stack}\n`);
  const isExpected = error instanceof CommandError || error instanceof Failure || error instanceof BackupError;
  write(`gatehouse: ${sentence.trimEnd()}${isExpected ? '' : ' Set LOG_LEVEL=debug to see the stack trace.'}\n`);
  return exitCode;
}

function judge(error: unknown): readonly [exitCode: ErrorCode, sentence: string] {
  if (error instanceof CommandError) return [error.exitCode, error.message];
  if (error instanceof BackupError) return [1, error.message];
  if (error instanceof Failure) return sentences[error.code] ?? [1, describeFailure(error)];
  if (!(error instanceof Error)) return [1, 'Something went wrong.'];
  const { message, code } = error as NodeJS.ErrnoException;
  // A host name with several addresses, none of which answers, gives an error with a code and no message.
  return [1, message === '' ? `This failed with ${code}. Run gatehouse doctor.` : endSentence(message)];
}

/** Causes of failures contain no secrets. */
function describeFailure({ code, cause }: Failure): string {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  if (code === 'SERVICE_UNAVAILABLE')
    return `The database is not available${why}. Check that it runs, and that DATABASE_URL or DATA_DIR names it.`;
  return why === '' ? `This failed with ${code}.` : `This failed with ${code}${why}. Run gatehouse doctor.`;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Expected errors need no stack, but what caused them may. */
function stacksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = error instanceof CommandError ? [] : [error.stack ?? ''];
  return [...own, ...(error.cause instanceof Error ? [error.cause.stack ?? ''] : [])];
}
