// The ask token on the wire: a cookie for browsers, a header for apps that want one; taken from either, and the header wins.
import type { AskToken } from '../../auth/ask-token.ts';
import type { CookieWriter } from './cookies.ts';
import type { Call, EnvelopeAnswer } from './route.ts';

export const askHeader = 'ask-token';
const askCookie = 'ask';

/** The header only where the request has one, whatever is in it: to all others answers stay alike but for their cookie. */
export function askAnswer(
  cookies: CookieWriter,
  { text, lifeSeconds }: AskToken,
  { header }: Pick<Call, 'header'>,
): EnvelopeAnswer {
  const headers = header(askHeader) === undefined ? {} : { [askHeader]: text };
  return { data: null, cookies: [cookies.ask(text, lifeSeconds)], headers };
}

/** Whatever it holds: a bad one makes its bearer a stranger, no more. */
export function readAskToken({ header, cookie }: Pick<Call, 'header' | 'cookie'>): string | undefined {
  const given = header(askHeader)?.trim();
  return given === undefined || given === '' ? cookie(askCookie) : given;
}
