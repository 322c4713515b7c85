// Links, readers and trash by the client: a link opens the file without a sign-in until it is revoked, and a deleted file comes back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSignedIn, openStage, type Stage } from '../helpers/client/stage.ts';

const file = new File(['name,age\nann,41\n'], 'users.csv', { type: 'text/csv' });

describe('sharing and trash of the client', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  /** PUBLIC_URL is not where the tests reach the service. */
  const open = async (url: string) =>
    (await fetch(new URL(new URL(url).pathname + new URL(url).search, stage.url))).status;

  it('the client creates, lists and revokes links', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const { id } = await gatehouse.files.upload(file, { purpose: 'document' });
    const { links } = gatehouse.files;
    const first = await links.create(id, { expiresIn: 3600 });
    const second = await links.create(id, { uses: 2 });
    assert.deepEqual([first.uses, second.uses], [null, 2]);
    assert.equal(await open(first.url), 200);
    assert.equal(await open(second.url), 200);
    const listed = await links.list(id);
    assert.deepEqual(new Map(listed.map((link) => [link.id, link.used])).get(second.id), 1);
    await links.revoke(id, first.id);
    assert.equal(await open(first.url), 404);
    assert.deepEqual(
      (await links.list(id)).map((link) => link.id),
      [second.id],
    );
    await links.revokeAll(id);
    assert.equal(await open(second.url), 404);
    assert.deepEqual(await links.list(id), []);
  });

  it('the client names the readers of a file, who can then read it', async () => {
    const ann = await createSignedIn(stage.url);
    const bob = await createSignedIn(stage.url);
    const { id } = await ann.gatehouse.files.upload(file, { purpose: 'document' });
    const bobId = (await bob.gatehouse.me()).id;
    await assert.rejects(bob.gatehouse.files.show(id), { code: 'FILE_NOT_FOUND' });
    assert.deepEqual(await ann.gatehouse.files.readers.set(id, [bobId, bobId]), [bobId]);
    assert.deepEqual(await ann.gatehouse.files.readers.get(id), [bobId]);
    assert.equal((await bob.gatehouse.files.show(id)).id, id);
  });

  it('the client restores a deleted file, removes one for good, and empties the trash', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const { trash } = gatehouse.files;
    const record = await gatehouse.files.upload(file, { purpose: 'document' });
    await gatehouse.files.delete(record.id);
    await assert.rejects(gatehouse.files.show(record.id), { code: 'FILE_NOT_FOUND' });
    const [deleted] = (await trash.list({ limit: 5 })).files;
    assert.ok(deleted && deleted.id === record.id && deleted.deletedAt < deleted.removedAt);
    assert.deepEqual(await trash.restore(record.id), record);
    await gatehouse.files.delete(record.id);
    await trash.remove(record.id);
    await assert.rejects(trash.restore(record.id), { code: 'FILE_NOT_FOUND' });
    const { id } = await gatehouse.files.upload(file, { purpose: 'document' });
    await gatehouse.files.delete(id);
    await trash.empty();
    assert.deepEqual((await trash.list()).files, []);
  });

  it('the client finds an upload that nobody goes on with, and cancels it', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const { openUploads } = gatehouse.files;
    const begin = { method: 'POST', headers: { 'upload-complete': '?0', 'upload-length': '9' } };
    await gatehouse.fetch(`${stage.url}/api/file/upload?purpose=document&name=lost.csv`, begin);
    const [lost] = (await openUploads.list({ limit: 5 })).uploads;
    assert.deepEqual([lost?.name, lost?.purpose, lost?.length, lost?.offset], ['lost.csv', 'document', 9, 0]);
    await openUploads.cancel(lost?.id ?? '');
    assert.deepEqual(await openUploads.list(), { uploads: [], next: null });
    await assert.rejects(openUploads.cancel(lost?.id ?? ''), { code: 'UPLOAD_NOT_FOUND' });
  });
});
