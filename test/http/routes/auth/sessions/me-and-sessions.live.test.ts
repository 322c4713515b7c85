// GET /api/auth/me, GET /api/auth/sessions and DELETE /api/auth/sessions/{id}: what users see of their account, and how they end sessions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountExample } from '../../../../../src/http/routes/user-schemas.ts';
import { bindAddress, enter, me, newAddress, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, newPhone, type Pair, type Reply, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

type Shown = { id: string; createdAt: string; lastUsedAt: string; userAgent: string | null; current: boolean };

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

for (const kind of tierStoreKinds) {
  describe(`one’s own account, on ${kind}`, () => {
    const stage = setStage(kind);

    it('the own account shows id, phone, e-mail address, time of creation and metadata', async () => {
      const { JWT, phone } = await enter(stage.url);
      const { body } = await me(stage.url, JWT);
      assert.deepEqual(Object.keys(body.data), Object.keys(accountExample));
      assert.match(body.data.id, uuidV7);
      assert.equal(body.data.phone, phone);
      assert.equal(body.data.email, null);
      assert.equal(body.data.createdAt, new Date(stage.clock.now()).toISOString());
    });

    it('the own account shows a bound e-mail address as it was written', async () => {
      const { JWT } = await enter(stage.url);
      const address = newAddress().replace('user', 'User');
      await bindAddress(stage.url, JWT, address);
      assert.equal((await me(stage.url, JWT)).body.data.email, address);
    });

    it('the own account and sessions need an access token', async () => {
      for (const path of ['/api/auth/me', '/api/auth/sessions']) {
        const reply = await call(stage.url, 'GET', path);
        assert.equal(outcomeOf(reply), '401 ACCESS_TOKEN_MISSING');
        assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer/);
      }
    });
  });

  describe(`one’s own sessions, on ${kind}`, () => {
    const stage = setStage(kind);

    it('sessions are listed with device and times, the most recently used first, and the current one is marked', async () => {
      const phone = newPhone();
      const beginning = stage.clock.now();
      const laptop = await enter(stage.url, phone, 'Laptop/1');
      stage.clock.advance(10);
      const telephone = await enter(stage.url, phone, 'Telephone/2');
      stage.clock.advance(10);
      const next: Pair = (await refresh(stage.url, laptop.RT)).body.data;
      const [first, second, ...others] = await sessionsOf(next);
      assert.deepEqual(others, []);
      assert.deepEqual(first, {
        id: first?.id,
        createdAt: iso(beginning),
        lastUsedAt: iso(beginning + 20_000),
        userAgent: 'Laptop/1',
        app: null,
        current: true,
      });
      assert.deepEqual(second, {
        id: second?.id,
        createdAt: iso(beginning + 10_000),
        lastUsedAt: iso(beginning + 10_000),
        userAgent: 'Telephone/2',
        app: null,
        current: false,
      });
      assert.match(String(first?.id), uuidV7);
      const seenFromThere = await sessionsOf(telephone);
      assert.deepEqual(
        seenFromThere.map(({ id, current }) => [id, current]),
        [
          [first?.id, false],
          [second?.id, true],
        ],
      );
    });

    it('a long device name is cut, and ended or idle sessions are not listed', async () => {
      const phone = newPhone();
      const idle = await enter(stage.url, phone);
      const ended = await enter(stage.url, phone);
      assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/logout', { token: ended.JWT })), '200');
      stage.clock.advance(30 * 86_400);
      const pair = await enter(stage.url, phone, 'x'.repeat(2000));
      const list = await sessionsOf(pair);
      assert.deepEqual(
        list.map(({ userAgent }) => userAgent?.length),
        [300],
      );
      assert.equal(outcomeOf(await refresh(stage.url, idle.RT)), '401 REFRESH_TOKEN_EXPIRED');
    });

    it('ending one session revokes its tokens and no others', async () => {
      const here = await enter(stage.url);
      const there = await enter(stage.url, here.phone);
      const reply = await end(here, idOf(await sessionsOf(here), false));
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.body.data, null);
      assert.deepEqual(reply.cookies, []);
      assert.equal(outcomeOf(await me(stage.url, there.JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, there.RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await me(stage.url, here.JWT)), '200');
    });

    it('ending the current session clears the cookies', async () => {
      const here = await enter(stage.url);
      const reply = await end(here, idOf(await sessionsOf(here), true));
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.cookies.length, 2);
      assert.equal(outcomeOf(await me(stage.url, here.JWT)), '401 SESSION_REVOKED');
    });

    it('an unknown, a malformed, an ended and a foreign session get the same 404', async () => {
      const here = await enter(stage.url);
      const gone = await enter(stage.url, here.phone);
      const stranger = await enter(stage.url);
      const goneId = idOf(await sessionsOf(gone), true);
      await end(gone, goneId);
      const strangersId = idOf(await sessionsOf(stranger), true);
      const unknown = '01890000-0000-7000-8000-000000000000';
      const malformed = [
        'x',
        strangersId.toUpperCase(),
        `${strangersId}0`,
        encodeURIComponent("' or 1=1 --"),
        '%2e%2e',
      ];
      for (const id of [unknown, goneId, strangersId, ...malformed]) {
        assert.equal(outcomeOf(await end(here, id)), '404 NOT_FOUND', id);
      }
      assert.equal(outcomeOf(await me(stage.url, stranger.JWT)), '200');
    });

    async function sessionsOf({ JWT }: Pair): Promise<Shown[]> {
      const { body } = await call(stage.url, 'GET', '/api/auth/sessions', { token: JWT });
      assert.deepEqual(Object.keys(body.data), ['sessions']);
      return body.data.sessions;
    }

    function end({ JWT }: Pair, id: string): Promise<Reply> {
      return call(stage.url, 'DELETE', `/api/auth/sessions/${id}`, { token: JWT });
    }
  });
}

function idOf(sessions: readonly Shown[], current: boolean): string {
  return sessions.find((session) => session.current === current)?.id ?? assert.fail('no such session');
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
