// Splits the URL of a PostgreSQL database that may name several servers: postgres://user:password@one:5432,two:5432/name.

/**
 * One URL per server, in the given order. Undefined if the text is not a valid database URL. After an @ behind the first / ? or #, that sign
 * may be one of the password, whose first part would be taken for a host, and shown: such a sign must be percent-encoded.
 */
export function splitDatabaseUrl(text: string): string[] | undefined {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const [place = ''] = text.slice(scheme.length).split(/[/?#]/, 1);
  const at = scheme.length + place.lastIndexOf('@') + 1;
  const end = scheme.length + place.length;
  const servers = text.slice(at, end).split(',');
  const urls = servers.map((server) => `${text.slice(0, at)}${server}${text.slice(end)}`);
  const isWhole = servers.length === 1 || servers.every((server) => server !== '');
  const isClear = !text.slice(end).includes('@');
  return text.length > at && isWhole && isClear && urls.every(isReadable) ? urls : undefined;
}

/** A % that begins no percent-encoded sign is refused here: the driver would fail at every connection, and say nothing of the cause. */
function isReadable(url: string): boolean {
  try {
    const { username, password, hostname, pathname } = new URL(url);
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Host and port of one server. It contains no password. */
export function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return searchParams.get('host') ?? `${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}`;
}
