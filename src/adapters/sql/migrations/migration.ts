// What a migration is: a name and its statements, in the column types of the database at hand.

export type ColumnTypes = {
  readonly text: string;
  readonly int: string;
  /** After a table whose rows change often: leaves room beside each row, so that a change touches no index. */
  readonly roomy: string;
  /** A column of JSON text, to be looked into. */
  readonly asJson: (column: string) => string;
};

export type Migration = { readonly name: string; statements(types: ColumnTypes): string[] };
