// Sends one request to the service and returns its data. It does not add tokens and does not retry.
import { type CallName, type Calls, calls } from './api-types.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { readAnswer } from './read-answer.ts';
import { type Query, requestLine } from './request-line.ts';

export type WireOptions = {
  /** Without a slash at the end. Empty for the origin of the page. */
  readonly base: string;
  readonly isCookie: boolean;
  readonly language: string | undefined;
  readonly fetch: typeof fetch;
};

export type Message<N extends CallName> = {
  readonly id?: string | readonly string[];
  readonly query?: Query;
  readonly body?: Calls[N]['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives the headers of a successful response. */
  readonly onHeaders?: (header: (name: string) => string | null) => Promise<void>;
};

export type Wire = <N extends CallName>(name: N, message?: Message<N>) => Promise<Calls[N]['data']>;

/** A request that hangs would block every tab that waits for the lock. */
const timeoutMilliseconds = 20_000;

export function createWire({ base, isCookie, language, fetch }: WireOptions): Wire {
  return async (name, { id, query, body, headers, onHeaders } = {}) => {
    const [method, path] = lineOf(name, id, query);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMilliseconds);
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        credentials: isCookie ? 'include' : 'omit',
        signal: timeout.signal,
        headers: {
          ...(language !== undefined && { 'accept-language': language }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = { status: response.status, header: (name: string) => response.headers.get(name), text };
      // The types are generated from the response schemas of the service.
      const data = readAnswer(answer) as Calls[typeof name]['data'];
      await onHeaders?.(answer.header);
      return data;
    } catch (error) {
      throw toGatehouseError(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

export function lineOf(name: CallName, id?: string | readonly string[], query?: Query): [method: string, path: string] {
  return requestLine(calls[name], id, query);
}
