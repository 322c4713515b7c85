// Runs one check of the doctor. A check that fails itself is a finding, too: the others still run, and --json prints JSON.
import { bad, type Finding } from './finding.ts';

export type Findings = AsyncIterable<Finding> | Iterable<Finding> | Promise<Iterable<Finding>>;

export async function* attempt(name: string, check: () => Findings): AsyncIterable<Finding> {
  try {
    yield* await check();
  } catch (error) {
    yield bad(
      name,
      `cannot be checked: ${messageOf(error)}`,
      'correct the setting that this names; if it names none, report it with the version of Gatehouse',
    );
  }
}

/** Prefers the cause of a failure, which contains no secret. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException;
  // A host name with several addresses, none of which answers, gives an error with a code and no message.
  return message === '' ? String(code) : message;
}
