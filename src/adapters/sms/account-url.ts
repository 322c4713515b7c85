// The URL of a provider with an account and a sender: scheme://id:secret@[host]?from=…[&tls=0].
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';

/** The common part of providers with such a URL. */
export const accountUrl = {
  parameters: ['from', 'tls', 'rate'],
  bare: 'account',
  isLocalOnly: false,
  isComplete: ({ id, secret, query }: ProviderUrl) => id !== '' && secret !== '' && (query.from ?? '') !== '',
  plainHost: ({ scheme, host, query }: ProviderUrl) => (query.tls === '0' ? (host === '' ? scheme : host) : undefined),
} as const;

/** Another host and plain HTTP are for tests and proxies. */
export function originOf(url: ProviderUrl, defaultHost: string): string {
  return `${url.query.tls === '0' ? 'http' : 'https'}://${url.host === '' ? defaultHost : url.host}`;
}
