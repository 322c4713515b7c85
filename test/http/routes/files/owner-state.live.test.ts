// Uploads and sharing of a user who is blocked after the guards, and uploads of a user whose trash makes room, over HTTP.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { createOperatorPorts, createPorts } from '../../../../src/store/ports.ts';
import { createServiceKey } from '../../../helpers/people/service-keys.ts';
import { enter, outcomeOf } from '../../../helpers/people/users.ts';
import { call } from '../../../helpers/requests/api.ts';
import { upload } from '../../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { partial, uploaderAt, uploads } from '../../../helpers/uploads/resumable.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const text = 'Content-Type: text/plain';
const kibibyte = 1024;

for (const kind of tierStoreKinds)
  describe(`the owner of files on ${kind}`, () => {
    // The service does not hear of ended sessions here, as a node does not in the moments after a block on another one.
    const stage = setStage(
      kind,
      { FILE_QUOTA: '1MiB', FILE_COUNT: '4', LIMIT_UPLOADS_PER_USER: 'off' },
      { times: { loops: { followMilliseconds: 3_600_000, removalMilliseconds: 50 } } },
    );

    const newUser = async () => {
      const { JWT: token } = await enter(stage.url);
      const ask = async (method: string, path: string, body?: unknown) => {
        const reply = await call(stage.url, method, path, { token, ...(body !== undefined && { body }) });
        return { outcome: outcomeOf(reply), data: reply.body.data };
      };
      const { id } = (await ask('GET', '/api/auth/me')).data;
      const send = async (length: number, by: { readonly token: string; readonly userId?: UserId } = { token }) => {
        const bytes = Buffer.alloc(length, 'x');
        const reply = await upload(stage.url, { purpose: 'document', type: 'text/plain', bytes, ...by });
        return { outcome: outcomeOf(reply), id: String(reply.body.data?.id) };
      };
      const block = () => {
        const by = { actor: 'cli', why: 'a test' } as const;
        const { directory } = createOperatorPorts(stage.service.store);
        return directory.actOn({ userId: id, act: 'block', by, now: stage.clock.now() });
      };
      return { id, token, ask, send, block, uploads: uploaderAt(stage.url, token) };
    };
    const rowsOf = (userId: UserId) =>
      createPorts(stage.service.store).files.listFiles({ userId, before: undefined, most: 9, now: stage.clock.now() });
    const onDisk = (id: string) => globSync(`${stage.env.DATA_DIR}/files/**/${id}*`);

    describe('blocked while a request is under way', () => {
      let ann: Awaited<ReturnType<typeof newUser>>;
      let file: string;
      let thrown: string;
      before(async () => {
        ann = await newUser();
        [file, thrown] = [(await ann.send(9)).id, (await ann.send(9)).id];
        await ann.ask('DELETE', `/api/file/${thrown}`);
      });

      it('a body that arrives meanwhile makes no file, in one request or in several', async () => {
        const created = await ann.uploads.create(['Upload-Complete: ?0', text], 'abc');
        const path = created.headers.location ?? '';
        const plain = await ann.uploads.begin(`POST ${uploads}?purpose=document`, [text], 6, 'abc');
        const more = [partial, 'Upload-Offset: 3', 'Upload-Complete: ?1'];
        const last = await ann.uploads.begin(`PATCH ${path}`, more, 6, 'abc');
        await ann.block();
        for (const { socket, received } of [plain, last]) {
          socket.write('def');
          await waitUntil('an answer', () => received().includes('"codeError"'));
          assert.match(received(), /HTTP\/1.1 403 /);
          assert.match(received(), /USER_BLOCKED/);
        }
        assert.deepEqual(
          (await rowsOf(ann.id)).map(({ id }) => id),
          [file],
        );
        assert.equal((await ann.uploads.head(path)).status, 404, 'nothing of the upload stays');
        await waitUntil('its parts are gone', () => onDisk(String(path.split('/').at(-1))).length === 0);
      });

      it('nothing is begun, shared or restored any more', async () => {
        await ann.block();
        assert.equal((await ann.send(9)).outcome, '403 USER_BLOCKED');
        assert.equal((await ann.send(9 * kibibyte * kibibyte)).outcome, '403 USER_BLOCKED');
        assert.equal((await ann.uploads.create(['Upload-Complete: ?0', text], 'abc')).outcome, '403 USER_BLOCKED ?1');
        for (const [method, path, body] of [
          ['POST', `/api/file/${file}/links`, {}],
          ['PUT', `/api/file/${file}/readers`, { users: [] }],
          ['POST', `/api/file/${thrown}/restore`, undefined],
        ] as const)
          assert.equal((await ann.ask(method, path, body)).outcome, '403 USER_BLOCKED', path);
        assert.deepEqual((await ann.ask('GET', `/api/file/${file}/links`)).data.links, []);
      });

      it('the back end still stores a file for the user', async () => {
        await ann.block();
        const key = await createServiceKey(stage);
        assert.equal((await ann.send(9, { token: key, userId: ann.id })).outcome, '201');
      });
    });

    it('the oldest trash makes room for uploads, no more of it than needed, and apps are notified why', async () => {
      const ben = await newUser();
      const sizes = [200, 300, 400].map((size) => size * kibibyte);
      const files: string[] = [];
      for (const size of sizes) {
        const { outcome, id } = await ben.send(size);
        assert.equal(outcome, '201');
        files.push(id);
        stage.clock.advance(1);
        await ben.ask('DELETE', `/api/file/${id}`);
      }
      const quota = async () => (await ben.ask('GET', '/api/file/purposes')).data.quota;
      const trash = async () =>
        (await ben.ask('GET', '/api/file/trash')).data.files.map(({ id }: { id: string }) => id);
      assert.deepEqual(await quota(), {
        usedBytes: 900 * kibibyte,
        maxBytes: 1024 * kibibyte,
        usedFiles: 3,
        maxFiles: 4,
        trashBytes: 900 * kibibyte,
        trashFiles: 3,
        reservedBytes: 0,
        reservedFiles: 0,
      });
      // An upload in several requests reserves its room when it begins.
      const open = await ben.uploads.create(['Upload-Complete: ?0', text, `Upload-Length: ${300 * kibibyte}`], 'abc');
      assert.equal(open.status, 201);
      assert.deepEqual(await trash(), [files[2], files[1]]);
      const reserved = await quota();
      assert.deepEqual(
        [reserved.usedBytes, reserved.trashBytes, reserved.reservedBytes, reserved.reservedFiles],
        [700 * kibibyte, 700 * kibibyte, 300 * kibibyte, 1],
      );
      assert.equal(
        (await ben.send(800 * kibibyte)).outcome,
        '403 FILE_QUOTA_EXCEEDED',
        'all of the trash is not enough',
      );
      assert.deepEqual(await trash(), [files[2], files[1]], 'so none of it goes');
      assert.equal((await ben.send(100 * kibibyte)).outcome, '201');
      assert.deepEqual(await trash(), [files[2]]);
      for (const { id } of [await ben.send(9), await ben.send(9)]) assert.match(id, /^fil_/);
      assert.deepEqual(await trash(), [], 'the count is a quota too');
      assert.equal((await ben.send(9)).outcome, '403 FILE_QUOTA_EXCEEDED');
      const events = await createOperatorPorts(stage.service.store).audit.list({
        userId: ben.id,
        kind: 'file.deleted',
        since: 0,
        most: 9,
      });
      assert.deepEqual(
        events.map(({ detail }) => detail),
        files.toReversed().map((id) => ({ file: id, reason: 'room' })),
      );
      for (const id of files) await waitUntil('its bytes are gone', () => onDisk(id).length === 0);
    });
  });
