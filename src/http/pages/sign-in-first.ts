// Where a browser goes that opens a file without being signed in: to the sign-in page, which then leads to the file.
import type { HttpRequest } from '../server/request.ts';

/** What the address of a file consists of, as the browser wrote it. Anything else gets no redirect. */
const plainPath = /^\/file\/[\w-]{1,64}$/;
const plainValue = /^[\w.-]{1,64}$/;

/** The parts of the query that change what the browser shows. */
const kept = ['download', 'variant'];

/** Undefined if the address is none that people open. */
export function signInFirst({ url, method, route }: HttpRequest): string | undefined {
  if (route?.rules.leadsToSignIn !== true || !['GET', 'HEAD'].includes(method)) return undefined;
  const [path = '', query = ''] = url.split('?', 2);
  if (!plainPath.test(path)) return undefined;
  const given = new URLSearchParams(query);
  const shown = kept.flatMap((name) => {
    const value = given.get(name) ?? '';
    return plainValue.test(value) ? [`${name}=${value}`] : [];
  });
  return `/?next=${path}${shown.length === 0 ? '' : encodeURIComponent(`?${shown.join('&')}`)}`;
}
