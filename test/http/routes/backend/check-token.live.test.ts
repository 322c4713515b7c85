// POST /api/service/tokens/check and the claims of an app in access tokens: as they are stored, and revoked at once on every node.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { longestAccessToken } from '../../../../src/auth/tokens/access-token.ts';
import { createServiceKey } from '../../../helpers/people/service-keys.ts';
import { enter, me, outcomeOf } from '../../../helpers/people/users.ts';
import { call, refresh } from '../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage, startTwoNodes } from '../../../helpers/services/stage.ts';

const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

for (const kind of tierStoreKinds) {
  describe(`the check of a token, on ${kind}`, () => {
    const stage = setStage(kind);
    let key: string;
    before(async () => {
      key = await createServiceKey(stage);
    });
    const check = (token: unknown) =>
      call(stage.url, 'POST', '/api/service/tokens/check', { token: key, body: { token } });
    const store = (id: string, claims: unknown) =>
      call(stage.url, 'PATCH', `/api/service/users/${id}`, { token: key, body: { claims } });

    it('the check of a token answers user, session, end, proof and the claims of now', async () => {
      const { JWT } = await enter(stage.url);
      const { sub, sid, exp, auth_time: authTime } = payloadOf(JWT);
      await store(sub, { plan: 'pro' });
      const reply = await check(JWT);
      assert.deepEqual(reply.body.data, {
        active: true,
        sub,
        sid,
        exp: new Date(exp * 1000).toISOString(),
        authTime: new Date(authTime * 1000).toISOString(),
        amr: ['otp', 'sms'],
        clientId: null,
        scope: null,
        claims: { plan: 'pro' },
      });
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    });

    it('every text that is no valid token is answered as not active', async () => {
      const { JWT, RT } = await enter(stage.url);
      const [head, payload, signature] = JWT.split('.');
      const forged = `${head}.${Buffer.from(JSON.stringify({ ...payloadOf(JWT), sub: 'x' })).toString('base64url')}.${signature}`;
      const texts = ['', ' ', 'a.b.c', '…'.repeat(longestAccessToken), 'x'.repeat(longestAccessToken), RT, key, forged];
      for (const text of [...texts, `Bearer ${JWT}`, `${head}.${payload}.`, '{}', '\u2028'])
        assert.deepEqual((await check(text)).body.data, { active: false }, text);
      for (const text of ['x'.repeat(longestAccessToken + 1), 1, null])
        assert.equal(outcomeOf(await check(text)), '400 REQUEST_INVALID');
    });

    it('a token that has expired, or whose session has ended, is not active', async () => {
      const { JWT } = await enter(stage.url);
      await call(stage.url, 'POST', '/api/auth/logout', { token: JWT });
      assert.deepEqual((await check(JWT)).body.data, { active: false });
      const other = await enter(stage.url);
      stage.clock.advance(24 * 3600);
      assert.deepEqual((await check(other.JWT)).body.data, { active: false });
    });

    it('claims are in the access token from the next refresh and sign-in on', async () => {
      const { JWT, RT, phone } = await enter(stage.url);
      const { sub } = payloadOf(JWT);
      assert.ok(!('app' in payloadOf(JWT)));
      const claims = { plan: 'pro', roles: ['admin'], 'naïve “name”': null };
      await store(sub, claims);
      const next = (await refresh(stage.url, RT)).body.data;
      assert.deepEqual(payloadOf(next.JWT).app, claims);
      assert.deepEqual(payloadOf((await enter(stage.url, phone)).JWT).app, claims);
      await store(sub, null);
      assert.ok(!('app' in payloadOf((await refresh(stage.url, next.RT)).body.data.JWT)));
    });

    it('an access token with the largest claims fits into a cookie and opens calls', async () => {
      const { JWT, RT } = await enter(stage.url);
      await store(payloadOf(JWT).sub, { a: 'x'.repeat(1024 - '{"a":""}'.length) });
      const reply = await refresh(stage.url, RT);
      const token: string = reply.body.data.JWT;
      assert.ok(token.length < longestAccessToken && token.length > 1800, String(token.length));
      assert.equal(outcomeOf(await me(stage.url, token)), '200');
      const cookie = reply.cookies.find((text) => text.startsWith('JWT=')) ?? assert.fail();
      const [pair = ''] = cookie.split(';');
      assert.ok(pair.length > 1800 && pair.length < 4096, String(pair.length));
      const byCookie = await call(stage.url, 'GET', '/api/auth/me', {
        headers: { cookie: cookie.split(';')[0] ?? '' },
      });
      assert.equal(outcomeOf(byCookie), '200');
    });
  });

  describe(`the check of a token on another node, on ${kind}`, () => {
    it('a session that one node ends is not active on the other at once', async (context) => {
      // The nodes never read from each other what has ended, so that only the store can tell.
      const options = { times: { loops: { followMilliseconds: 3_600_000 } } };
      const { urls, service, clock } = await startTwoNodes(context, kind, 0, { options });
      const key = await createServiceKey({ service, clock });
      const check = async (token: string) =>
        (await call(urls[1], 'POST', '/api/service/tokens/check', { token: key, body: { token } })).body.data.active;
      const acts = {
        'sign out': ({ JWT }: { JWT: string }) => call(urls[0], 'POST', '/api/auth/logout', { token: JWT }),
        block: ({ JWT }: { JWT: string }) =>
          call(urls[0], 'POST', `/api/service/users/${payloadOf(JWT).sub}/block`, { token: key }),
        delete: ({ JWT }: { JWT: string }) =>
          call(urls[0], 'DELETE', `/api/service/users/${payloadOf(JWT).sub}`, { token: key }),
        end: ({ JWT }: { JWT: string }) =>
          call(urls[0], 'POST', `/api/service/users/${payloadOf(JWT).sub}/sessions/end`, { token: key }),
      };
      for (const [name, act] of Object.entries(acts)) {
        const pair = await enter(urls[0]);
        assert.equal(await check(pair.JWT), true, name);
        assert.equal(outcomeOf(await act(pair)), '200', name);
        assert.equal(await check(pair.JWT), false, name);
        const unread = await call(urls[1], 'GET', '/api/file/purposes', { token: pair.JWT });
        assert.equal(outcomeOf(unread), '200', `${name}: the other node has not read of it yet`);
      }
    });
  });
}
