// All migrations in order, and the SQL in which the two databases differ.
import { first } from './0001-first.ts';
import { support } from './0002-support.ts';
import { webhooks } from './0003-webhooks.ts';
import { outboxChannels } from './0004-outbox-channels.ts';
import { installation } from './0005-installation.ts';
import { askers } from './0006-askers.ts';
import type { ColumnTypes, Migration } from './migration.ts';

export const migrations: readonly Migration[] = [first, support, webhooks, outboxChannels, installation, askers];

/** Text compares bytewise: the locale of the host can neither reorder an index nor make two different keys equal. */
export const columnTypes = {
  sqlite: { text: 'text', int: 'integer', roomy: '', asJson: (column) => column },
  postgres: {
    text: 'text collate "C"',
    int: 'bigint',
    roomy: ' with (fillfactor = 85)',
    asJson: (column) => `${column}::json`,
  },
} as const satisfies Record<string, ColumnTypes>;
