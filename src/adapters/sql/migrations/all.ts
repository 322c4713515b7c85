// All migrations in order, and the words in which the two databases differ.
import { first } from './0001-first.ts';
import type { ColumnTypes, Migration } from './migration.ts';

export const migrations: readonly Migration[] = [first];

/** Text compares bytewise: no locale of the host can reorder an index or join two different keys. */
export const columnTypes = {
  sqlite: { text: 'text', int: 'integer', roomy: '' },
  postgres: { text: 'text collate "C"', int: 'bigint', roomy: ' with (fillfactor = 85)' },
} as const satisfies Record<string, ColumnTypes>;
