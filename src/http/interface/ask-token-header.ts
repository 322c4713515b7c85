// The ask token in HTTP: a cookie for browsers, a header for apps that request one. If a request has both, the header wins.
import type { AskToken } from '../../auth/codes/ask-token.ts';
import type { CookieWriter } from './cookies.ts';
import type { Call, EnvelopeAnswer } from './route.ts';

export const askHeader = 'ask-token';
const askCookie = 'ask';

/** Sends the header only if the request has one, with any value. Other clients get only the cookie. */
export function askAnswer(
  cookies: CookieWriter,
  { text, lifeSeconds }: AskToken,
  { header }: Pick<Call, 'header'>,
): EnvelopeAnswer<'ask'> {
  const headers = header(askHeader) === undefined ? {} : { [askHeader]: text };
  return { data: null, cookies: [cookies.ask(text, lifeSeconds)], headers };
}

/** Does not check the token: with an invalid one the caller counts as unknown. */
export function readAskToken({ header, cookie }: Pick<Call, 'header' | 'cookie'>): string | undefined {
  const given = header(askHeader)?.trim();
  return given === undefined || given === '' ? cookie(askCookie) : given;
}
