// All migrations in order, and the words in which the two databases differ.
import { first } from './0001-first.ts';
import { support } from './0002-support.ts';
import { webhooks } from './0003-webhooks.ts';
import { outboxChannels } from './0004-outbox-channels.ts';
import { installation } from './0005-installation.ts';
import { askers } from './0006-askers.ts';
import type { ColumnTypes, Migration } from './migration.ts';

export const migrations: readonly Migration[] = [first, support, webhooks, outboxChannels, installation, askers];

/** Text compares bytewise: no locale of the host can reorder an index or join two different keys. */
export const columnTypes = {
  sqlite: { text: 'text', int: 'integer', roomy: '', asJson: (column) => column },
  postgres: {
    text: 'text collate "C"',
    int: 'bigint',
    roomy: ' with (fillfactor = 85)',
    asJson: (column) => `${column}::json`,
  },
} as const satisfies Record<string, ColumnTypes>;
