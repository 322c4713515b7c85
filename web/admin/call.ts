// One call of the admin interface: its name, what stands in its path, its body; back comes its data.
import { toGatehouseError } from '../../client/src/gatehouse-error.ts';
import { readAnswer } from '../../client/src/read-answer.ts';
import { facts } from '../parts/facts.ts';
import { type CallName, type Calls, calls } from './api-types.ts';

type Message<N extends CallName> = {
  /** What stands in braces in the path. */
  readonly at?: Readonly<Record<string, string>>;
  readonly cursor?: string | undefined;
  readonly body?: Calls[N]['body'];
};

const longestMilliseconds = 30_000;

export async function call<N extends CallName>(name: N, { at = {}, cursor, body }: Message<N> = {}) {
  const [method = '', pattern = ''] = calls[name].split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(at[key] ?? ''));
  try {
    const response = await fetch(cursor === undefined ? path : `${path}?cursor=${encodeURIComponent(cursor)}`, {
      method,
      signal: AbortSignal.timeout(longestMilliseconds),
      headers: {
        'accept-language': facts.language,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, header: (key: string) => response.headers.get(key), text };
    // The types are made from the schemas that the service answers by.
    return readAnswer(answer) as Calls[N]['data'];
  } catch (error) {
    const failure = toGatehouseError(error);
    if (failure.code === 'ADMIN_REQUIRED' && name !== 'adminEnter') tellEnded();
    throw failure;
  }
}

let tellEnded: () => void = () => undefined;

/** Told whenever a call finds that nobody is signed in. */
export function onEnded(listener: () => void): void {
  tellEnded = listener;
}
