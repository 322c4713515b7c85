// /api/service/users: the back end of an app shows, finds, lists, changes, blocks and deletes users, and ends their sessions.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { backendView } from '../../../../src/auth/directory/user-views.ts';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { asPhone, asUserId } from '../../../helpers/people/ids.ts';
import { createWholeKey } from '../../../helpers/people/service-keys.ts';
import { makeUserRecord } from '../../../helpers/people/user.ts';
import { bindAddress, enter, me, newAddress, outcomeOf } from '../../../helpers/people/users.ts';
import { type CallOptions, call, newPhone, refresh } from '../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';

const nobody = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';
const users = '/api/service/users';

for (const kind of tierStoreKinds) {
  describe(`users for a back end, on ${kind}`, () => {
    const stage = setStage(kind);
    let key: { text: string; id: string };
    before(async () => {
      key = await createWholeKey(stage);
    });
    const ask = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
      call(stage.url, method, `${users}${path}`, {
        token: key.text,
        ...(body !== undefined && { body }),
        ...options,
      });
    const newUser = async () => {
      const { JWT, RT, phone } = await enter(stage.url);
      const { id } = (await me(stage.url, JWT)).body.data;
      return { id: String(id), JWT, RT, phone };
    };
    const lastEvent = async (userId: UserId) =>
      (await stage.service.store.call('audit.list', { userId, since: 0, most: 1 }))[0];

    it('a user is shown with everything that is stored, and nulls and empty objects for what is not', async () => {
      const { id, phone } = await newUser();
      const reply = await ask('GET', `/${id}`);
      const now = stage.clock.now();
      const user = makeUserRecord({ id: asUserId(id), phone: asPhone(phone), createdAt: now });
      assert.deepEqual(reply.body.data, backendView({ ...user, privateMetadata: {}, lastSeenAt: now }));
      assert.equal(reply.headers.get('cache-control'), 'no-store');
    });

    it('a user is found by number, address and external id, however number and address are spelled', async () => {
      const { id, JWT, phone } = await newUser();
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      await ask('PATCH', `/${id}`, { externalId: 'Kunde 4711' });
      const spelled = `${phone.slice(0, 3)} (${phone.slice(3, 6)}) ${phone.slice(6)}`;
      for (const wanted of [{ phone: spelled }, { email: ` ${email.toUpperCase()} ` }, { externalId: 'Kunde 4711' }]) {
        const reply = await ask('POST', '/find', wanted);
        assert.equal(reply.body.data?.id, id, JSON.stringify([wanted, reply.body]));
      }
    });

    for (const [what, wanted, expected] of [
      ['a number that nobody has', { phone: '+4915199999999' }, '404 NOT_FOUND'],
      ['an address that nobody has', { email: 'nobody@example.com' }, '404 NOT_FOUND'],
      ['an external id that nobody has', { externalId: 'kunde 4711' }, '404 NOT_FOUND'],
      ['no number', { phone: '12' }, '400 PHONE_INVALID'],
      ['a premium number', { phone: '+19005550123' }, '422 PHONE_NOT_SUPPORTED'],
      ['no address', { email: 'nobody' }, '400 EMAIL_INVALID'],
      ['nothing', {}, '400 REQUEST_INVALID'],
      ['two things at once', { phone: '+4915199999999', email: 'nobody@example.com' }, '400 REQUEST_INVALID'],
      ['an empty external id', { externalId: '' }, '400 REQUEST_INVALID'],
      ['an external id of 256 characters', { externalId: 'x'.repeat(256) }, '400 REQUEST_INVALID'],
    ] as const) {
      it(`a search by ${what} is answered ${expected}`, async () => {
        assert.equal(outcomeOf(await ask('POST', '/find', wanted)), expected);
      });
    }

    it('users are listed page by page, each once', async () => {
      const made = [await newUser(), await newUser(), await newUser()].map(({ id }) => id);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await ask('GET', `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        assert.ok(body.data.users.length <= 2);
        seen.push(...body.data.users.map(({ id }: { id: string }) => id));
        cursor = body.data.next;
      }
      assert.deepEqual(seen, seen.toSorted());
      assert.equal(new Set(seen).size, seen.length);
      assert.deepEqual(
        made.filter((id) => !seen.includes(id)),
        [],
      );
      assert.equal((await ask('GET', '')).body.data.next, null);
      for (const limit of [101, 100_000]) assert.equal(outcomeOf(await ask('GET', `?limit=${limit}`)), '200');
      for (const query of ['?cursor=no', '?limit=0', '?limit=two'])
        assert.equal(outcomeOf(await ask('GET', query)), '400 REQUEST_INVALID', query);
    });

    it('a change stores external id, claims and metadata, replaces each as a whole, and null removes it', async () => {
      const { id, JWT } = await newUser();
      const given = {
        externalId: 'customer-1',
        claims: { plan: 'pro', roles: ['admin'] },
        metadata: { public: { theme: 'dark' }, private: { score: 7 } },
      };
      const first = await ask('PATCH', `/${id}`, given);
      assert.equal(outcomeOf(first), '200');
      const { externalId, claims, metadata } = first.body.data;
      assert.deepEqual({ externalId, claims, metadata }, given);
      const second = await ask('PATCH', `/${id}`, { claims: { plan: 'free' }, metadata: { public: null } });
      assert.deepEqual(second.body.data, {
        ...first.body.data,
        claims: { plan: 'free' },
        metadata: { public: {}, private: { score: 7 } },
      });
      assert.deepEqual((await ask('GET', `/${id}`)).body.data, second.body.data);
      const event = await lastEvent(asUserId(id));
      const detail = { fields: 'claims, metadata.public', actor: 'service', key: key.id, why: '' };
      assert.deepEqual([event?.kind, event?.detail], ['user.data-changed', detail]);
      const third = await ask('PATCH', `/${id}`, { externalId: null, claims: null, metadata: null });
      assert.deepEqual(third.body.data.metadata, { public: {}, private: {} });
      assert.deepEqual([third.body.data.externalId, third.body.data.claims], [null, {}]);
      assert.deepEqual((await me(stage.url, JWT)).body.data.metadata, {});
    });

    it('users read the public metadata with their account, and never the private', async () => {
      const { id, JWT } = await newUser();
      await ask('PATCH', `/${id}`, { metadata: { public: { theme: 'dark' }, private: { secret: 'canary' } } });
      const { body } = await me(stage.url, JWT);
      assert.deepEqual(body.data.metadata, { theme: 'dark' });
      assert.ok(!JSON.stringify(body).includes('canary'));
    });

    it('an external id that another user has is refused, and nothing of the change is stored', async () => {
      const [ann, bob] = [await newUser(), await newUser()];
      await ask('PATCH', `/${ann.id}`, { externalId: 'taken' });
      assert.equal(
        outcomeOf(await ask('PATCH', `/${bob.id}`, { externalId: 'taken', claims: { a: 1 } })),
        '409 EXTERNAL_ID_TAKEN',
      );
      assert.deepEqual((await ask('GET', `/${bob.id}`)).body.data.claims, {});
    });

    for (const [what, given, expected] of [
      ['claims of more than 1 KiB', { claims: { a: 'x'.repeat(1024) } }, '422 USER_DATA_TOO_LARGE'],
      ['metadata of more than 4 KiB', { metadata: { private: { a: 'x'.repeat(4096) } } }, '422 USER_DATA_TOO_LARGE'],
      ['a list as claims', { claims: [] }, '400 REQUEST_INVALID'],
      ['claims of nine levels', { claims: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) }, '400 REQUEST_INVALID'],
      ['an external id with a tab', { externalId: 'a\tb' }, '400 REQUEST_INVALID'],
      ['a number as external id', { externalId: 4711 }, '400 REQUEST_INVALID'],
      ['only a misspelled field', { claim: {} }, '400 REQUEST_INVALID'],
    ] as const) {
      it(`a change with ${what} is answered ${expected}`, async () => {
        const { id } = await newUser();
        const reply = await ask('PATCH', `/${id}`, given);
        assert.equal(outcomeOf(reply), expected);
        if (expected.startsWith('422')) assert.match(reply.body.message, /“(claims|metadata\.private)” .* [14] KiB/);
      });
    }

    it('a blocked user loses all sessions, stays readable, and may sign in again when unblocked', async () => {
      const { id, JWT, RT, phone } = await newUser();
      await enter(stage.url, phone);
      const blocked = await ask('POST', `/${id}/block`, { reason: 'charged back' });
      assert.deepEqual([outcomeOf(blocked), blocked.body.data], ['200', { endedSessions: 2 }]);
      assert.deepEqual((await lastEvent(asUserId(id)))?.detail, { actor: 'service', key: key.id, why: 'charged back' });
      const at = new Date(stage.clock.now()).toISOString();
      stage.clock.advance(1);
      const again = await ask('POST', `/${id}/block`);
      assert.deepEqual([outcomeOf(again), again.body.data], ['200', { endedSessions: 0 }]);
      const shown = (await ask('GET', `/${id}`)).body.data;
      assert.equal(shown.blockedAt, at);
      assert.deepEqual((await ask('POST', '/find', { phone })).body.data, shown);
      assert.deepEqual((await ask('GET', `/${id}/sessions`)).body.data, { sessions: [], next: null });
      assert.equal((await ask('PATCH', `/${id}`, { claims: { a: 1 } })).body.data.blockedAt, at);
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await me(stage.url, JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await ask('POST', `/${id}/unblock`)), '200');
      assert.equal((await ask('GET', `/${id}`)).body.data.blockedAt, null);
      await enter(stage.url, phone);
    });

    it('a deleted user is gone, with sessions, and the number is free', async () => {
      const { id, RT, phone } = await newUser();
      await ask('PATCH', `/${id}`, { externalId: 'to be deleted' });
      const reply = await ask('DELETE', `/${id}`);
      assert.deepEqual([outcomeOf(reply), reply.body.data], ['200', { endedSessions: 1, deletedFiles: 0 }]);
      assert.deepEqual((await lastEvent(asUserId(id)))?.detail, { actor: 'service', key: key.id, why: '' });
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await ask('POST', '/find', { externalId: 'to be deleted' })), '404 NOT_FOUND');
      assert.notEqual((await me(stage.url, (await enter(stage.url, phone)).JWT)).body.data.id, id);
    });

    it('the sessions of a user are listed with when and how the user was proved', async () => {
      const { id, phone } = await newUser();
      const start = new Date(stage.clock.now()).toISOString();
      stage.clock.advance(5);
      await enter(stage.url, phone, 'Laptop/1');
      const { sessions, next } = (await ask('GET', `/${id}/sessions`)).body.data;
      const now = new Date(stage.clock.now()).toISOString();
      assert.equal(next, null);
      assert.equal(sessions.length, 2);
      const proof = { authTime: now, amr: ['otp', 'sms'] };
      assert.deepEqual(sessions[0], {
        id: sessions[0].id,
        createdAt: now,
        lastUsedAt: now,
        userAgent: 'Laptop/1',
        ...proof,
        app: null,
      });
      assert.equal(sessions[1].authTime, start);
    });

    it('one session of a user ends, or all; one that has ended counts as none', async () => {
      const { id, RT, phone } = await newUser();
      const other = await newUser();
      stage.clock.advance(1);
      await enter(stage.url, phone);
      await enter(stage.url, phone);
      const { sessions } = (await ask('GET', `/${id}/sessions`)).body.data;
      const sessionId = sessions.at(-1).id;
      const end = async (body?: unknown, user = id) => (await ask('POST', `/${user}/sessions/end`, body)).body.data;
      assert.deepEqual(await end({ sessionId }, other.id), { ended: 0 }, 'of somebody else');
      assert.deepEqual(await end({ sessionId }), { ended: 1 });
      assert.deepEqual(await end({ sessionId }), { ended: 0 });
      assert.deepEqual(await end({ sessionId: 'unknown' }), { ended: 0 });
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      assert.deepEqual(await end(), { ended: 2 });
      assert.deepEqual(await end({}), { ended: 0 });
      assert.deepEqual((await ask('GET', `/${id}/sessions`)).body.data.sessions, []);
    });

    it('an id may be written in capitals in every call', async () => {
      const { id } = await newUser();
      const [path, shown] = [`/${id.toUpperCase()}`, (await ask('GET', `/${id}`)).body.data];
      assert.deepEqual((await ask('GET', path)).body.data, shown);
      assert.equal((await ask('PATCH', path, { claims: { a: 1 } })).body.data.id, id);
      const { sessions } = (await ask('GET', `${path}/sessions`)).body.data;
      const sessionId = String(sessions[0]?.id).toUpperCase();
      assert.deepEqual((await ask('POST', `${path}/sessions/end`, { sessionId })).body.data, { ended: 1 });
      assert.equal((await ask('GET', `${path}/files`)).body.message, 'Here is the requested data.');
      assert.equal(outcomeOf(await ask('GET', `?cursor=${id.toUpperCase()}`)), '200');
      for (const act of ['/sessions/end', '/block', '/unblock'])
        assert.equal(outcomeOf(await ask('POST', path + act)), '200');
      assert.equal(outcomeOf(await ask('DELETE', path)), '200');
      assert.equal(outcomeOf(await ask('GET', `/${id}`)), '404 NOT_FOUND');
    });

    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { claims: {} }],
      ['DELETE', '', undefined],
      ['POST', '/block', undefined],
      ['POST', '/unblock', undefined],
      ['GET', '/sessions', undefined],
      ['POST', '/sessions/end', undefined],
      ['POST', '/sessions/end', { sessionId: nobody }],
    ] as const) {
      it(`${method} …/:id${path}${body === undefined ? '' : ' with a body'} answers the same for every id that is no user`, async () => {
        for (const id of [nobody, 'no', nobody.toUpperCase(), '%ff', '%00', `${newPhone()}`]) {
          const reply = await ask(method, `/${id}${path}`, body);
          assert.equal(outcomeOf(reply), '404 NOT_FOUND', id);
          const isNamed = /^[\w-]+$/.test(id);
          const shown = id === nobody.toUpperCase() ? nobody : id;
          const message = isNamed ? `There is no user with the id “${shown}”.` : 'There is no such user.';
          assert.equal(reply.body.message, message);
        }
      });
    }
  });
}
