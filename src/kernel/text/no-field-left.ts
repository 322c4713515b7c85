// The rest of a record after a function has taken every field by its name: `const { id, …, ...rest } = user`.

/** With `rest satisfies NoFieldLeft`, a new field does not compile before the function has named it: shown, or left out with the reason. */
export type NoFieldLeft = Readonly<Record<string, never>>;
