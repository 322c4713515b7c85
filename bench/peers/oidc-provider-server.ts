// oidc-provider as a process: rotating refresh tokens and signed access tokens (ES256), in memory or durable on SQLite.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { createMemoryStore, createSqliteStore, type TokenStore } from './oidc-provider-store.ts';
import { readSettings, serve } from './served.ts';

const resource = 'https://api.example';
const settings = readSettings();
const store: TokenStore = settings.kind === 'sqlite' ? createSqliteStore(settings.file ?? '') : createMemoryStore();

const provider = new Provider('http://127.0.0.1', {
  adapter: store,
  jwks: { keys: [{ ...createKey(), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example/back'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  cookies: { keys: ['only-for-the-bench'] },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'files',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 900,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  ttl: { RefreshToken: 2_592_000, Grant: 2_592_000, AuthorizationCode: 600 },
});

serve(createServer(provider.callback()), {
  createTokens: (accounts) => Promise.all(accounts.map(createToken)),
  createCodes: async ([count, challenge]) => {
    const codes: string[] = [];
    for (let index = 0; index < Number(count); index++)
      codes.push(await createCode(`account-${index}`, challenge ?? ''));
    return codes;
  },
});

function createKey(): object {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

/** Creates the result of an authorization: a grant and its first refresh token. */
async function createToken(accountId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: 'bench' });
  grant.addResourceScope(resource, 'files');
  const token = new provider.RefreshToken({
    accountId,
    client: await provider.Client.find('bench'),
    grantId: await grant.save(),
    gty: 'authorization_code',
    resource,
    rotations: 0,
    scope: 'files',
  });
  return token.save();
}

/** Creates a code as the authorization endpoint would after a sign-in and a consent. */
async function createCode(accountId: string, codeChallenge: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: 'bench' });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(resource, 'files');
  const code = new provider.AuthorizationCode({
    accountId,
    client: await provider.Client.find('bench'),
    grantId: await grant.save(),
    gty: 'authorization_code',
    codeChallenge,
    codeChallengeMethod: 'S256',
    nonce: 'bench',
    redirectUri: 'https://app.example/back',
    resource,
    scope: 'openid offline_access files',
  });
  return code.save();
}
