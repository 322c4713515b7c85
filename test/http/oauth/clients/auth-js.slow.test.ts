// Auth.js signs users in with a provider of six lines, as an app on any framework would: requests in, responses out.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../../helpers/databases/postgres-server.ts';
import { hashOf, setAppStage } from './app-stage.ts';
import { Auth, type AuthConfig } from './auth-js.ts';
import { createPerson, type Person } from './person.ts';

const secret = 'a-long-secret-of-the-magazine';

type Tokens = { readonly access: string; readonly refresh: string; readonly id: string };

describe('Auth.js', () => {
  let server: Server;
  let origin: string;
  /** What the app keeps of the last sign-in. */
  let kept: Tokens | undefined;
  const refused: string[] = [];

  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = createServer(async (incoming, outgoing) => {
      const response = await Auth(await toRequest(origin, incoming), config());
      for (const cookie of response.headers.getSetCookie()) outgoing.appendHeader('set-cookie', cookie);
      const location = response.headers.get('location');
      if (location !== null) outgoing.setHeader('location', location);
      outgoing.writeHead(response.status).end(await response.text());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });
  after(() => server.close());

  const stage = setAppStage(() => [
    {
      id: 'magazine',
      name: 'Magazine',
      secretHash: hashOf(secret),
      redirectUris: [`${origin}/auth/callback/gatehouse`],
      firstParty: true,
      logoutUris: [`${origin}/`],
    },
  ]);

  const config = (): AuthConfig => ({
    basePath: '/auth',
    secret: 'a secret of the app alone, for its cookies',
    trustHost: true,
    providers: [
      {
        id: 'gatehouse',
        name: 'Gatehouse',
        type: 'oidc',
        issuer: stage.issuer,
        clientId: 'magazine',
        clientSecret: secret,
        checks: ['pkce', 'state', 'nonce'],
        // Reads the user from userinfo, not from the id token.
        idToken: false,
        authorization: { params: { scope: 'openid profile phone email' } },
        profile: ({ sub, phone_number }) => ({ id: sub ?? '', name: String(phone_number) }),
      },
    ],
    callbacks: {
      jwt: ({ token, account }) => {
        if (account != null) {
          const { access_token = '', refresh_token = '', id_token = '' } = account;
          kept = { access: access_token, refresh: refresh_token, id: id_token };
        }
        return token;
      },
    },
    logger: { error: (error) => refused.push(String(error)) },
  });

  /** The app's button “sign in”. */
  const signIn = async (person: Person) => {
    const csrf = await person.open(`${origin}/auth/csrf`);
    const { csrfToken } = JSON.parse(csrf.text) as { csrfToken: string };
    await person.open(`${origin}/auth/signin/gatehouse`, {
      form: { csrfToken, callbackUrl: `${origin}/auth/session` },
    });
    const session = await person.open(`${origin}/auth/session`);
    assert.deepEqual(refused, []);
    return (JSON.parse(session.text) as { user: { name: string } } | null)?.user.name;
  };

  /** As the guide of Auth.js on refresh token rotation does it: the library leaves this to the app. */
  const refresh = (token: string) =>
    fetch(`${stage.issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'magazine',
        client_secret: secret,
        grant_type: 'refresh_token',
        refresh_token: token,
      }),
    });
  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${stage.issuer}/oauth/userinfo`, { headers })).status;
  };

  it('Auth.js signs a user in with PKCE, state and nonce, and reads who it is', async () => {
    const person = createPerson(stage.issuer);
    await person.signIn();
    assert.equal(await signIn(person), person.phone);
    assert.equal(await statusOf(kept?.access ?? ''), 200);
  });

  it('an app of Auth.js refreshes, signs the user out here too, and its tokens have ended', async () => {
    const person = createPerson(stage.issuer);
    await person.signIn();
    await signIn(person);
    const answer = await refresh(kept?.refresh ?? '');
    assert.equal(answer.status, 200);
    const next = (await answer.json()) as { access_token: string; refresh_token: string };
    const leave = new URL(`${stage.issuer}/oauth/logout`);
    leave.search = String(
      new URLSearchParams({ id_token_hint: kept?.id ?? '', post_logout_redirect_uri: `${origin}/` }),
    );
    const { url } = await person.open(leave, { until: origin });
    assert.equal(url.href, `${origin}/`);
    assert.equal(await statusOf(next.access_token), 401);
    assert.deepEqual([(await refresh(next.refresh_token)).status, await person.isSignedIn()], [400, false]);
  });

  it('an app of Auth.js sees that the user has ended its session', async () => {
    const person = createPerson(stage.issuer);
    await person.signIn();
    await signIn(person);
    await person.endAppSessions();
    assert.equal(await statusOf(kept?.access ?? ''), 401);
    const answer = (await (await refresh(kept?.refresh ?? '')).json()) as { error: string };
    assert.equal(answer.error, 'invalid_grant');
  });
});

async function toRequest(origin: string, incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { cookie = '', 'content-type': type = '' } = incoming.headers;
  const init = { method: incoming.method ?? 'GET', headers: { cookie, 'content-type': type } };
  return new Request(`${origin}${incoming.url}`, chunks.length === 0 ? init : { ...init, body: Buffer.concat(chunks) });
}
