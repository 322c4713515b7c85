// Explains why database and storage do not belong together: which settings name them, what they contain, and what to do.

import type { Config } from '../config/config.ts';
import type { InstallationMismatch, InstallationState, MismatchReason } from '../files/storage/installation.ts';
import { describeDatabase } from '../kernel/net/database-url.ts';
import { nameStorage } from '../service/choose-blobs.ts';
import { countOf } from './write-text.ts';

type Place = Pick<Config, 'databaseUrl' | 'storage' | 'dataDir'>;

/** EX_CONFIG, as for any wrong setting. */
export const mismatchExitCode = 78;

export function writeMismatch(place: Place, { discord, facts }: InstallationMismatch): string {
  const lines = [
    `The database and the storage do not belong together: ${causes[discord]}.`,
    '',
    describePlaces(place, facts),
    '',
    cures[discord],
    'Nothing was changed or removed.',
  ];
  return `${lines.join('\n')}\n`;
}

export function describePlaces(place: Place, facts: InstallationState): string {
  return [
    `  database  ${nameDatabase(place)}: ${facts.database ?? 'no installation id'}, ${describeRows(facts)}`,
    `  storage   ${describeStorage(place)}: ${facts.storage ?? 'no installation id'}, ${describeBlobs(facts)}`,
  ].join('\n');
}

const causes: Readonly<Record<MismatchReason, string>> = {
  'two installations': 'they have the ids of two different installations',
  'new database': 'the storage belongs to an installation, and the database has never been used with it',
  'strange files': 'the storage holds files that this database does not know',
  'no files': 'the database has file records, and the storage is empty',
  'not joined': 'the service has not run on them yet',
};

const look = 'Check DATABASE_URL, STORAGE_URL and DATA_DIR: one of them names another place than before.';
const adopt = 'Only if you are sure that they belong together: gatehouse storage adopt --reason "…"';
const cures: Readonly<Record<MismatchReason, string>> = {
  'two installations': `${look}\n${adopt}`,
  'new database': `${look}\nTo move the data to a new database, restore a backup into it. To start from scratch, name an empty storage too.\n${adopt}`,
  'strange files': `${look}\nAfter an update a few of them may be remains of interrupted uploads: gatehouse files check lists them.\n${adopt}`,
  'no files': `${look} Is the disk mounted?\n${adopt}`,
  'not joined': 'Start the service once: it checks that they belong together, and links them.',
};

/** Cause and cure, one line each. */
export function explainMismatch(discord: MismatchReason): [string, string] {
  return [
    `the database and the storage do not belong together: ${causes[discord]}`,
    cures[discord].replaceAll('\n', ' '),
  ];
}

function nameDatabase({ databaseUrl, dataDir }: Place): string {
  if (databaseUrl === undefined) return `SQLite in DATA_DIR=${dataDir} (DATABASE_URL is not set)`;
  return `PostgreSQL of DATABASE_URL (${describeDatabase(databaseUrl)})`;
}

function describeStorage({ storage, dataDir }: Place): string {
  if (storage === undefined) return `disk in DATA_DIR=${dataDir} (STORAGE_URL is not set)`;
  return `${nameStorage({ storage }).title} of STORAGE_URL (${storage.host}${storage.path} ${storage.query.prefix ?? ''})`.replace(
    ' )',
    ')',
  );
}

function describeRows({ users, records }: InstallationState): string {
  return `${countOf(users, 'user')}, ${countOf(records, 'file record')}`;
}

function describeBlobs({ sample: { blobs, known } }: InstallationState): string {
  if (blobs === 0) return 'no files';
  return `${known} of ${blobs} files in the sample have a record in this database`;
}
