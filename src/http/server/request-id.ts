// The id of a request: a proxy's own is kept when it is a sane one, so that one request has one id everywhere.
import { newId } from '../../kernel/random.ts';

export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : newId();
}
