// Guard: only with a valid access token, from the Authorization header or the JWT cookie; the header wins.
import type { FastifyRequest } from 'fastify';
import { longestAccessToken } from '../../auth/access-token.ts';
import type { AccessCheck } from '../../auth/check-access-token.ts';
import { Failure } from '../../kernel/failure.ts';
import { readCookie } from '../interface/cookies.ts';
import type { Caller } from '../interface/route.ts';

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
export function bearerToken(header: string | undefined): string | undefined {
  const scheme = header?.slice(0, 7).toLowerCase();
  if (header === undefined || (scheme !== 'bearer ' && scheme !== 'bearer')) return undefined;
  // One that is too long is never valid: nothing of it needs to be read.
  return header.length > longestAccessToken * 2 ? '' : header.slice(7).trim();
}
