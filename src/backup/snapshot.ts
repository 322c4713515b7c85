// The ports of backup and recovery to a store: a snapshot to read, an empty store to fill, and a store that was set back in time.

/** Columns by name with their kinds (text or int, a question mark allows null). The values of a row have the same order. */
export type TableShape = { readonly table: string; readonly columns: Readonly<Record<string, string>> };

export type ColumnKind = 'text' | 'int' | 'text?' | 'int?';

/** A rule for the text of a column. `name` completes “is not …”. */
export type Form = { readonly name: string; readonly fits: (text: string) => boolean };

export type TableSchema = {
  readonly table: string;
  readonly key: readonly string[];
  /** Of every version: an older backup lacks some. */
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly forms: Readonly<Record<string, Form>>;
};

export type BackupSchema = readonly TableSchema[];

export type Cell = string | number | null;

export type Rows = readonly (readonly Cell[])[];

/** Some rows of one table. */
export type Page = { readonly shape: TableShape; readonly rows: Rows };

/** A consistent view of a store at one moment, however long it is read. */
export type Snapshot = {
  /** The migrations that created its tables. */
  readonly migrations: readonly string[];
  /** The tables that a backup contains. */
  readonly shapes: readonly TableShape[];
  pages(shape: TableShape): AsyncIterable<Rows>;
  close(): Promise<void>;
};

export type EmptyStore = {
  /** What the tables of a backup may hold. */
  readonly schema: BackupSchema;
  /** Throws BackupError if the store contains data. */
  refuseRows(): Promise<void>;
  knowsMigration(name: string): boolean;
  /**
   * Creates the tables with these migrations, fills them and counts the file usage of each user. Atomic: one commit. A page is written
   * before the next one is asked for. Throws BackupError if the database does not accept a row.
   */
  fill(migrations: readonly string[], pages: AsyncIterable<Page>): Promise<void>;
};

/** How many of each were ended. */
export type EndedCounts = {
  readonly sessions: number;
  readonly adminSignIns: number;
  readonly serviceKeys: number;
  /** Messages that waited to be sent, and may have been sent before. */
  readonly messages: number;
  readonly webhooks: number;
  /** Scheduled changes of phone numbers. They are announced again, and wait again. */
  readonly phoneChanges: number;
};

export type RecoverableStore = {
  /**
   * Ends everything that was issued and records an audit event. Atomic: one commit. Undefined if the store was already recovered to
   * the same moment. Throws BackupError if a service uses the store, unless `evenInUse` is set.
   */
  endEverything(recovery: {
    readonly to: string;
    readonly now: number;
    readonly evenInUse: boolean;
  }): Promise<EndedCounts | undefined>;
};

/** The command cannot be carried out. The message tells the operator why, and what to do. */
export class BackupError extends Error {}
