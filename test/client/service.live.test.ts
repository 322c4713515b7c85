// The client of back ends against a real service: every call once, lists and events as iterators, and the user of a request.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createService, type FollowedEvent, type Service } from '../../client/src/service.ts';
import { calls } from '../../client/src/service-types.ts';
import { issuerOf, openStage, type Stage } from '../helpers/client/stage.ts';
import { createServiceKey } from '../helpers/people/service-keys.ts';
import { enter } from '../helpers/people/users.ts';
import { call } from '../helpers/requests/api.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { pngFile, textFile } from '../helpers/uploads/sample-files.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const nobody = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';

for (const kind of storeKinds)
  describe(`the client of a back end on ${kind}`, () => {
    let stage: Stage;
    let service: Service;
    let key: string;
    const lines: string[] = [];
    const counted: typeof fetch = (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      lines.push(`${init?.method ?? 'GET'} ${new URL(address).pathname}`);
      return fetch(input, init);
    };
    before(async () => {
      stage = await openStage({}, kind);
      key = await createServiceKey(stage.service);
      service = createService({ url: stage.url, key, fetch: counted, issuer: await issuerOf(stage.url) });
    });
    after(() => stage.end());

    it('the client of a back end makes every call of the interface', async () => {
      const { JWT, phone } = await enter(stage.url);
      const user = await service.users.find({ phone });
      assert.deepEqual(await service.users.get(user.id), user);
      assert.equal(user.phone, phone);
      await enter(stage.url);
      const ids: string[] = [];
      for await (const each of service.users.list({ limit: 1 })) ids.push(each.id);
      assert.ok(ids.length >= 2 && ids.includes(user.id) && new Set(ids).size === ids.length);

      const changed = await service.users.update(user.id, {
        externalId: 'customer-1',
        claims: { plan: 'pro' },
        metadata: { private: { score: 7 } },
      });
      assert.deepEqual([changed.externalId, changed.claims], ['customer-1', { plan: 'pro' }]);
      assert.equal((await service.users.find({ externalId: 'customer-1' })).id, user.id);
      await assert.rejects(service.users.get(nobody), { name: 'GatehouseError', code: 'NOT_FOUND', status: 404 });

      const checked = await service.tokens.check(JWT);
      assert.ok(checked.active && checked.sub === user.id);
      const [session] = await service.users.sessions(user.id);
      assert.equal(session?.id, checked.sid);

      const csv = new Blob([new Uint8Array(textFile)], { type: 'text/csv' });
      const file = await service.files.upload(user.id, csv, { purpose: 'document', name: "Übersicht „1“ (Ann's).csv" });
      assert.deepEqual([file.userId, file.name, file.type], [user.id, "Übersicht „1“ (Ann's).csv", 'text/csv']);
      assert.deepEqual(await service.files.get(file.id), file);
      const second = await service.files.upload(user.id, new File([new Uint8Array(pngFile(9, 9))], 'a.jpg'), {
        purpose: 'avatar',
      });
      assert.deepEqual([second.name, second.type], ['a.jpg.png', 'image/png']);
      const listed: string[] = [];
      for await (const { id } of service.files.list(user.id, { limit: 1 })) listed.push(id);
      assert.deepEqual(listed.toSorted(), [file.id, second.id].toSorted());
      const whole = await service.files.content(file.id);
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), textFile);
      const part = await service.files.content(file.id, { headers: { range: 'bytes=0-1' } });
      assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 2]);
      const same = await service.files.content(file.id, {
        headers: { 'if-none-match': whole.headers.get('etag') ?? '' },
      });
      assert.equal(same.status, 304);
      const thumb = await service.files.content(second.id, { variant: 'thumb' });
      assert.match(thumb.headers.get('content-type') ?? '', /^image\/(webp|avif)$/);
      await thumb.body?.cancel();
      await assert.rejects(service.files.content('fil_nonsense'), { code: 'FILE_NOT_FOUND', status: 404 });
      await service.files.delete(file.id);
      await assert.rejects(service.files.get(file.id), { code: 'FILE_NOT_FOUND' });

      assert.equal(await service.users.endSessions(user.id, nobody), 0);
      assert.equal(await service.users.endSessions(user.id), 1);
      assert.deepEqual(await service.tokens.check(JWT), { active: false });
      await service.users.block(user.id, 'a test');
      assert.notEqual((await service.users.get(user.id)).blockedAt, null);
      await service.users.unblock(user.id);
      assert.equal((await service.users.get(user.id)).blockedAt, null);
      await service.users.delete(user.id);
      const { events, next } = await service.events.page({ limit: 1000 });
      assert.ok(events.some(({ type, data }) => type === 'user.deleted' && data.userId === user.id));
      assert.deepEqual((await service.events.page({ after: next })).events, []);
      assert.deepEqual(new Set(lines.map(shape)), new Set(Object.values<string>(calls)));
    });

    it('following events hands out every event once in order, waits for new ones, and goes on after a stored cursor', async () => {
      const { next } = await service.events.page({ limit: 1000 });
      const stop = new AbortController();
      const seen: FollowedEvent[] = [];
      const following = (async () => {
        const options = { after: next, signal: stop.signal, pollEvery: 20, limit: 2 };
        for await (const event of service.events.follow(options)) seen.push(event);
      })();
      const { phone } = await enter(stage.url);
      const { id: userId } = await service.users.find({ phone });
      for (const step of ['block', 'unblock'] as const) await service.users[step](userId);
      await waitUntil('all events', () => (seen.some(({ type }) => type === 'user.unblocked') ? true : undefined));
      stop.abort();
      await following;
      const ofUser = seen.filter(({ data }) => data.userId === userId);
      assert.equal(new Set(ofUser.map(({ id }) => id)).size, ofUser.length);
      assert.deepEqual(
        ofUser.map(({ type }) => type).filter((type) => /created|blocked/.test(type)),
        ['user.created', 'user.blocked', 'user.unblocked'],
      );
      // Whatever cursor the app stored last: nothing behind it is lost.
      for (const [index, { cursor }] of seen.entries()) {
        const { events } = await service.events.page({ after: cursor ?? undefined, limit: 1000 });
        const ids = events.map(({ id }) => id);
        assert.deepEqual(
          seen.slice(index + 1).filter(({ id }) => !ids.includes(id)),
          [],
        );
      }
      await assert.rejects(service.events.follow({ after: 'nonsense' }).next(), { name: 'GatehouseError' });
    });

    it('verifyRequest finds the user in the header or the cookie, with the claims, and sees a revocation if asked to', async () => {
      const { JWT, RT, phone } = await enter(stage.url);
      const { id: userId } = await service.users.find({ phone });
      const first = await service.verifyRequest({ authorization: `Bearer ${JWT}` });
      assert.deepEqual([first.userId, first.claims, first.via], [userId, {}, 'header']);
      assert.ok(first.expiresAt.getTime() > Date.now() && first.authTime instanceof Date);
      await service.users.update(userId, { claims: { plan: 'pro' } });
      const { data } = (await call(stage.url, 'POST', '/api/auth/refresh-token', { headers: { RT } })).body;
      const before = lines.length;
      const again = await service.verifyRequest(new Headers({ cookie: `a=b; JWT=${data.JWT}` }));
      assert.deepEqual([again.userId, again.claims, again.via], [userId, { plan: 'pro' }, 'cookie']);
      assert.equal(lines.length, before, 'no request');
      const options = { checkRevocation: true };
      assert.equal((await service.verifyRequest({ cookie: `JWT=${data.JWT}` }, options)).sessionId, first.sessionId);
      await service.users.endSessions(userId);
      await service.verifyRequest({ cookie: `JWT=${data.JWT}` });
      const revoked = service.verifyRequest({ cookie: `JWT=${data.JWT}` }, options);
      await assert.rejects(revoked, { name: 'GatehouseError', code: 'SESSION_REVOKED', status: 401 });
      for (const [headers, code] of [
        [{}, 'ACCESS_TOKEN_MISSING'],
        [{ authorization: 'Basic YTpi' }, 'ACCESS_TOKEN_MISSING'],
        [{ authorization: 'Bearer', cookie: `JWT=${data.JWT}` }, 'ACCESS_TOKEN_MISSING'],
        [{ authorization: 'Bearer x', cookie: `JWT=${data.JWT}` }, 'ACCESS_TOKEN_INVALID'],
        [{ cookie: `JWT=${data.JWT}; JWT=x` }, 'ACCESS_TOKEN_INVALID'],
      ] as const)
        await assert.rejects(service.verifyRequest(headers), { code, status: 401 });
    });
  });

/** `GET /api/service/files/fil_…` as `GET /api/service/files/{id}`. */
function shape(line: string): string {
  return line.replace(/\/(fil_[\w-]+|[0-9a-f-]{36})(?=\/|$)/, '/{id}');
}
