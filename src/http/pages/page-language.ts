// The language of a page: what the app asks for, then what the visitor chose on a page, then what the browser says.
import { parseCookie } from 'cookie';
import { chooseLanguage, chooseNamed, findLanguage, type Language } from '../../kernel/text/language.ts';
import type { HttpRequest } from '../server/request.ts';

/** Set by the language switch of the pages. The API does not read it: it follows Accept-Language, which the pages send. */
export const languageCookie = 'gatehouse_lang';

/** The headers that decide, for `Vary`. */
export const languageVary = 'Accept-Language, Cookie';

/** `named`: languages that the app names, the best first. */
export function pageLanguage({ headers }: Pick<HttpRequest, 'headers'>, named = ''): Language {
  return chooseNamed(named) ?? keptLanguage(headers.cookie) ?? chooseLanguage(headers['accept-language']);
}

/** A value that is no language of ours is ignored. */
function keptLanguage(cookies: string | undefined): Language | undefined {
  return cookies === undefined ? undefined : findLanguage(parseCookie(cookies)[languageCookie]);
}
