// Sends requests of a back end with its service key. The key never leaves this file: not in an error, and not in a copy of the client.
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { readAnswer } from './read-answer.ts';
import { type Query, requestLine } from './request-line.ts';
import { isTransient, retry } from './retry.ts';
import { type CallName, type Calls, calls } from './service-types.ts';

export type ServiceMessage = {
  readonly id?: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

export type ServiceWire = {
  /** `read`: may be repeated whatever happened. Any other call is repeated only if the service refused to begin with it. */
  ask<N extends CallName>(
    name: N,
    kind: 'read' | 'write',
    message?: ServiceMessage & { readonly body?: Calls[N]['body'] },
  ): Promise<Calls[N]['data']>;
  /** One request. The answer is not read, and nothing is repeated. */
  send(
    name: CallName,
    message: ServiceMessage & { readonly content?: Blob; readonly isPatient?: true },
  ): Promise<Response>;
};

type Parts = {
  /** Without a slash at the end. */
  readonly base: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly timeout: number;
};

const keyForm = /^gks_[A-Za-z0-9-]+_[A-Za-z0-9_-]+$/;

export function createServiceWire({ base, key: given, fetch, timeout }: Parts): ServiceWire {
  const key = given.trim();
  // fetch would name a malformed header with its value.
  if (!keyForm.test(key)) throw new TypeError('createService needs a service key: gks_<id>_<secret>');
  const clean = (text: string) => text.replaceAll(key, 'gks_…');

  /** The time that a request may take includes what `use` does with the answer. */
  const request = async <T>(
    name: CallName,
    { id, query, headers, signal }: ServiceMessage,
    { body, redirect, time }: { body: string | Blob | undefined; redirect: RequestRedirect; time: number | undefined },
    use: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const [method, path] = requestLine(calls[name], id, query);
    const stop = new AbortController();
    const abort = () => stop.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = time === undefined ? undefined : setTimeout(abort, time);
    let isStreamed = false;
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        redirect,
        signal: stop.signal,
        headers: { ...headers, authorization: `Bearer ${key}` },
        ...(body !== undefined && { body }),
      });
      isStreamed = use === succeeded;
      return await use(response);
    } catch (error) {
      if (error instanceof GatehouseError) throw error;
      throw toGatehouseError(new Error(clean(storyOf(error))), signal?.aborted);
    } finally {
      clearTimeout(timer);
      // The caller may still abort the body of a file.
      if (!isStreamed) signal?.removeEventListener('abort', abort);
    }
  };

  const read = async (response: Response): Promise<unknown> => {
    const text = await response.text();
    const header = (name: string) => response.headers.get(name);
    return readAnswer({ status: response.status, header, text: response.ok ? text : clean(text) });
  };

  const succeeded = async (response: Response): Promise<Response> => {
    const { ok, status } = response;
    if (ok || status === 304) return response;
    await read(response);
    throw new GatehouseError({ code: 'NETWORK', message: `The service cannot be reached (status ${status}).`, status });
  };

  return {
    ask: (name, kind, { body, ...message } = {}) =>
      retry(
        async () => {
          const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...message.headers };
          const text = body === undefined ? undefined : JSON.stringify(body);
          // A redirect would be one of a proxy. It must not get the key.
          const how = { body: text, redirect: 'error', time: timeout } as const;
          // The types are generated from the response schemas of the service.
          return (await request(name, { ...message, headers }, how, read)) as Calls[typeof name]['data'];
        },
        kind === 'read' ? isTransient : ({ status }) => status === 429,
      ),
    send: (name, { content, isPatient, ...message }) => {
      // Stored files may be elsewhere: fetch then goes there without the key. A file that is sent goes nowhere else.
      const redirect = content === undefined ? 'follow' : 'error';
      return request(name, message, { body: content, redirect, time: isPatient ? undefined : timeout }, succeeded);
    },
  };
}

/** The message of an error and of its causes, as text: the error itself may hold the request, and with it the key. */
function storyOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < 5; each = each.cause) messages.push(each.message);
  return messages.length === 0 ? 'the request failed' : messages.join(': ');
}
