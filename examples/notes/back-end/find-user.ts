// The user of a request. A token is verified without a question to Gatehouse, unless an event said that sessions of its user ended.
import type { IncomingHttpHeaders } from 'node:http';
import type { Service, VerifiedRequest } from '@gatehouse/client/service';
import type { Notebook } from './notebook.ts';

export type FindUser = (headers: IncomingHttpHeaders) => Promise<VerifiedRequest>;

/** Throws what the caller gets: status 401 if there is no valid token, and why the session has ended, if the app knows it. */
export function createFindUser(service: Service, notebook: Notebook): FindUser {
  return async (headers) => {
    const user = await service.verifyRequest(headers);
    const why = notebook.markOf(user.userId);
    if (why === undefined) return user;
    return service.verifyRequest(headers, { checkRevocation: true }).catch((error: Error) => {
      throw Object.assign(error, { why });
    });
  };
}
