// oidc-provider: the grants authorization_code, and refresh_token with rotation, in memory or with durable commits on SQLite.
import { challenge, codeCount, exchangeCaller, refreshCaller } from '../load/app-workloads.ts';
import { forEachConnection, type Peer } from './peer.ts';
import { startPeerProcess } from './process.ts';

type OidcProviderStore = { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'memory' };

export async function startOidcProvider(store: OidcProviderStore): Promise<Peer> {
  const server = await startPeerProcess('oidc-provider-server.ts', store);
  return {
    name: `oidc-provider ${store.kind === 'sqlite' ? 'on SQLite' : 'in memory'}`,
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      refresh: async (connections) => {
        const accounts = Array.from({ length: connections }, (_, index) => `account-${index}`);
        const tokens = await server.run<string[]>('createTokens', accounts);
        return forEachConnection(connections, (index) => refreshCaller('/token', server.host, tokens[index] ?? ''));
      },
      codeExchange: async (connections, seconds) => {
        const codes = (await server.run<string[]>('createCodes', [String(codeCount(seconds)), challenge])).values();
        return forEachConnection(connections, () => exchangeCaller('/token', server.host, codes));
      },
    },
  };
}
