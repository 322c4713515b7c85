// Parameters of a query or a form, as OAuth reads them: one without a value counts as absent, and none may occur twice.

export type Parameters = {
  readonly get: (name: string) => string | undefined;
  readonly isRepeated: (name: string) => boolean;
  /** The first name that occurs twice with a value. */
  readonly repeated: () => string | undefined;
  readonly hasControlCharacters: boolean;
  /** The text of a query with the same values. */
  readonly write: () => string;
};

export function readParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  let hasControlCharacters = false;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
    // PostgreSQL refuses NUL in a text, and no parameter needs any other.
    hasControlCharacters ||= /\p{Cc}/u.test(value);
  }
  return {
    get: (name) => values.get(name),
    isRepeated: (name) => repeated.has(name),
    repeated: () => repeated.values().next().value,
    hasControlCharacters,
    write: () => new URLSearchParams([...values]).toString(),
  };
}
