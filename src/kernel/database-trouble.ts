// Explains to the operator why PostgreSQL cannot be used and how to fix it. The texts never contain a password.
import { splitDatabaseUrl } from './database-url.ts';

/** `cause` contains no host name, because the readiness response also shows it. */
export type DatabaseTrouble = { readonly place: string; readonly cause: string; readonly cure: string };

type Explanation = readonly [cause: string, cure: string];

const hints: readonly (readonly [pattern: RegExp, explanation: Explanation])[] = [
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

export function describeDatabaseTrouble(url: string, error: unknown): DatabaseTrouble {
  const [cause, cure] = hints.find(([pattern]) => matches(pattern, error))?.[1] ?? [
    messageOf(error),
    'check that the server runs, that it accepts connections from this machine, and that DATABASE_URL is correct',
  ];
  const { code } = error as { code?: unknown };
  const isCoded = typeof code === 'string' && /^[A-Z0-9]{5,}$/.test(code);
  return { place: placesOf(url), cause: isCoded ? `${cause}, ${code}` : cause, cure };
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
  const places = (splitDatabaseUrl(url) ?? []).map((one) => {
    const { hostname, port, searchParams } = new URL(one);
    return searchParams.get('host') ?? `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}`;
  });
  return places.join(', ');
}
