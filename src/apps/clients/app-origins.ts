// Rule: which origins belong to apps, so that their pages may ask for tokens: those of the redirect URIs.
import type { App } from './app.ts';

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/;

/** The page of a public app on this machine may have any port, as its redirect URI may. */
export function createAppOrigins(apps: readonly App[]): (origin: string) => boolean {
  const exact = new Set<string>();
  const hosts = new Set<string>();
  for (const { redirectUris, secretHash } of apps) {
    for (const uri of redirectUris) {
      const { protocol, origin } = new URL(uri);
      if (protocol === 'https:' || protocol === 'http:') exact.add(origin);
      const host = secretHash === undefined ? loopback.exec(origin)?.[1] : undefined;
      if (host !== undefined) hosts.add(host);
    }
  }
  return (origin) => exact.has(origin) || hosts.has(loopback.exec(origin)?.[1] ?? '');
}
