// One thing that the service gives and that outlives or outranks what it was asked with.

type Test = readonly [file: string, name: string];

export type Grant = {
  /**
   * Calls with what of their answers it is: a field, “cookie …”, “header …” or `page`, or `record` if no answer shows it. Commands
   * (“gatehouse …”) and messages (“message …”) without that.
   */
  readonly by: Readonly<Record<string, readonly string[]>>;
  readonly needs: string;
  readonly lives: string;
  /** Each thing that ends it, with a test that shows it. */
  readonly ends: Readonly<Record<string, Test>>;
  /** Tests that show what it needs. */
  readonly held?: readonly Test[];
  /** What is not closed. */
  readonly gap?: string;
};

/** A right that no answer shows: the service only remembers it. */
export const record = 'record';

/** The same fields of several calls. Without fields: commands or messages. */
export function by(calls: readonly string[], ...fields: readonly string[]): Grant['by'] {
  return Object.fromEntries(calls.map((call) => [call, fields]));
}
