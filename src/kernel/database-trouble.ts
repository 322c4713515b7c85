// Why PostgreSQL cannot be used and what to do about it, in words for whoever runs the service. No password is in them.
import { splitDatabaseUrl } from './database-url.ts';

/** `cause` names no host: it is also told to whoever asks for readiness. */
export type DatabaseTrouble = { readonly place: string; readonly cause: string; readonly cure: string };

type Words = readonly [cause: string, cure: string];

const hints: readonly (readonly [pattern: RegExp, words: Words])[] = [
  [
    /POOLER_MODE/,
    [
      'a pooler in transaction mode stands in front of it, which forgets what a session sets',
      'let it work in session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL itself',
    ],
  ],
  [/ECONNREFUSED/, ['the connection was refused', 'start PostgreSQL there, or correct host and port in DATABASE_URL']],
  [/ENOTFOUND|EAI_AGAIN/, ['the host name is unknown', 'correct the host in DATABASE_URL, or look at the DNS']],
  [
    /EHOSTUNREACH|ENETUNREACH/,
    ['there is no way to the host', 'correct the host in DATABASE_URL, or look at the network'],
  ],
  [/ENOENT/, ['there is no such socket', 'start PostgreSQL, or correct the path in DATABASE_URL']],
  [/53300/, ['it has no connection left', 'lower DATABASE_POOL or WORKERS, or raise max_connections of PostgreSQL']],
  [/57P03/, ['it is starting up or recovering', 'wait until it is up']],
  [/^28/, ['it refuses the user', 'correct user and password in DATABASE_URL, and look at pg_hba.conf']],
  [/3D000/, ['there is no such database', 'create it, or correct the name in DATABASE_URL']],
  [/25006/, ['no server takes writes', 'promote a standby, or name the primary in DATABASE_URL']],
  [/55P03|40P01/, ['others use its tables', 'wait; if it lasts, look for long transactions in pg_stat_activity']],
  [/42501/, ['the user may not do that', 'let the user own the database']],
  [
    /timeout|timed out|ETIMEDOUT/i,
    ['it does not answer', 'look whether PostgreSQL hangs, and whether a firewall stands in between'],
  ],
];

export function describeDatabaseTrouble(url: string, error: unknown): DatabaseTrouble {
  const [cause, cure] = hints.find(([pattern]) => matches(pattern, error))?.[1] ?? [
    wordsOf(error),
    'look whether the server runs and lets this machine in, and whether DATABASE_URL is right',
  ];
  const { code } = error as { code?: unknown };
  const isCoded = typeof code === 'string' && /^[A-Z0-9]{5,}$/.test(code);
  return { place: placesOf(url), cause: isCoded ? `${cause}, ${code}` : cause, cure };
}

/** The code says it where there is one; several addresses that were tried have their codes inside. */
function matches(pattern: RegExp, error: unknown): boolean {
  const { code, errors, cause, message } = error as Partial<AggregateError> & { code?: unknown };
  if (typeof code === 'string' && pattern.test(code)) return true;
  if ([...(errors ?? []), cause].some((inner) => inner instanceof Error && matches(pattern, inner))) return true;
  return typeof message === 'string' && pattern.test(message);
}

function wordsOf(error: unknown): string {
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
