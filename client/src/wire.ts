// One exchange with the service: a named call out, its data back. Knows no tokens and never repeats.
import { type CallName, type Calls, calls } from './api-types.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { readAnswer } from './read-answer.ts';

export type WireOptions = {
  /** Without a slash at its end; empty where the page's own origin is meant. */
  readonly base: string;
  readonly isCookie: boolean;
  readonly language: string | undefined;
  readonly fetch: typeof fetch;
};

export type Message<N extends CallName> = {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Calls[N]['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** Told the headers of an answer that brings data. */
  readonly hear?: (header: (name: string) => string | null) => Promise<void>;
};

export type Wire = <N extends CallName>(name: N, message?: Message<N>) => Promise<Calls[N]['data']>;

/** A call that hangs would hold up every tab that waits for it. */
const longestMilliseconds = 20_000;

export function createWire({ base, isCookie, language, fetch }: WireOptions): Wire {
  return async (name, { id, query, body, headers, hear } = {}) => {
    const [method, path] = lineOf(name, id, query);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), longestMilliseconds);
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        credentials: isCookie ? 'include' : 'omit',
        signal: limit.signal,
        headers: {
          ...(language !== undefined && { 'accept-language': language }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = { status: response.status, header: (name: string) => response.headers.get(name), text };
      // The types are made from the schemas that the service answers by.
      const data = readAnswer(answer) as Calls[typeof name]['data'];
      await hear?.(answer.header);
      return data;
    } catch (error) {
      throw toGatehouseError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

export function lineOf(
  name: CallName,
  id = '',
  query: Readonly<Record<string, string | number | undefined>> = {},
): [method: string, path: string] {
  const [method = '', path = ''] = calls[name].replace('{id}', encodeURIComponent(id)).split(' ');
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return [method, pairs.length === 0 ? path : `${path}?${pairs.join('&')}`];
}
