// The answer with a token pair: JWT and RT in data and as cookies.
import type { TokenPair } from '../../../auth/token-pair.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import type { Answer } from '../../interface/route.ts';

export function tokenAnswer(cookies: CookieWriter, pair: TokenPair): Answer {
  return { data: { JWT: pair.accessToken, RT: pair.refreshToken }, cookies: cookies.tokens(pair, pair) };
}
