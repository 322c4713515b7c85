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

/** What the driver takes from the environment for a part that the URL lacks. */
type DatabaseDefaults = {
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly name: string | undefined;
  readonly user: string | undefined;
};

/**
 * With the defaults written into it, as the driver would take them: whatever names the database then names the one that is used. A URL that lacks
 * nothing stays as it is.
 */
export function completeDatabaseUrl(text: string, defaults: DatabaseDefaults): string {
  const [first] = splitDatabaseUrl(text) ?? [];
  if (first === undefined) return text;
  const begin = text.indexOf('://') + 3;
  const [scheme, [place = '']] = [text.slice(0, begin), text.slice(begin).split(/[/?#]/, 1)];
  const at = place.lastIndexOf('@') + 1;
  const [userinfo, servers, behind] = [place.slice(0, at), place.slice(at), text.slice(begin + place.length)];
  const [path = ''] = behind.split(/[?#]/, 1);
  const rest = behind.slice(path.length);
  const { searchParams } = new URL(first);
  const port = lastOf(searchParams, 'port') ? undefined : defaults.port;
  const user = userinfo !== '' || lastOf(searchParams, 'user') ? undefined : defaults.user;
  const host = lastOf(searchParams, 'host') ? undefined : defaults.host;
  const isHostNeeded = (host ?? port ?? user) !== undefined;
  const completed = servers.split(',').map((server) => {
    const name = server === '' && isHostNeeded ? encodeURIComponent(host ?? local) : server;
    return port === undefined || /:\d+$/.test(name) ? name : `${name.replace(/:$/, '')}:${port}`;
  });
  const who = user === undefined ? userinfo : `${encodeURIComponent(user)}@`;
  // The driver does not decode some signs of a name. Such a name stays in the environment.
  const isNameAdded = path.length <= 1 && defaults.name !== undefined && /^[\w.% -]+$/.test(defaults.name);
  return `${scheme}${who}${completed.join(',')}${isNameAdded ? `/${encodeURI(defaults.name)}` : path}${rest}`;
}

/** Where the driver connects to. The query outweighs the rest of the URL, and a host with a slash at its beginning is the folder of a socket. */
export function serverOf(url: string): { readonly host: string; readonly port: string | undefined } {
  const { hostname, port, searchParams } = new URL(url);
  const host = lastOf(searchParams, 'host') || decode(hostname).replace(/^\[|\]$/g, '') || local;
  return { host: host.includes(':') ? `[${host}]` : host, port: (lastOf(searchParams, 'port') ?? port) || undefined };
}

/** Host and port of one server. It contains no password. */
export function placeOf(url: string): string {
  const { host, port = '5432' } = serverOf(url);
  return host.startsWith('/') && port === '5432' ? host : `${host}:${port}`;
}

/** The name of the database and all places. It contains no password. */
export function describeDatabase(text: string): string | undefined {
  const urls = splitDatabaseUrl(text);
  const [first] = urls ?? [];
  if (urls === undefined || first === undefined) return undefined;
  const { pathname, username, searchParams } = new URL(first);
  const name = decode(pathname.slice(1)) || lastOf(searchParams, 'user') || decode(username) || 'of the user';
  return `${name} on ${urls.map(placeOf).join(',')}`;
}

const local = 'localhost';

/** Of a parameter that is given twice, the last one counts for the driver, and an empty one not at all. */
function lastOf(searchParams: URLSearchParams, name: string): string | undefined {
  return searchParams.getAll(name).at(-1) || undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
