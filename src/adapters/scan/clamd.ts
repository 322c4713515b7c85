// The scan provider clamd (ClamAV) and its URL grammar: a TCP address or a Unix socket. It has no accounts and no TLS.
import type { ScanProvider } from '../../files/uploads/scan-provider.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import { type ClamdPlace, placeOf } from './clamd-place.ts';

export const clamd = {
  schemes: ['clamd'],
  forms: ['clamd://host:port', 'clamd:///path/to/clamd.sock'],
  parameters: [],
  bare: 'host',
  isLocalOnly: false,
  isComplete: (url) => placeOf(url) !== undefined,
  plainHost: ({ host }) => (host === '' ? undefined : host),
  createScanner: async (url, mostAtOnce) => {
    const { createClamdScanner } = await import('./clamd-scanner.ts');
    return createClamdScanner(knownPlace(url), { mostAtOnce });
  },
  ask: async (url, question) => {
    const { askClamdState } = await import('./clamd-state.ts');
    return askClamdState(knownPlace(url), question);
  },
} as const satisfies ScanProvider;

function knownPlace(url: ProviderUrl): ClamdPlace {
  const place = placeOf(url);
  if (place === undefined) throw new Error('SCAN_URL was not checked');
  return place;
}
