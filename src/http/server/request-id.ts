// The id of a request. A well-formed id from a proxy is kept, so that a request has the same id everywhere.
import { newId } from '../../kernel/random.ts';

export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : newId();
}
