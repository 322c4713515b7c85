// A thief has the access token of a user, and nothing else: it never becomes a code, a consent or a session, and ends with its session.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { allLines } from '../../../scripts/site/all-lines.ts';
import { type Sampled, sampleOf } from '../../../src/http/interface/sample-value.ts';
import { cookiesForOAuth, encode } from '../../helpers/people/oauth.ts';
import { createServiceKey } from '../../helpers/people/service-keys.ts';
import { codeAfter, me, newAddress, otherThan, outcomeOf } from '../../helpers/people/users.ts';
import { call, newPhone, type Reply, refresh } from '../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { type AttackedApp, attackedSettings, partner, shop } from './attacks/apps.ts';
import {
  type Answer,
  authorize,
  type Browser,
  consent,
  honestRequest,
  openBrowser,
  type Parameters,
  send,
  signInTo,
  ticketIn,
} from './attacks/attack.ts';

for (const kind of tierStoreKinds)
  describe(`a stolen access token and the sign-in for apps on ${kind}`, () => {
    const stage = setStage(kind, attackedSettings);
    let browser: Browser;
    before(async () => {
      browser = await openBrowser(stage);
    });

    const errorOf = ({ location }: Answer) => location?.searchParams.get('error') ?? undefined;
    const ask = (app: AttackedApp, changes: Parameters, headers: Record<string, string>) =>
      send(stage, `/oauth/authorize?${encode({ ...honestRequest(app), ...changes })}`, { headers });
    const sso = () => browser.cookie.replace(/JWT=[^;]*;? ?/, '');

    it('no access token gives a code, in whatever cookie or header it is sent', async () => {
      const { JWT } = browser;
      for (const headers of [
        { cookie: `JWT=${JWT}` },
        { cookie: `SSO=${JWT}` },
        { cookie: `SSO=a.b.c; JWT=${JWT}` },
        { authorization: `Bearer ${JWT}` },
        { authorization: `Bearer ${JWT}`, cookie: `JWT=${JWT}; RT=${JWT}` },
      ] as Record<string, string>[]) {
        for (const app of [shop, partner]) {
          const asked = await ask(app, { prompt: 'none' }, headers);
          assert.equal(errorOf(asked), 'login_required', JSON.stringify(Object.keys(headers)));
          const shown = await ask(app, {}, headers);
          assert.deepEqual([shown.status, shown.location], [200, undefined]);
          const goOn = await send(stage, `/oauth/authorize?ticket=${encodeURIComponent(ticketIn(shown))}`, { headers });
          assert.deepEqual([goOn.status, goOn.location], [200, undefined]);
        }
      }
      assert.ok((await authorize(stage, shop, {}, { cookie: sso() })).location?.searchParams.has('code'));
    });

    it('no access token records a consent without the cookie SSO of its own session', async () => {
      const other = await openBrowser(stage);
      const sameUser = await openBrowser(stage, browser.phone);
      const ticket = ticketIn(await authorize(stage, partner, {}, browser));
      const { JWT, cookie } = browser;
      const foreign = (from: Browser) => `${/SSO=[^;]*/.exec(from.cookie)?.[0]}; JWT=${JWT}`;
      for (const [what, headers] of Object.entries<Record<string, string>>({
        'as bearer': { authorization: `Bearer ${JWT}` },
        'as bearer, beside all cookies': { authorization: `Bearer ${JWT}`, cookie },
        'in its cookie alone': { cookie: `JWT=${JWT}` },
        'with a forged SSO': { cookie: `SSO=a.b.c; JWT=${JWT}` },
        'with its token as SSO': { cookie: `SSO=${JWT}; JWT=${JWT}` },
        'with the SSO of another user': { cookie: foreign(other) },
        'with the SSO of another session of the user': { cookie: foreign(sameUser) },
      }))
        assert.equal(outcomeOf(await consent(stage, ticket, headers)), '403 BROWSER_SESSION_REQUIRED', what);
      assert.equal(errorOf(await authorize(stage, partner, { prompt: 'none' }, browser)), 'consent_required');
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie })), '200');
      assert.equal(errorOf(await authorize(stage, partner, { prompt: 'none' }, browser)), undefined);
    });

    it('a consent needs a recent sign-in, and a proof by code is one', async () => {
      const late = await openBrowser(stage);
      const ticket = ticketIn(await authorize(stage, partner, {}, late));
      stage.clock.advance(601);
      const { cookie, JWT } = late;
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie })), '403 RECENT_SIGN_IN_REQUIRED');
      const renewed = await refresh(stage.url, late.RT);
      const stale = cookiesForOAuth(renewed.cookies);
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie: stale })), '403 RECENT_SIGN_IN_REQUIRED');
      const otp = await codeAfter(stage.url, late.phone, () =>
        call(stage.url, 'POST', '/api/auth/proof/send', { body: { via: 'phone' }, token: JWT, captcha: 'any' }),
      );
      const proved = await call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token: JWT });
      assert.equal(outcomeOf(await consent(stage, ticket, { cookie: cookiesForOAuth(proved.cookies) })), '200');
    });

    it('the cookie SSO gives no code once its session has ended, however it ended', async () => {
      const { url } = stage;
      const key = await createServiceKey(stage);
      const idOf = async ({ JWT }: Browser) => (await me(url, JWT)).body.data.id;
      const act = (path: string) => call(url, 'POST', path, { body: { reason: 'a test' }, token: key });
      const signOut = (token: string, scope: string) =>
        call(url, 'POST', '/api/auth/logout', { body: { scope }, token });
      const ends: Record<string, (user: Browser) => Promise<Reply>> = {
        'a sign-out': ({ JWT }) => signOut(JWT, 'local'),
        'a sign-out everywhere': ({ JWT }) => signOut(JWT, 'global'),
        'a sign-out of the others, elsewhere': async ({ phone }) =>
          signOut((await openBrowser(stage, phone)).JWT, 'others'),
        'the end of the session by the user': async ({ JWT }) => {
          const { sessions } = (await call(url, 'GET', '/api/auth/sessions', { token: JWT })).body.data;
          return call(url, 'DELETE', `/api/auth/sessions/${sessions[0].id}`, { token: JWT });
        },
        'the end of the sessions by a back end': async (user) =>
          act(`/api/service/users/${await idOf(user)}/sessions/end`),
        'a block': async (user) => act(`/api/service/users/${await idOf(user)}/block`),
        'a deletion': ({ JWT }) => call(url, 'DELETE', '/api/auth/me', { token: JWT }),
      };
      for (const [what, end] of Object.entries(ends)) {
        const user = await openBrowser(stage);
        const ticket = ticketIn(await authorize(stage, partner, {}, user));
        assert.ok((await authorize(stage, shop, {}, user)).location?.searchParams.has('code'), what);
        assert.equal(outcomeOf(await end(user)), '200', what);
        assert.equal(errorOf(await authorize(stage, shop, { prompt: 'none' }, user)), 'login_required', what);
        // The code above is judged by the store; access tokens are refused on every node within a second.
        await waitUntil(what, async () => (await me(url, user.JWT)).status === 401 || undefined);
        assert.equal(outcomeOf(await consent(stage, ticket, { cookie: user.cookie })), '401 SESSION_REVOKED', what);
      }
    });

    it('an id token ends the session that it names, also late and without a cookie, and opens nothing', async () => {
      const user = await openBrowser(stage);
      const elsewhere = await openBrowser(stage, user.phone);
      const { idToken } = await signInTo(stage, shop, user);
      stage.clock.advance(20 * 60);
      for (const headers of [{ cookie: `SSO=${idToken}` }, { cookie: `JWT=${idToken}` }] as Record<string, string>[])
        assert.equal(errorOf(await ask(shop, { prompt: 'none' }, headers)), 'login_required');
      const renewed = await Promise.all([user, elsewhere].map(({ RT }) => refresh(stage.url, RT)));
      const [here, there] = renewed.map(({ body }) => String(body.data.JWT));
      assert.ok(here !== undefined && there !== undefined);
      const left = await send(stage, `/oauth/logout?${encode({ id_token_hint: idToken })}`);
      assert.deepEqual([left.status, left.location], [200, undefined]);
      assert.deepEqual(
        [outcomeOf(await me(stage.url, here)), outcomeOf(await me(stage.url, there))],
        ['401 SESSION_REVOKED', '200'],
      );
    });

    it('no answer sets the cookie SSO for an access token, and the refresh token sets it again', async () => {
      const { url } = stage;
      const user = await openBrowser(stage);
      const headers = { cookie: `JWT=${user.JWT}` };
      const names = (reply: Reply) => reply.cookies.map((cookie) => cookie.split('=', 1)[0]);
      const [address, phone] = [newAddress(), newPhone()];
      const codeFor = (to: string, path: string, body: object) =>
        codeAfter(url, to, () => call(url, 'POST', `/api/auth/${path}`, { body, headers, captcha: 'any' }));
      const right = await codeFor(user.phone, 'proof/send', { via: 'phone' });
      const proved = await call(url, 'POST', '/api/auth/proof', { body: { otp: right }, headers });
      assert.ok(names(proved).includes('SSO'), 'a code of the user is as good as a sign-in');
      /** What a call needs so that nothing but the missing right can refuse it. All others take the sample of their schema. */
      const bodies: Readonly<Record<string, object>> = {
        bindEmail: { email: address, otp: await codeFor(address, 'email/send/otp', { recipient: address }) },
        changePhone: { phone, otp: await codeFor(phone, 'phone/change/send', { recipient: phone }) },
        proveSession: { otp: otherThan(right) },
      };
      const refused: string[] = [];
      for (const { method, path, name, route } of allLines().filter(({ guards }) => guards.includes('access'))) {
        if (/^(?:signOut|deleteAccount|endSession)$/.test(name)) continue;
        const reply = await call(url, method, path.replaceAll(/:\w+/g, 'x'), {
          ...(route.body !== undefined && { body: bodies[name] ?? sampleOf(route.body as Sampled) }),
          headers,
          captcha: 'any',
        });
        assert.ok(!names(reply).includes('SSO'), name);
        if (reply.body.codeError === 'REQUEST_INVALID') refused.push(name);
        if (name in bodies) assert.equal(outcomeOf(reply), name === 'proveSession' ? '400 OTP_INVALID' : '200', name);
      }
      assert.deepEqual(refused, []);
      assert.deepEqual(names(await refresh(url, proved.body.data.RT)), ['JWT', 'RT', 'SSO', 'SSO']);
    });
  });
