// What every provider that a URL names says about itself: how its URL is written, when it is whole, and whether others can read along.
import { type ProviderUrl, parseProviderUrl, schemeOf } from './provider-url.ts';

/** A URL that can be read and is refused all the same. */
export type UrlProblem = { readonly trouble: string; readonly cure: string };

export type Provider = {
  readonly schemes: readonly string[];
  /** How the URL is written, as the documentation of the setting and its cure show it. */
  readonly forms: readonly string[];
  /** What the documentation of the setting says besides. */
  readonly note?: string;
  /** What stands in a URL without @: `scheme://account` or `scheme://host`. */
  readonly bare: 'account' | 'host';
  /** Production refuses it. */
  readonly isLocalOnly: boolean;
  /** What the provider cannot work without is asked for at the start, not found missing by the first user who signs in. */
  isComplete(url: ProviderUrl): boolean;
  refuse?(url: ProviderUrl): UrlProblem | undefined;
  /** Whom this URL speaks to without TLS, maybe this machine; undefined where it does not. */
  plainHost(url: ProviderUrl): string | undefined;
};

export type SchemeOf<P extends Provider> = P['schemes'][number];

/** Undefined where the text names no provider of the list, or leaves out what that one needs. */
export function readProviderUrl<P extends Provider>(
  providers: readonly P[],
  text: string,
): ProviderUrl<SchemeOf<P>> | undefined {
  const named = schemeOf(text);
  const provider = providers.find(({ schemes }) => schemes.some((scheme) => scheme === named));
  const scheme: SchemeOf<P> | undefined = provider?.schemes.find((one) => one === named);
  if (provider === undefined || scheme === undefined) return undefined;
  const url = parseProviderUrl(text, provider.bare);
  return url !== undefined && provider.isComplete(url) ? { ...url, scheme } : undefined;
}

export function findProvider<P extends Provider>(providers: readonly P[], scheme: SchemeOf<P>): P {
  const provider = providers.find(({ schemes }) => schemes.includes(scheme));
  if (provider === undefined) throw new Error(`no provider for ${scheme}:`);
  return provider;
}

export function formsOf(providers: readonly Provider[]): string[] {
  return providers.flatMap(({ forms }) => forms);
}

/** `a, b or c`. */
export function listForms(providers: readonly Provider[]): string {
  const forms = formsOf(providers);
  return [forms.slice(0, -1).join(', '), ...forms.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** What the documentation of a setting says: the forms, a sentence on all of them, and the notes of each. */
export function describeForms(providers: readonly Provider[], ...more: readonly string[]): string {
  const notes = providers.flatMap(({ note }) => note ?? []);
  return [formsOf(providers).join(', '), ...more, ...new Set(notes)].join('; ');
}

/** `inbox:`, where nothing else is said. */
export function isBare({ id, host, path }: ProviderUrl): boolean {
  return id === '' && host === '' && path === '';
}
