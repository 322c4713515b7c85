// The id of a request. A well-formed id from a proxy is kept, so that a request has the same id everywhere.
import { newId } from '../../kernel/crypto/random.ts';

/** A service key in the wrong header would be a well-formed id too, and ids are logged. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^(?!.*gks_)[\w-]{8,64}$/i.test(given) ? given : newId();
}
