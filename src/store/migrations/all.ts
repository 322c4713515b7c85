// All migrations in order, and the SQL in which the two databases differ.
import { first } from './0001-first.ts';
import { support } from './0002-support.ts';
import { webhooks } from './0003-webhooks.ts';
import { outboxChannels } from './0004-outbox-channels.ts';
import { installation } from './0005-installation.ts';
import { askers } from './0006-askers.ts';
import { charsets } from './0007-charsets.ts';
import { proofs } from './0008-proofs.ts';
import { notices } from './0009-notices.ts';
import { phoneLife } from './0010-phone-life.ts';
import { codeSends } from './0011-code-sends.ts';
import { backEnd } from './0012-back-end.ts';
import { apps } from './0013-apps.ts';
import { sharing } from './0014-sharing.ts';
import { staff } from './0015-staff.ts';
import { removals } from './0016-removals.ts';
import { webhookLines } from './0017-webhook-lines.ts';
import { sweeps } from './0018-sweeps.ts';
import { lateRepeats } from './0019-late-repeats.ts';
import { countedMessages } from './0020-counted-messages.ts';
import { nodeStandings } from './0021-node-standings.ts';
import type { ColumnTypes, Migration } from './migration.ts';

export const migrations: readonly Migration[] = [
  first,
  support,
  webhooks,
  outboxChannels,
  installation,
  askers,
  charsets,
  proofs,
  notices,
  phoneLife,
  codeSends,
  backEnd,
  apps,
  sharing,
  staff,
  removals,
  webhookLines,
  sweeps,
  lateRepeats,
  countedMessages,
  nodeStandings,
];

/** Text compares bytewise: the locale of the host can neither reorder an index nor make two different keys equal. */
export const columnTypes = {
  sqlite: {
    text: 'text',
    int: 'integer',
    roomy: '',
    asJson: (column) => column,
    addTimeOfNow: (table, column) => [
      `alter table ${table} add column ${column} integer`,
      `update ${table} set ${column} = unixepoch() * 1000`,
    ],
    sequence: () => [],
    withoutNotNull: (name, _, { table, columns, indexes }) => [
      `create table ${name}_copy (${table})`,
      `insert into ${name}_copy (${columns}) select ${columns} from ${name}`,
      `drop table ${name}`,
      `alter table ${name}_copy rename to ${name}`,
      ...indexes,
    ],
  },
  postgres: {
    text: 'text collate "C"',
    int: 'bigint',
    roomy: ' with (fillfactor = 85)',
    asJson: (column) => `${column}::json`,
    addTimeOfNow: (table, column) => [
      `alter table ${table} add column ${column} bigint default (extract(epoch from now()) * 1000)::bigint`,
      `alter table ${table} alter column ${column} drop default`,
    ],
    sequence: (name) => [`create sequence ${name}`],
    withoutNotNull: (name, column) => [`alter table ${name} alter column ${column} drop not null`],
  },
} as const satisfies Record<string, ColumnTypes>;
