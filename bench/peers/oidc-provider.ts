// oidc-provider: the refresh_token grant with rotation, in memory or with durable commits on SQLite.
import { request } from '../load/drive.ts';
import { expectAnswer, forEachConnection, type Peer } from './peer.ts';
import { startPeerProcess } from './process.ts';

export type OidcProviderStore = { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'memory' };

export async function startOidcProvider(store: OidcProviderStore): Promise<Peer> {
  const server = await startPeerProcess('oidc-provider-server.ts', store);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    name: `oidc-provider ${store.kind === 'sqlite' ? 'on SQLite' : 'in memory'}`,
    url: server.url,
    pid: server.pid,
    stop: server.stop,
    workloads: {
      refresh: async (connections) => {
        const accounts = Array.from({ length: connections }, (_, index) => `account-${index}`);
        const tokens = await server.run<string[]>('createTokens', accounts);
        return forEachConnection(connections, (index) => {
          let token = tokens[index] ?? '';
          return {
            ask: () =>
              request(
                'POST /token',
                server.host,
                headers,
                `grant_type=refresh_token&client_id=bench&refresh_token=${token}`,
              ),
            check: (status, body) => {
              expectAnswer(status, body, 200, '"access_token":"ey');
              const { refresh_token: next } = JSON.parse(body.toString()) as { refresh_token: string };
              if (next === token) throw new Error('the refresh token was not rotated');
              token = next;
            },
          };
        });
      },
    },
  };
}
