// The two ends of a backup as ports: one moment of a store to read, and an empty store to fill.

/** Columns by name with their kinds (text or int, a question mark allows null): the values of a row stand in this order. */
export type TableShape = { readonly table: string; readonly columns: Readonly<Record<string, string>> };

export type Cell = string | number | null;

export type Rows = readonly (readonly Cell[])[];

/** Some rows of one table. */
export type Page = { readonly shape: TableShape; readonly rows: Rows };

/** One moment of a store, however long it is read. */
export type Snapshot = {
  /** The migrations that made its tables. */
  readonly migrations: readonly string[];
  /** What goes into a backup. */
  readonly shapes: readonly TableShape[];
  pages(shape: TableShape): AsyncIterable<Rows>;
  close(): Promise<void>;
};

export type EmptyStore = {
  /** Throws Refusal when something is there. */
  refuseRows(): Promise<void>;
  knowsMigration(name: string): boolean;
  /** Makes the tables by these migrations and fills them, in one commit: killed half way, nothing has happened. */
  fill(migrations: readonly string[], pages: AsyncIterable<Page>): Promise<void>;
};

/** What a person asked for cannot be done; the message says why, and what to do. */
export class Refusal extends Error {}
