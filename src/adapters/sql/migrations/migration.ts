// What a migration is: a name and its statements, in the column types of the database at hand.

export type ColumnTypes = { readonly text: string; readonly int: string };

export type Migration = { readonly name: string; statements(types: ColumnTypes): string[] };
