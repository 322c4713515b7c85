// The description of a provider that a URL names: the forms of its URL, its required parts, and whether it uses TLS.
import { type ProviderUrl, parseProviderUrl, schemeOf } from './provider-url.ts';

/** Why a well-formed URL is refused. */
export type UrlProblem = { readonly trouble: string; readonly cure: string };

export type Provider = {
  readonly schemes: readonly string[];
  /** The forms of the URL, as the documentation and the error messages show them. */
  readonly forms: readonly string[];
  /** An additional note for the documentation of the setting. */
  readonly note?: string;
  /** The names of its query. Undefined if it passes on the rest of the query. */
  readonly parameters: readonly string[] | undefined;
  /** The content of a URL without @: `scheme://account` or `scheme://host`. */
  readonly bare: 'account' | 'host';
  /** True if production mode refuses it. */
  readonly isLocalOnly: boolean;
  /** True if the URL has all required parts. Checked at the start, so that a missing part does not surface at the first sign-in. */
  isComplete(url: ProviderUrl): boolean;
  refuse?(url: ProviderUrl): UrlProblem | undefined;
  /** The host that this URL connects to without TLS, which may be this machine. Undefined if the connection uses TLS. */
  plainHost(url: ProviderUrl): string | undefined;
};

export type SchemeOf<P extends Provider> = P['schemes'][number];

/** Undefined if the text names no provider of the list, or if the URL lacks a required part. */
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

/** The documentation of a setting: the forms, further sentences, and the notes of the providers. */
export function describeForms(providers: readonly Provider[], ...more: readonly string[]): string {
  const notes = providers.flatMap(({ note }) => note ?? []);
  return [formsOf(providers).join(', '), ...more, ...new Set(notes)].join('; ');
}

/** True for a URL that is only a scheme, such as `inbox:`. */
export function isBare({ id, host, path }: ProviderUrl): boolean {
  return id === '' && host === '' && path === '';
}
