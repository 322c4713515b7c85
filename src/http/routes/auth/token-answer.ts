// The answers with a token pair: JWT and RT in data and as cookies. A sign-in also answers the token of its device.
import type { FirstTokens } from '../../../auth/start-session.ts';
import type { TokenPair } from '../../../auth/token-pair.ts';
import type { CookieWriter } from '../../interface/cookies.ts';
import { deviceAnswer } from '../../interface/device-token-header.ts';
import type { Answer, EnvelopeAnswer } from '../../interface/route.ts';

export function tokenAnswer(
  cookies: CookieWriter,
  pair: TokenPair,
): Required<Pick<EnvelopeAnswer, 'data' | 'cookies'>> {
  return { data: { JWT: pair.accessToken, RT: pair.refreshToken }, cookies: cookies.tokens(pair, pair) };
}

/** `more`: what else the answer tells. */
export function signedInAnswer(
  cookies: CookieWriter,
  first: FirstTokens,
  more?: Readonly<Record<string, unknown>>,
): Answer {
  const { data, cookies: pair } = tokenAnswer(cookies, first);
  const device = deviceAnswer(cookies, first.device);
  return {
    data: more === undefined ? data : { ...data, ...more },
    cookies: pair.concat(device.cookies),
    headers: device.headers,
  };
}
