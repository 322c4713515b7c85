// One thing that the service gives and that outlives or outranks what the call has sent.

/** With the name of a case if the test is built from a table. */
type Test = readonly [file: string, title: string, name?: string];

export type Grant = {
  /** By it test/promises.json names the tests. An id stays when rows are added or removed. */
  readonly id: string;
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
