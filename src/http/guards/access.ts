// Guard: only with a valid access token, from the Authorization header or the JWT cookie; the header wins.
import type { FastifyRequest } from 'fastify';
import type { AccessCheck } from '../../auth/check-access-token.ts';
import { Failure } from '../../kernel/failure.ts';
import { readCookie } from '../cookies.ts';
import type { Caller } from '../route.ts';

export function createAccessGuard(check: AccessCheck) {
  return async (request: FastifyRequest): Promise<Caller> => {
    const bearer = bearerToken(request.headers.authorization);
    const token = bearer ?? readCookie(request.headers.cookie, 'JWT');
    if (token === undefined) throw new Failure('ACCESS_TOKEN_MISSING');
    const { userId, sessionId } = await check(token);
    return { userId, sessionId, via: bearer === undefined ? 'cookie' : 'header' };
  };
}

/** Another scheme than Bearer counts as no bearer; an empty or bad one is not rescued by a cookie. */
function bearerToken(header: string | undefined): string | undefined {
  const match = header === undefined ? null : /^bearer(?: +(.*))?$/is.exec(header);
  return match === null ? undefined : (match[1] ?? '').replaceAll(/^ +| +$/g, '');
}
