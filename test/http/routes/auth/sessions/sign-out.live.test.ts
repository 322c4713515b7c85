// POST /api/auth/logout: this session, the others or all; their access tokens stop working at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enter, me, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, type Pair, type Reply, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

for (const kind of tierStoreKinds) {
  describe(`signing out, on ${kind}`, () => {
    const stage = setStage(kind);

    it('a sign-out without a scope ends this session with its access token and clears the cookies', async () => {
      const [here, there] = await threeSessions();
      const reply = await signOut(here);
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.body.data, null);
      assert.deepEqual(
        reply.cookies.map((cookie) => cookie.split('; ').slice(0, 2)),
        [
          ['JWT=', 'Max-Age=0'],
          ['RT=', 'Max-Age=0'],
        ],
      );
      await expectRevoked(here);
      await expectValid(there);
    });

    it('a sign-out accepts the scope local, an empty body and no body', async () => {
      for (const body of [{ scope: 'local' }, {}, undefined]) {
        const [here, there] = await threeSessions();
        assert.equal(outcomeOf(await signOut(here, body)), '200');
        await expectRevoked(here);
        await expectValid(there);
      }
    });

    it('a sign-out of the other sessions keeps this one with its cookies', async () => {
      const [here, there, elsewhere] = await threeSessions();
      const reply = await signOut(here, { scope: 'others' });
      assert.equal(outcomeOf(reply), '200');
      assert.deepEqual(reply.cookies, []);
      await expectRevoked(there);
      await expectRevoked(elsewhere);
      await expectValid(here);
    });

    it('a global sign-out ends all sessions of the user and no one else’s', async () => {
      const [here, there, elsewhere] = await threeSessions();
      const stranger = await enter(stage.url);
      assert.equal(outcomeOf(await signOut(here, { scope: 'global' })), '200');
      for (const pair of [here, there, elsewhere]) await expectRevoked(pair);
      await expectValid(stranger);
    });

    it('a sign-out revokes the refreshed tokens of the session as well', async () => {
      const { JWT, RT } = await enter(stage.url);
      const next: Pair = (await refresh(stage.url, RT)).body.data;
      await signOut(next);
      for (const token of [JWT, next.JWT]) assert.equal(outcomeOf(await me(stage.url, token)), '401 SESSION_REVOKED');
      for (const token of [RT, next.RT])
        assert.equal(outcomeOf(await refresh(stage.url, token)), '401 SESSION_REVOKED');
    });

    it('a sign-out stays in force after a restart', async () => {
      const pair = await enter(stage.url);
      await signOut(pair);
      await stage.restart();
      await expectRevoked(pair);
    });

    it('a sign-out with an unknown scope is refused and ends nothing', async () => {
      const pair = await enter(stage.url);
      for (const scope of ['all', '', null, 1, ['local'], 'LOCAL']) {
        const reply = await signOut(pair, { scope });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', JSON.stringify(scope));
        assert.match(reply.body.message, /scope/);
      }
      await expectValid(pair);
    });

    it('a sign-out needs an access token of a live session', async () => {
      const missing = await call(stage.url, 'POST', '/api/auth/logout');
      assert.equal(outcomeOf(missing), '401 ACCESS_TOKEN_MISSING');
      assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="gatehouse"');
      const pair = await enter(stage.url);
      await signOut(pair);
      assert.equal(outcomeOf(await signOut(pair)), '401 SESSION_REVOKED');
    });

    async function threeSessions(): Promise<[Pair, Pair, Pair]> {
      const here = await enter(stage.url);
      return [here, await enter(stage.url, here.phone), await enter(stage.url, here.phone)];
    }

    function signOut({ JWT }: Pair, body?: unknown): Promise<Reply> {
      return call(stage.url, 'POST', '/api/auth/logout', { token: JWT, ...(body !== undefined && { body }) });
    }

    async function expectRevoked({ JWT, RT }: Pair): Promise<void> {
      assert.equal(outcomeOf(await me(stage.url, JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
    }

    async function expectValid({ JWT, RT }: Pair): Promise<void> {
      assert.equal(outcomeOf(await me(stage.url, JWT)), '200');
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
    }
  });
}
