// Reads the target of a request: the path, as it was sent, and the query.

export type Target = {
  /**
   * Without origin and query, not decoded: routes match only as written, so that a proxy in front can judge a path by its bytes. No path
   * and no id needs a percent sign.
   */
  readonly path: string;
  /** The text after the first question mark, not decoded. */
  readonly query: string;
  /** False if the target has no path, or one that cannot be decoded. */
  readonly isReadable: boolean;
};

export function readTarget(url: string): Target {
  if (url.charCodeAt(0) !== slash) return readForeign(url);
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const query = end === -1 ? '' : url.slice(end + 1);
  return { path, query, isReadable: !path.includes('%') || decodable.test(path) };
}

const slash = 47;

/** RFC 9112 section 3.2: the absolute form, and `*` for the server as a whole, which is the path of no route. */
function readForeign(url: string): Target {
  if (url === '*') return { path: '/*', query: '', isReadable: true };
  // Without user information and backslashes: some parsers end the host there.
  const origin = /^https?:\/\/[^/?#\\@]+(?=[/?]|$)/i.exec(url)?.[0];
  if (origin !== undefined) {
    const rest = url.slice(origin.length);
    const target = readTarget(rest.startsWith('/') ? rest : `/${rest}`);
    // A fragment is never sent: a slash after one could be taken for the start of the path.
    return url.includes('#') || !URL.canParse(url) ? { ...target, isReadable: false } : target;
  }
  const [path = ''] = url.split('?', 1);
  return { path, query: '', isReadable: !/^https?:\/\//i.test(url) };
}

/** The path of a URL as routes compare it. */
export function pathOf(url: string): string {
  return readTarget(url).path;
}

/** Every percent sign begins the code of a character in UTF-8. Then decoding cannot fail. */
const decodable =
  /^(?:[^%]|%[0-7][\da-f]|%(?:c[2-9a-f]|d[\da-f])%[89ab][\da-f]|%e0%[ab][\da-f]%[89ab][\da-f]|%e[1-9a-cef]%[89ab][\da-f]%[89ab][\da-f]|%ed%[89][\da-f]%[89ab][\da-f]|%f0%[9ab][\da-f]%[89ab][\da-f]%[89ab][\da-f]|%f[1-3]%[89ab][\da-f]%[89ab][\da-f]%[89ab][\da-f]|%f4%8[\da-f]%[89ab][\da-f]%[89ab][\da-f])*$/i;

export type Query = Readonly<Record<string, string | string[]>>;

/** A repeated name has the list of its values. A text that cannot be decoded stays as it is. */
export function readQuery(text: string): Query {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeText(pair.slice(equals + 1));
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}

function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') && decodable.test(spaced) ? decodeURIComponent(spaced) : spaced;
}
