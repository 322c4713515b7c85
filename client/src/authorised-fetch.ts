// A fetch for the app's own API. It sends the access token, and retries once with a renewed token after a 401.
import { type Access, headersOf } from './access.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { WireOptions } from './wire.ts';

type Parts = { readonly access: Access; readonly keeper: SessionKeeper; readonly wire: WireOptions };

export async function authorisedFetch(
  { access, keeper, wire }: Parts,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const send = (headers: Record<string, string>) =>
    wire.fetch(input, {
      ...(wire.isCookie && { credentials: 'include' }),
      ...init,
      headers: mergeHeaders(input, init, headers),
    });
  try {
    const record = await access.ready();
    const response = await send(headersOf(record));
    const canRenew = wire.isCookie || record !== undefined;
    if (response.status !== 401 || !canRenew || isBodyConsumed(input, init)) return response;
    const isRenewed = await access.renew(record).then(
      () => true,
      () => false,
    );
    return isRenewed ? await send(headersOf(await keeper.read())) : response;
  } catch (error) {
    throw toGatehouseError(error, init.signal?.aborted);
  }
}

/** A stream can be read only once, so such a request cannot be repeated. */
function isBodyConsumed(input: string | URL | Request, { body }: RequestInit): boolean {
  return body instanceof ReadableStream || (typeof input === 'object' && 'bodyUsed' in input && input.bodyUsed);
}

function mergeHeaders(input: string | URL | Request, init: RequestInit, own: Record<string, string>): Headers {
  const given = init.headers ?? (typeof input === 'object' && 'headers' in input ? input.headers : undefined);
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
}
