// Where a browser goes that opens a file without being signed in: to the sign-in page, which then leads to the file.
import type { HttpRequest } from '../server/request.ts';

/** What an id consists of. In place of any other text, which is the id of no file, the browser gets one of no file too. */
const plainId = /^[\w-]{1,64}$/;
const noFile = 'unknown';
const plainValue = /^[\w.-]{1,64}$/;

/** The parts of the query that change what the browser shows. */
const kept = ['download', 'variant'];

/** Undefined if people do not open this address. */
export function signInFirst({ target, method, route, params }: HttpRequest): string | undefined {
  if (route?.rules.leadsToSignIn !== true || !['GET', 'HEAD'].includes(method)) return undefined;
  const { id = '' } = params;
  const given = new URLSearchParams(target.query);
  const shown = kept.flatMap((name) => {
    const value = given.get(name) ?? '';
    return plainValue.test(value) ? [`${name}=${value}`] : [];
  });
  return `/?next=/file/${plainId.test(id) ? id : noFile}${shown.length === 0 ? '' : encodeURIComponent(`?${shown.join('&')}`)}`;
}
