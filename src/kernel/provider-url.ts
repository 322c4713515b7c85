// Reads the URLs that choose a provider: scheme://id:secret[@host][/path][?query], parts percent-decoded.

export type ProviderUrl<Scheme extends string = string> = {
  readonly scheme: Scheme;
  readonly id: string;
  readonly secret: string;
  /** host[:port]; empty where the provider's own address is meant. */
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
};

const grammar = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is;

export function schemeOf(text: string): string | undefined {
  return grammar.exec(text.trim())?.[1]?.toLowerCase();
}

/**
 * Our own grammar, because URL parsers refuse `twilio://SID:TOKEN@?from=…`; undefined when it is not of that form.
 * `bare`: what stands before the query where there is no @.
 */
export function parseProviderUrl(text: string, bare: 'account' | 'host'): ProviderUrl | undefined {
  const match = grammar.exec(text.trim());
  if (match === null) return undefined;
  const [, scheme = '', rest = ''] = match;
  const queryAt = rest.indexOf('?');
  const head = queryAt < 0 ? rest : rest.slice(0, queryAt);
  const at = head.lastIndexOf('@');
  const [user, place] = at >= 0 ? [head.slice(0, at), head.slice(at + 1)] : bare === 'host' ? ['', head] : [head, ''];
  const slash = place.indexOf('/');
  const colon = user.indexOf(':');
  try {
    return {
      scheme: scheme.toLowerCase(),
      id: decodeURIComponent(colon < 0 ? user : user.slice(0, colon)),
      secret: colon < 0 ? '' : decodeURIComponent(user.slice(colon + 1)),
      host: slash < 0 ? place : place.slice(0, slash),
      path: slash < 0 ? '' : place.slice(slash),
      query: readQuery(queryAt < 0 ? '' : rest.slice(queryAt + 1)),
    };
  } catch {
    return undefined;
  }
}

function readQuery(text: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const part of text.split('&').filter((piece) => piece !== '')) {
    const equals = part.indexOf('=');
    const name = decodeURIComponent(equals < 0 ? part : part.slice(0, equals));
    query[name] = equals < 0 ? '' : decodeURIComponent(part.slice(equals + 1));
  }
  return query;
}
