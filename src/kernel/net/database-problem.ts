// Explains to the operator why PostgreSQL cannot be used and how to fix it. The texts never contain a password.
import { placeOf, splitDatabaseUrl } from './database-url.ts';

/** `cause` contains no host name, because the readiness response also shows it. */
type DatabaseProblem = { readonly place: string; readonly cause: string; readonly cure: string };

type Explanation = readonly [cause: string, cure: string];

const adopt = 'if this is the database to go on with, run gatehouse database adopt';

type Hints = readonly (readonly [pattern: RegExp, explanation: Explanation])[];

/** The servers answer, and none of them may be used; or the data folder was moved under the service. */
const refusals: Hints = [
  [
    /CLUSTER_LOWER/,
    [
      'it is an old primary: a later timeline is known, whose primary does not answer',
      `start the new primary, or correct DATABASE_URL; ${adopt}`,
    ],
  ],
  [
    /CLUSTER_TWO/,
    [
      'two servers accept writes on the same timeline, and cannot both be right',
      'stop the one that must not be the primary, and make it a standby of the other',
    ],
  ],
  [
    /CLUSTER_OTHER/,
    ['it is another cluster than before', `correct DATABASE_URL; after a move or pg_upgrade, ${adopt}`],
  ],
  [
    /CLUSTER_SEVERAL/,
    ['the servers do not belong to one cluster', 'name only a primary and its standbys in DATABASE_URL'],
  ],
  [/CLUSTER_NOT_ADOPTED/, ['an operator has decided for another server than this one', `start that server; ${adopt}`]],
  [
    /CLUSTER_UNTOLD/,
    [
      'it no longer says which cluster it is',
      `grant the user of DATABASE_URL execute on pg_control_system, pg_control_checkpoint and pg_control_recovery; ${adopt}`,
    ],
  ],
  [
    /CLUSTER_STRANGE/,
    [
      'it is the database of another installation, or was never started',
      'correct DATABASE_URL; if this database and the storage belong together, run gatehouse storage adopt',
    ],
  ],
  [
    /CLUSTER_UNPROVED/,
    [
      'it is not the database that this node knows, and the storage does not confirm it',
      'make the storage available, or correct DATABASE_URL; if this database and the storage belong together, run gatehouse storage adopt',
    ],
  ],
  [
    /CLUSTER_UNSTEADY/,
    ['one name leads to several servers', 'let the name lead to the primary only, or name each server in DATABASE_URL'],
  ],
  [
    /DATA_DIR_AWAY/,
    [
      'DATA_DIR or the database in it is not at its place',
      'stop the service, move the folder back, and start it again',
    ],
  ],
  [
    /CLUSTER_FILE/,
    [
      'the file database-cluster.json in DATA_DIR is damaged',
      'make sure that the right primary runs, and run gatehouse database adopt on this machine, which writes the file anew, or remove the file',
    ],
  ],
];

/** Also the text of commands that find such a database. */
export const noTables: Explanation = [
  'this database has no Gatehouse tables',
  'start the service or run gatehouse migrate up first; if the service has been started before, check DATABASE_URL',
];

const hints: Hints = [
  ...refusals,
  [/DATABASE_EMPTY/, noTables],
  [
    /DATABASE_OTHER/,
    [
      'its table schema_migrations belongs to another program',
      'check DATABASE_URL: Gatehouse needs a database, or a schema, of its own',
    ],
  ],
  [
    /POOLER_MODE/,
    [
      'a connection pooler in transaction mode is in front of it and loses session settings',
      'switch the pooler to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly',
    ],
  ],
  [/ECONNREFUSED/, ['the connection was refused', 'start PostgreSQL there, or correct host and port in DATABASE_URL']],
  [/ENOTFOUND|EAI_AGAIN/, ['the host name is unknown', 'correct the host in DATABASE_URL, or check the DNS']],
  [
    /EHOSTUNREACH|ENETUNREACH/,
    ['the host cannot be reached', 'correct the host in DATABASE_URL, or check the network'],
  ],
  [/ENOENT/, ['the socket does not exist', 'start PostgreSQL, or correct the path in DATABASE_URL']],
  [/53300/, ['it has no free connections', 'lower DATABASE_POOL or WORKERS, or raise max_connections of PostgreSQL']],
  [/57P03/, ['it is starting up or recovering', 'wait until it has started']],
  [/^28/, ['it refuses the user', 'correct user and password in DATABASE_URL, and check pg_hba.conf']],
  [/3D000/, ['the database does not exist', 'create it, or correct the name in DATABASE_URL']],
  [/25006/, ['no server accepts writes', 'promote a standby, or name the primary in DATABASE_URL']],
  [
    /55P03|40P01/,
    ['other connections lock its tables', 'wait; if it lasts, look for long transactions in pg_stat_activity'],
  ],
  [/42501/, ['the user lacks a permission', 'make the user the owner of the database']],
  [
    /timeout|timed out|ETIMEDOUT/i,
    ['it does not answer', 'check whether PostgreSQL hangs, and whether a firewall blocks the connection'],
  ],
];

export function describeDatabaseProblem(url: string, error: unknown): DatabaseProblem {
  const [cause, cure] = grantOf(error) ??
    hints.find(([pattern]) => matches(pattern, error))?.[1] ?? [
      messageOf(error),
      'check that the server runs, that it accepts connections from this machine, and that DATABASE_URL is correct',
    ];
  const { code } = error as { code?: unknown };
  const isCoded = typeof code === 'string' && /^[A-Z0-9]{5,}$/.test(code);
  return { place: placesOf(url), cause: isCoded ? `${cause}, ${code}` : cause, cure };
}

/** The database has said what to grant to whom. */
function grantOf(error: unknown): Explanation | undefined {
  const { code, message, cure } = error as Error & { code?: unknown; cure?: string };
  return code === 'DATABASE_GRANT' && cure !== undefined ? [message, cure] : undefined;
}

/** Why a node refuses the database that answers, for the readiness probe. Undefined if that is not the cause. */
export function refusedDatabase(error: unknown): string | undefined {
  return refusals.find(([pattern]) => matches(pattern, error))?.[1][0];
}

/** Looks at the code first. If several IP addresses were tried, each inner error has its own code. */
function matches(pattern: RegExp, error: unknown): boolean {
  const { code, errors, cause, message } = error as Partial<AggregateError> & { code?: unknown };
  if (typeof code === 'string' && pattern.test(code)) return true;
  if ([...(errors ?? []), cause].some((inner) => inner instanceof Error && matches(pattern, inner))) return true;
  return typeof message === 'string' && pattern.test(message);
}

function messageOf(error: unknown): string {
  const { message = '', code } = error as { message?: string; code?: string };
  return message === '' ? String(code ?? 'unknown') : message;
}

function placesOf(url: string): string {
  return (splitDatabaseUrl(url) ?? []).map(placeOf).join(', ');
}
