// The trash over HTTP: a deleted file is gone for everyone, counts, comes back byte for byte, and goes for good when its time is over.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { enter } from '../../../../helpers/people/users.ts';
import { call, newPhone } from '../../../../helpers/requests/api.ts';
import { storeFile } from '../../../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { pngFile } from '../../../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-trash-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const purposesFile = join(folder, 'purposes.json');
const purpose = { types: ['image/png'], maxBytes: 9999, readableBy: 'signed-in', variants: { thumb: '16' } };
writeFileSync(
  purposesFile,
  JSON.stringify([
    { ...purpose, name: 'picture', served: 'inline' },
    { ...purpose, name: 'pass', served: 'inline', keepFor: '90m' },
  ]),
);
const hour = 3600;

for (const kind of tierStoreKinds)
  describe(`the trash on ${kind}`, () => {
    const stage = setStage(
      kind,
      { PURPOSES_FILE: purposesFile, TRASH_LIFE: '1h' },
      { times: { loops: { fileSweepMilliseconds: 50 } } },
    );
    const phone = newPhone();
    let owner: string;
    let other: string;
    const enterBoth = async () => {
      owner = (await enter(stage.url, phone)).JWT;
      other = (await enter(stage.url)).JWT;
    };
    before(enterBoth);

    const send = (purpose = 'picture') =>
      storeFile(stage.url, { token: owner, purpose, name: 'a.png', type: 'image/png', bytes: pngFile() });
    const ask = async (method: string, path: string, token = owner) => {
      const { status, body } = await call(stage.url, method, path, { token });
      return { answer: `${status} ${body.codeError ?? ''}`.trim(), data: body.data };
    };
    const answerTo = async (method: string, path: string, token = owner) => (await ask(method, path, token)).answer;
    const trash = async () => (await ask('GET', '/api/file/trash')).data.files as { id: string }[];
    const quota = async () => {
      const { usedBytes, usedFiles, trashBytes, trashFiles } = (await ask('GET', '/api/file/purposes')).data.quota;
      return { usedBytes, usedFiles, trashBytes, trashFiles };
    };
    const blobsOf = (id: string) => globSync(`${stage.env.DATA_DIR}/files/**/${id}*`);
    /** Every way in which a file could still be seen. */
    const assertGone = async (id: string) => {
      for (const token of [owner, other])
        for (const path of [`/api/file/${id}`, `/file/${id}`, `/file/${id}?variant=thumb`])
          assert.equal(await answerTo('GET', path, token), '404 FILE_NOT_FOUND', path);
      const { files } = (await ask('GET', '/api/file')).data;
      assert.ok(!files.some((file: { id: string }) => file.id === id));
    };

    it('a deleted file is gone for everyone, still counts, and is restored byte for byte', async () => {
      const file = await send();
      const used = { usedBytes: file.size, usedFiles: 1 };
      assert.equal((await fetch(`${stage.url}/file/${file.id}?variant=thumb`, auth(other))).status, 200);
      assert.equal(await answerTo('DELETE', `/api/file/${file.id}`, other), '404 FILE_NOT_FOUND');
      assert.equal(await answerTo('DELETE', `/api/file/${file.id}`), '200');
      assert.equal(await answerTo('DELETE', `/api/file/${file.id}`), '404 FILE_NOT_FOUND');
      await assertGone(file.id);
      assert.deepEqual(await quota(), { ...used, trashBytes: file.size, trashFiles: 1 });
      const now = stage.clock.now();
      const times = { deletedAt: new Date(now).toISOString(), removedAt: new Date(now + hour * 1000).toISOString() };
      assert.deepEqual(await trash(), [{ ...file, ...times }]);
      const path = `/api/file/${file.id}/restore`;
      assert.equal(await answerTo('POST', path, other), '404 FILE_NOT_FOUND');
      assert.equal(await answerTo('POST', '/api/file/nonsense/restore'), '404 FILE_NOT_FOUND');
      assert.deepEqual(await ask('POST', path), { answer: '200', data: file });
      assert.equal(await answerTo('POST', path), '200', 'a repeated request changes nothing');
      for (const token of [owner, other]) {
        const bytes = Buffer.from(await (await fetch(`${stage.url}/file/${file.id}`, auth(token))).arrayBuffer());
        assert.equal(hash('sha256', bytes), file.sha256);
      }
      assert.deepEqual(await quota(), { ...used, trashBytes: 0, trashFiles: 0 });
      assert.deepEqual(await trash(), []);
    });

    const auth = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

    it('restoring a file that is not in the trash changes nothing, and does not say that it was restored', async () => {
      const file = await send();
      const { status, body } = await call(stage.url, 'POST', `/api/file/${file.id}/restore`, { token: owner });
      assert.deepEqual([status, body.message, body.data], [200, 'The file is among your files.', file]);
      assert.equal(await answerTo('DELETE', `/api/file/${file.id}`), '200');
      assert.equal(await answerTo('DELETE', `/api/file/trash/${file.id}`), '200');
    });

    it('a file that is removed from the trash, alone or with all others, is gone for good with its bytes', async () => {
      const before = await quota();
      const files = [await send(), await send(), await send()];
      for (const { id } of files) await answerTo('DELETE', `/api/file/${id}`);
      const [one] = files;
      assert.equal(await answerTo('DELETE', `/api/file/trash/${one.id}`, other), '404 FILE_NOT_FOUND');
      assert.equal(await answerTo('DELETE', `/api/file/trash/${one.id}`), '200');
      assert.equal(await answerTo('DELETE', `/api/file/trash/${one.id}`), '404 FILE_NOT_FOUND');
      assert.equal(await answerTo('POST', `/api/file/${one.id}/restore`), '404 FILE_NOT_FOUND');
      assert.deepEqual(blobsOf(one.id), []);
      const first = await ask('GET', '/api/file/trash?limit=1');
      const next = await ask('GET', `/api/file/trash?limit=1&cursor=${first.data.next}`);
      assert.deepEqual(
        new Set([first.data.files[0].id, next.data.files[0].id]),
        new Set((await trash()).map(({ id }) => id)),
      );
      assert.equal(next.data.next, null);
      assert.equal(await answerTo('GET', '/api/file/trash?cursor=junk'), '400 REQUEST_INVALID');
      assert.equal(await answerTo('DELETE', '/api/file/trash', other), '200');
      assert.equal((await trash()).length, 2);
      assert.equal(await answerTo('DELETE', '/api/file/trash'), '200');
      for (const { id } of files) assert.deepEqual(blobsOf(id), []);
      assert.deepEqual([await trash(), await quota()], [[], before]);
    });

    it('a file goes by itself when its time in the trash, or that of its purpose, is over', async () => {
      const before = await quota();
      const [thrown, pass] = [await send(), await send('pass')];
      const end = new Date(stage.clock.now() + 1.5 * hour * 1000).toISOString();
      assert.equal(pass.keepUntil, end);
      assert.equal((await ask('GET', `/api/file/${pass.id}`)).data.keepUntil, end);
      await answerTo('DELETE', `/api/file/${thrown.id}`);
      stage.clock.advance(hour);
      await enterBoth();
      assert.deepEqual(await trash(), []);
      assert.equal(await answerTo('POST', `/api/file/${thrown.id}/restore`), '404 FILE_NOT_FOUND');
      await waitUntil('the removal of the trash', async () => blobsOf(thrown.id).length === 0 || undefined);
      assert.equal(await answerTo('GET', `/api/file/${pass.id}`), '200');
      stage.clock.advance(hour / 2);
      await enterBoth();
      await assertGone(pass.id);
      await waitUntil('the removal of the pass', async () => blobsOf(pass.id).length === 0 || undefined);
      assert.deepEqual(await quota(), before);
    });

    it('without a trash a file is removed at once, and what is in the trash keeps its end', async () => {
      const thrown = await send();
      await answerTo('DELETE', `/api/file/${thrown.id}`);
      await stage.restart({ TRASH_LIFE: '0' });
      assert.equal((await ask('GET', '/api/file/purposes')).data.trashSeconds, 0);
      const file = await send();
      assert.equal(await answerTo('DELETE', `/api/file/${file.id}`), '200');
      assert.deepEqual(blobsOf(file.id), []);
      assert.deepEqual(
        (await trash()).map(({ id }) => id),
        [thrown.id],
      );
      assert.equal(await answerTo('POST', `/api/file/${thrown.id}/restore`), '200');
    });
  });
