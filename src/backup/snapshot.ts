// A store as backups and recoveries see it, as ports: one moment of it to read, an empty one to fill, one that was set back in time.

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
  /** Makes the tables by these migrations, fills them and counts what each user's files take, in one commit: killed half way, nothing has happened. */
  fill(migrations: readonly string[], pages: AsyncIterable<Page>): Promise<void>;
};

/** How many there were. */
export type EndedThings = {
  readonly sessions: number;
  readonly adminSignIns: number;
  /** That waited to be sent, and may have been. */
  readonly messages: number;
  readonly webhooks: number;
};

export type SetBackStore = {
  /**
   * Ends everything that was issued, in one commit with its audit event: killed half way, nothing has happened. Undefined where that was
   * done before for the same moment. Throws Refusal where a service uses the store, unless that is wanted.
   */
  endEverything(recovery: {
    readonly to: string;
    readonly now: number;
    readonly evenInUse: boolean;
  }): Promise<EndedThings | undefined>;
};

/** What a person asked for cannot be done; the message says why, and what to do. */
export class BackupError extends Error {}
