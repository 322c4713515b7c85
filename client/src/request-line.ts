// The method and path of a call, with its id and query filled in.

export type Query = Readonly<Record<string, string | number | undefined>>;

/** `line`: `GET /api/file/{id}`. Several ids fill the places in their order. */
export function requestLine(
  line: string,
  id: string | readonly string[] = '',
  query: Query = {},
): [method: string, path: string] {
  const ids = typeof id === 'string' ? [id] : [...id];
  const [method = '', path = ''] = line.replaceAll(/\{\w+\}/g, () => segmentOf(ids.shift() ?? '')).split(' ');
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return [method, pairs.length === 0 ? path : `${path}?${pairs.join('&')}`];
}

/** A URL resolves one or two dots to another path, even percent-encoded. Encoded twice, they are an id that nothing has. */
function segmentOf(id: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(id) ? id.replaceAll('.', '%2E') : id);
}
