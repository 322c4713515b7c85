// Classifies PostgreSQL errors: an error response, a race, a lost connection, or an unavailable database.
import pg from 'pg';

/** A unique-key conflict that persists for this many attempts is not a race. */
const mostClashes = 6;

/** The server responded with an error: it is available, and the transaction is not committed. */
export function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isShutdown(error);
}

/** Two nodes changed the same rows. A new attempt sees the changes of the other node. */
export function isRace(error: unknown, round: number): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || (code === '23505' && round < mostClashes);
}

/** The server is shutting down or has become read-only. A new connection may reach another server. */
function isShutdown(error: unknown): boolean {
  return ['57P01', '57P02', '57P03', '08006', '08003', '08000', '25006'].includes(codeOf(error));
}

export function isConnectionLoss(error: unknown): boolean {
  return isShutdown(error) || !(error instanceof pg.DatabaseError);
}

export function isStoreProblem(error: unknown): boolean {
  const code = codeOf(error);
  // Lack of resources, operator intervention, system errors, connection errors; then lock time-outs, read-only standbys and races.
  if (/^(53|57|58|08)/.test(code) || ['55P03', '25006', '25P03', '40001', '40P01'].includes(code)) return true;
  const networkCodes = [
    'UNREACHABLE',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
  ];
  if (networkCodes.includes(code) || code.startsWith('CLUSTER_')) return true;
  return /terminated|timeout|not queryable|Connection|client was closed|after calling end/i.test(
    error instanceof Error ? error.message : '',
  );
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** The server, the role or a connection pooler accepts no further connection. */
export function isOutOfConnections(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === '53300' || /no more connections allowed|too many (connections|clients)/i.test(message);
}
