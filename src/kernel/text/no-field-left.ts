// The rest of a record after a function has taken every field by its name: `const { id, …, ...rest } = user`.

/**
 * With `rest satisfies NoFieldLeft<'the admin page'>`, a new field does not compile before the function has named it: shown, or left out
 * with the reason. The place is in the words of the compiler.
 */
export type NoFieldLeft<Place extends string> = { readonly [field: string]: Place & never };
