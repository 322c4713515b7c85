// Makes one call of the admin interface and returns its data.
import { toGatehouseError } from '../../client/src/gatehouse-error.ts';
import { readAnswer } from '../../client/src/read-answer.ts';
import { facts } from '../parts/facts.ts';
import { type CallName, type Calls, calls } from './api-types.ts';

type Message<N extends CallName> = {
  /** The values of the parameters in the path. */
  readonly at?: Readonly<Record<string, string>>;
  readonly cursor?: string | undefined;
  readonly body?: Calls[N]['body'];
};

const timeoutMilliseconds = 30_000;

export async function call<N extends CallName>(name: N, { at = {}, cursor, body }: Message<N> = {}) {
  const [method = '', pattern = ''] = calls[name].split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(at[key] ?? ''));
  try {
    const response = await fetch(cursor === undefined ? path : `${path}?cursor=${encodeURIComponent(cursor)}`, {
      method,
      signal: AbortSignal.timeout(timeoutMilliseconds),
      headers: {
        'accept-language': facts.language,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, header: (key: string) => response.headers.get(key), text };
    // The types are generated from the response schemas of the service.
    return readAnswer(answer) as Calls[N]['data'];
  } catch (error) {
    const failure = toGatehouseError(error);
    if (failure.code === 'ADMIN_REQUIRED' && name !== 'adminEnter') notifyEnded();
    throw failure;
  }
}

let notifyEnded: () => void = () => undefined;

/** Sets the listener that runs when a call finds that the staff session has ended. */
export function onEnded(listener: () => void): void {
  notifyEnded = listener;
}
