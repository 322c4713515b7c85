// Passport on Express signs users in: with passport-openidconnect, which has no PKCE of its own, and with the strategy of openid-client.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import * as openid from 'openid-client';
import { Strategy as OpenidClientStrategy } from 'openid-client/passport';
import { Passport } from 'passport';
import { Strategy, type Verify } from 'passport-openidconnect';
import express, { type Handler, type Request, type Response } from 'recipe-express';
import { freePort } from '../../../helpers/databases/postgres-server.ts';
import { hashOf, setAppStage } from './app-stage.ts';
import { createPerson, type Person } from './person.ts';

const secret = 'a-long-secret-of-the-library';

/** What an app adds to passport-openidconnect: the challenge with the question, the verifier with the code. */
class StrategyWithPkce extends Strategy {
  override authenticate(request: Request, options: object): void {
    const isQuestion = request.query.code === undefined;
    if (isQuestion) request.session.verifier = randomBytes(32).toString('base64url');
    const verifier = String(request.session.verifier);
    // Passport makes an object for each request, so what is set here concerns this request alone.
    const exchange = this._oauth2;
    this._oauth2 = Object.assign(Object.create(exchange), {
      getOAuthAccessToken: (code: string, params: object, done: (error: unknown) => void) =>
        exchange.getOAuthAccessToken(code, { ...params, code_verifier: verifier }, done),
    });
    super.authenticate(request, { ...options, challenge: createHash('sha256').update(verifier).digest('base64url') });
  }

  override authorizationParams({ challenge }: { challenge?: string }): object {
    return { code_challenge: challenge, code_challenge_method: 'S256' };
  }
}

/** Sessions in memory, by cookie. */
function sessions(): Handler {
  const all = new Map<string, Record<string, unknown>>();
  return (request, response, next) => {
    const id = /\blibrary=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
    request.session = all.get(id) ?? {};
    all.set(id, request.session);
    response.cookie('library', id);
    next();
  };
}

describe('Passport', () => {
  let origin: string;
  let config: openid.Configuration;
  let server: Server | undefined;

  before(async () => {
    origin = `http://localhost:${await freePort()}`;
  });
  const stage = setAppStage(() => [
    {
      id: 'library',
      name: 'Library',
      secretHash: hashOf(secret),
      redirectUris: ['plain', 'with-pkce', 'openid-client'].map((name) => `${origin}/${name}`),
      firstParty: true,
      logoutUris: [`${origin}/goodbye`],
    },
  ]);
  before(async () => {
    const insecure = { execute: [openid.allowInsecureRequests] };
    config = await openid.discovery(new URL(stage.issuer), 'library', secret, undefined, insecure);
    const app = express();
    app.use(sessions());
    const passport = new Passport();
    for (const [name, strategy] of Object.entries(createStrategies(config, origin))) {
      passport.use(name, strategy);
      app.get(`/${name}`, passport.authenticate(name, { session: false }), ({ user }, response) => response.json(user));
    }
    app.use((error: Error, _request: Request, response: Response, _next: () => void) => {
      response.status(500).json({ name: error.name, message: error.message });
    });
    await new Promise<void>((resolve) => {
      server = app.listen(Number(new URL(origin).port), '127.0.0.1', resolve);
    });
  });
  after(() => server?.close());

  const signIn = async (person: Person, name: string): Promise<SignedIn> => {
    const { status, text } = await person.open(`${origin}/${name}`);
    assert.equal(status, 200, text);
    return JSON.parse(text) as SignedIn;
  };

  for (const name of ['with-pkce', 'openid-client']) {
    it(`the strategy ${name} signs a user in, refreshes, sees a session that the user ended, and signs the user out`, async () => {
      const person = createPerson(stage.issuer);
      await person.signIn();
      const { id, access, refresh } = await signIn(person, name);
      const info = await openid.fetchUserInfo(config, access, id);
      assert.equal(info.phone_number, person.phone);
      const next = await openid.refreshTokenGrant(config, refresh);
      assert.equal((await openid.fetchUserInfo(config, next.access_token, id)).sub, id);

      await person.endAppSessions();
      await assert.rejects(openid.fetchUserInfo(config, next.access_token, id), { status: 401 });
      await assert.rejects(openid.refreshTokenGrant(config, next.refresh_token ?? ''), { error: 'invalid_grant' });

      const again = await signIn(person, name);
      assert.equal(again.id, id);
      const leaving = { id_token_hint: again.idToken, post_logout_redirect_uri: `${origin}/goodbye` };
      const { url } = await person.open(openid.buildEndSessionUrl(config, leaving), { until: origin });
      assert.equal(url.href, `${origin}/goodbye`);
      await assert.rejects(openid.refreshTokenGrant(config, again.refresh), { error: 'invalid_grant' });
      assert.equal(await person.isSignedIn(), false);
    });
  }

  it('passport-openidconnect alone is told that PKCE is missing', async () => {
    const person = createPerson(stage.issuer);
    await person.signIn();
    const { status, text } = await person.open(`${origin}/plain`);
    assert.equal(status, 500);
    assert.match(text, /AuthorizationError.*code_challenge/);
  });
});

type SignedIn = { readonly id: string; readonly idToken: string; readonly access: string; readonly refresh: string };

function createStrategies(config: openid.Configuration, origin: string) {
  const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = config.serverMetadata();
  const options = (name: string) => ({
    issuer,
    authorizationURL: authorization_endpoint,
    tokenURL: token_endpoint,
    userInfoURL: userinfo_endpoint,
    clientID: 'library',
    clientSecret: secret,
    callbackURL: `${origin}/${name}`,
    scope: 'phone',
    nonce: true,
    skipUserProfile: false,
  });
  const verify: Verify = (_issuer, { id }, _context, idToken, access, refresh, verified) =>
    verified(null, { id, idToken, access, refresh });
  return {
    plain: new Strategy(options('plain'), verify),
    'with-pkce': new StrategyWithPkce(options('with-pkce'), verify),
    'openid-client': new OpenidClientStrategy(
      { config, scope: 'openid phone', callbackURL: `${origin}/openid-client` },
      (tokens, verified) => {
        const { access_token: access, refresh_token: refresh, id_token: idToken } = tokens;
        verified(null, { id: tokens.claims()?.sub, idToken, access, refresh });
      },
    ),
  };
}
