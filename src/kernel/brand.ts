// Texts that carry their meaning in their type: one kind of text cannot be given where another is wanted.

/** Only a parser, a function that makes a new value, and a row of the database give a text its brand. */
export type Brand<Name extends string> = string & { readonly __brand: Name };
