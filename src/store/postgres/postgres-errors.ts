// What PostgreSQL's errors mean to us: an answer, a race, a connection that is lost, a database that cannot be had.
import pg from 'pg';

/** A key that is still taken after so many tries is taken for good. */
const mostClashes = 6;

/** The server answered with an error: it is there, and the transaction is known not to be committed. */
export function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isShutdown(error);
}

/** Two nodes touched the same rows: run again, it sees what the other did. */
export function isRace(error: unknown, round: number): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || (code === '23505' && round < mostClashes);
}

/** The server goes away, or has become one that takes no writes: another connection may lead to another server. */
function isShutdown(error: unknown): boolean {
  return ['57P01', '57P02', '57P03', '08006', '08003', '08000', '25006'].includes(codeOf(error));
}

export function isConnectionLoss(error: unknown): boolean {
  return isShutdown(error) || !(error instanceof pg.DatabaseError);
}

export function isStoreTrouble(error: unknown): boolean {
  const code = codeOf(error);
  // Time-outs, lack of resources, operator intervention, system errors, read-only standby.
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
  if (networkCodes.includes(code)) return true;
  return /terminated|timeout|not queryable|Connection|client was closed|after calling end/i.test(
    error instanceof Error ? error.message : '',
  );
}

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** The server, the role or a pooler lets nobody else in. */
export function isOutOfConnections(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === '53300' || /no more connections allowed|too many (connections|clients)/i.test(message);
}
