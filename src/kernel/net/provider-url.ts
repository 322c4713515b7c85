// Parses the URL of a provider: scheme://id:secret[@host][/path][?query]. The parts are percent-decoded.

export type ProviderUrl<Scheme extends string = string> = {
  readonly scheme: Scheme;
  readonly id: string;
  readonly secret: string;
  /** host[:port]. Empty for the default host of the provider. */
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
};

const grammar = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is;

export function schemeOf(text: string): string | undefined {
  return grammar.exec(text.trim())?.[1]?.toLowerCase();
}

/**
 * Uses its own grammar, because URL parsers refuse `twilio://SID:TOKEN@?from=…`. Undefined if the text does not match it.
 * `bare` says what a URL without @ contains: an account or a host.
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

/** Undefined unless it is a number of messages per second. */
export function parseRate(text: string): number | undefined {
  const rate = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : undefined;
}
