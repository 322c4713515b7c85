// The files of users for the back end: the list, the record, the content as their owner gets it, and deletion.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { asUserId } from '../../../helpers/people/ids.ts';
import { createServiceKey, createWholeKey } from '../../../helpers/people/service-keys.ts';
import { enter, outcomeOf, userIdOf } from '../../../helpers/people/users.ts';
import { call, readEnvelope } from '../../../helpers/requests/api.ts';
import { upload } from '../../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { pngFile, textFile } from '../../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const nobody = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';

for (const kind of tierStoreKinds) {
  describe(`the files of a user for the back end, on ${kind}`, () => {
    const stage = setStage(kind);
    let key: string;
    let JWT: string;
    let userId: UserId;
    let id: string;
    before(async () => {
      key = await createServiceKey(stage);
      ({ JWT } = await enter(stage.url));
      userId = asUserId(await userIdOf(stage.url, JWT));
      const request = { bytes: textFile, purpose: 'document', name: 'Grüße.csv', type: 'text/csv', token: JWT };
      id = (await upload(stage.url, request)).body.data.id;
    });
    const ask = (method: string, path: string) => call(stage.url, method, path, { token: key });
    const content = (path: string, headers: Record<string, string> = {}, token = key, method = 'GET') =>
      fetch(`${stage.url}${path}`, {
        method,
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}`, ...headers },
      });

    it('the record of a file is the one that its owner sees, with the owner', async () => {
      const own = await call(stage.url, 'GET', `/api/file/${id}`, { token: JWT });
      const { status, body } = await ask('GET', `/api/service/files/${id}`);
      assert.equal(status, 200);
      assert.deepEqual(body.data, { ...own.body.data, userId });
    });

    it('the files of a user are listed newest first, page by page', async () => {
      const owner = await userIdOf(stage.url, (await enter(stage.url)).JWT);
      const ids: string[] = [];
      for (let round = 0; round < 3; round++) {
        stage.clock.advance(1);
        const reply = await upload(stage.url, { userId: owner, bytes: textFile, purpose: 'document', token: key });
        ids.unshift(reply.body.data.id);
      }
      const first = (await ask('GET', `/api/service/users/${owner}/files?limit=2`)).body.data;
      const second = (await ask('GET', `/api/service/users/${owner}/files?limit=2&cursor=${first.next}`)).body.data;
      assert.deepEqual(
        [...first.files, ...second.files].map((file) => [file.id, file.userId]),
        ids.map((each) => [each, owner]),
      );
      assert.equal(second.next, null);
      for (const bad of ['limit=0', 'limit=x', 'cursor=x'])
        assert.equal(
          outcomeOf(await ask('GET', `/api/service/users/${owner}/files?${bad}`)),
          '400 REQUEST_INVALID',
          bad,
        );
    });

    it('a user without files has an empty list, and an unknown, malformed or deleted user is not found', async () => {
      const { JWT: token } = await enter(stage.url);
      const owner = await userIdOf(stage.url, token);
      const { body } = await ask('GET', `/api/service/users/${owner}/files`);
      assert.deepEqual(body.data, { files: [], next: null });
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token })), '200');
      for (const wrong of [owner, nobody, 'nonsense', '%00', '..%2f..'])
        assert.equal(outcomeOf(await ask('GET', `/api/service/users/${wrong}/files`)), '404 NOT_FOUND', wrong);
    });

    it('the content has the same bytes and headers as its owner gets, whole, in part, not modified and as HEAD', async () => {
      const { etag = '' } = Object.fromEntries((await content(`/file/${id}`, {}, JWT)).headers);
      for (const [headers, method, status] of [
        [{}, 'GET', 200],
        [{}, 'HEAD', 200],
        [{ range: 'bytes=2-5' }, 'GET', 206],
        [{ range: 'bytes=-3' }, 'GET', 206],
        [{ 'if-none-match': etag }, 'GET', 304],
        [{ 'if-modified-since': new Date(stage.clock.now() + 9_000).toUTCString() }, 'GET', 304],
      ] as const) {
        const [theirs, own] = await Promise.all([
          content(`/api/service/files/${id}/content`, headers, key, method),
          content(`/file/${id}`, headers, JWT, method),
        ]);
        assert.equal(theirs.status, status, JSON.stringify(headers));
        assert.deepEqual(same(theirs), same(own));
        assert.deepEqual(await theirs.bytes(), await own.bytes());
      }
      const parts = await content(`/api/service/files/${id}/content`, { range: 'bytes=0-0,2-2' });
      assert.match(parts.headers.get('content-type') ?? '', /^multipart\/byteranges/);
      const code = async (headers: Record<string, string>) => {
        const response = await content(`/api/service/files/${id}/content`, headers);
        return `${response.status} ${readEnvelope(await response.text()).codeError}`;
      };
      assert.equal(await code({ range: 'bytes=9999-' }), '416 RANGE_NOT_SATISFIABLE');
      assert.equal(await code({ 'if-match': '"other"' }), '412 PRECONDITION_FAILED');
    });

    it('the back end gets a variant of a picture', async () => {
      const request = { bytes: pngFile(80, 60), purpose: 'avatar', type: 'image/png', token: JWT };
      const picture = (await upload(stage.url, request)).body.data.id;
      const path = `/api/service/files/${picture}/content?variant=thumb`;
      const response = await content(path, { accept: 'image/webp' });
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
      const own = await content(`/file/${picture}?variant=thumb`, { accept: 'image/webp' }, JWT);
      assert.deepEqual(await response.bytes(), await own.bytes());
      assert.equal((await content(`/api/service/files/${picture}/content?variant=other`)).status, 404);
    });

    it('the files of a blocked user can be read by the back end', async () => {
      const { JWT: token } = await enter(stage.url);
      const owner = asUserId(await userIdOf(stage.url, token));
      const request = { bytes: textFile, purpose: 'document', token };
      const file = (await upload(stage.url, request)).body.data.id;
      const input = {
        userId: owner,
        act: 'block',
        by: { actor: 'cli', why: 'a test' },
        now: stage.clock.now(),
      } as const;
      await stage.service.store.call('directory.actOn', input);
      await waitUntil('the user is out', async () => {
        const { status } = await content(`/file/${file}`, {}, token);
        return status === 401 ? true : undefined;
      });
      assert.deepEqual(Buffer.from(await (await content(`/api/service/files/${file}/content`)).bytes()), textFile);
      assert.equal((await ask('GET', `/api/service/users/${owner}/files`)).body.data.files[0].id, file);
    });

    it('unknown, malformed and deleted files get one and the same answer, in every call', async () => {
      const request = { bytes: textFile, purpose: 'document', token: JWT };
      const gone = (await upload(stage.url, request)).body.data.id;
      assert.equal(outcomeOf(await ask('DELETE', `/api/service/files/${gone}`)), '200');
      for (const wrong of [gone, 'fil_AAAAAAAAAAAAAAAAAAAAAA', 'nonsense', '..%2f..%2fetc', 'fil_%00']) {
        for (const [method, path] of [
          ['GET', wrong],
          ['GET', `${wrong}/content`],
          ['DELETE', wrong],
        ] as const)
          assert.equal(
            outcomeOf(await ask(method, `/api/service/files/${path}`)),
            '404 FILE_NOT_FOUND',
            `${method} ${path}`,
          );
      }
    });

    it('a deletion by the back end frees the quota of the owner, and its event names the key', async () => {
      const { JWT: token } = await enter(stage.url);
      const owner = asUserId(await userIdOf(stage.url, token));
      const file = (await upload(stage.url, { bytes: textFile, purpose: 'document', token })).body.data.id;
      const { text, id: keyId } = await createWholeKey(stage, ['files:write']);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', `/api/service/files/${file}`, { token: text })), '200');
      const { quota } = (await call(stage.url, 'GET', '/api/file/purposes', { token })).body.data;
      assert.deepEqual([quota.usedBytes, quota.usedFiles], [0, 0]);
      const query = { userId: owner, kind: 'file.deleted', since: 0, most: 9 } as const;
      const [event] = await stage.service.store.call('audit.list', query);
      assert.deepEqual(event?.detail, { file, actor: 'service', key: keyId, why: '' });
    });

    it('each call about files opens to its own scope and to no other', async () => {
      const reader = await createServiceKey(stage, ['files:read']);
      const writer = await createServiceKey(stage, ['files:write']);
      const others = await createServiceKey(stage, ['users:read', 'users:write', 'sessions:end', 'events:read']);
      for (const [method, path, right, wrong] of [
        ['GET', `/api/service/users/${userId}/files`, reader, writer],
        ['GET', `/api/service/files/${id}`, reader, writer],
        ['GET', `/api/service/files/${id}/content`, reader, writer],
        ['POST', `/api/service/files?user=${userId}`, writer, reader],
        ['DELETE', '/api/service/files/nonsense', writer, reader],
      ] as const) {
        for (const token of [wrong, others]) {
          const reply = await call(stage.url, method, path, { token });
          assert.equal(outcomeOf(reply), '403 SERVICE_SCOPE_MISSING', `${method} ${path}`);
        }
        assert.notEqual((await content(path, {}, right, method)).status, 403);
        for (const token of [JWT, 'gks_none'])
          assert.equal(outcomeOf(await call(stage.url, method, path, { token })), '403 SERVICE_KEY_INVALID', path);
      }
    });
  });
}

function same({ headers }: Response) {
  const { date: _d, 'x-request-id': _i, connection: _c, 'keep-alive': _k, ...rest } = Object.fromEntries(headers);
  return rest;
}
