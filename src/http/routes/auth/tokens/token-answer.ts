// The answers with a token pair: JWT and RT in data and as cookies. A sign-in also answers the token of its device.
import type { FirstTokens } from '../../../../auth/sign-in/start-session.ts';
import type { TokenPair } from '../../../../auth/tokens/token-pair.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { deviceAnswer } from '../../../interface/device-token-header.ts';
import type { Answer, EnvelopeAnswer } from '../../../interface/route.ts';

/** The cookies of both answers, for their routes. */
export const pairCookies = ['JWT', 'RT', 'SSO'] as const;
export const signInCookies = [...pairCookies, 'DV'] as const;

export function tokenAnswer(
  cookies: CookieWriter,
  pair: TokenPair,
): Required<Pick<EnvelopeAnswer<(typeof pairCookies)[number]>, 'data' | 'cookies'>> {
  return { data: { JWT: pair.accessToken, RT: pair.refreshToken }, cookies: cookies.tokens(pair, pair) };
}

/** `more`: further fields of the answer. */
export function signedInAnswer(
  cookies: CookieWriter,
  first: FirstTokens,
  more?: Readonly<Record<string, unknown>>,
): Answer<(typeof signInCookies)[number]> {
  const { data, cookies: pair } = tokenAnswer(cookies, first);
  const device = deviceAnswer(cookies, first.device);
  return {
    data: more === undefined ? data : { ...data, ...more },
    cookies: [...pair, ...device.cookies],
    headers: device.headers,
  };
}
