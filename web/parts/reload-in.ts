// Loads the page again in another language, at the same step and with what was typed.
import { facts } from './page-data.ts';

/** A year, in seconds. */
const life = 31_536_000;

let hidden = '';

/** For a page that removes the token of a link from its address: without it the page could not be loaded again. */
export function keepFragment(fragment: string): void {
  hidden = fragment;
}

export function reloadIn(language: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not there in all browsers
  document.cookie = `gatehouse_lang=${language}; Max-Age=${life}; Path=/; SameSite=Lax${secure}`;
  const { pathname, search, hash } = location;
  const fragment = hidden === '' ? hash : `#${hidden}`;
  const state = { ...(history.state as object | null), typed: readTyped() };
  history.replaceState(state, '', (addressOf(language) ?? pathname + search) + fragment);
  location.reload();
}

/** The app may have named a language, which comes before the cookie. */
function addressOf(language: string): string | undefined {
  const { authorization } = facts;
  return authorization && `${authorization.continueUrl}&ui_locales=${language}`;
}

type Typed = { readonly phone?: string; readonly email?: string };

/** What was typed before the page was loaded in this language. */
export function typedBefore(): Typed {
  return (history.state as { readonly typed?: Typed } | null)?.typed ?? {};
}

function readTyped(): Typed {
  const fields = document.querySelectorAll<HTMLInputElement>('input[name="phone"], input[name="email"]');
  return Object.fromEntries([...fields].map(({ name, value }) => [name, value]));
}
