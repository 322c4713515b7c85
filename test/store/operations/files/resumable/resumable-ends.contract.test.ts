// Contract of ResumableStore, the end of uploads: refused, cancelled, expired, swept, or gone with their user.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NewUpload } from '../../../../../src/files/resumable/resumable-upload.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { asUploadId } from '../../../../helpers/people/ids.ts';
import { newUser, reservation, store } from '../../../../helpers/store/file-fixtures.ts';
import { day, hour, noon } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { creation, uploadSettlement } from '../../../../helpers/store/upload-fixtures.ts';

onEveryStore('the end of uploads in several requests', (open) => {
  const uploads = () => open().ports.resumables;
  const files = () => open().ports.files;
  const create = async (changes: Partial<NewUpload> = {}) => {
    const upload = creation(changes.userId ?? (await newUser(open().ports, noon)), changes);
    assert.deepEqual(await uploads().create(upload), { kind: 'created' });
    const parts = [{ id: newId(), firstByte: 0, bytes: 100 }];
    const { id: uploadId, userId, writer, quota, expiresAt, now } = upload;
    const bytes = { uploadId, userId, writer, quota, expiresAt, now, parts, received: 100, length: 100 };
    assert.equal(await uploads().advance(bytes), 'advanced');
    return upload;
  };
  const of = ({ id, userId }: NewUpload, now = noon) => ({ uploadId: id, userId, now });
  const look = async (upload: NewUpload, now?: number) =>
    (await uploads().take({ ...of(upload, now), writer: undefined, offset: undefined })).kind;
  const left = async ({ id }: NewUpload) => [
    (await open().rows('uploads')).filter((row) => row.id === id).length,
    (await open().rows('resumables')).filter((row) => row.id === id).length,
    (await open().rows('upload_parts')).filter((row) => row.upload_id === id).length,
  ];
  const ended = async (now: number, upload: NewUpload) =>
    (await uploads().listEnded({ now, most: 1000 })).filter((id) => id === upload.id).length;
  const forget = ({ id }: NewUpload, now: number) => uploads().forgetParts({ uploadId: id, now });

  it('an infected upload is forgotten, with its reservation and its parts', async () => {
    const upload = await create();
    const found = { purpose: 'image', size: 7, sha256: 'ab', signature: 'X' };
    assert.equal(await files().refuseInfected({ ...of(upload), ...found }), 'refused');
    assert.deepEqual(await left(upload), [0, 0, 0]);
    const stored = await create();
    await files().settle(uploadSettlement(stored));
    assert.equal(await files().refuseInfected({ ...of(stored), ...found }), 'refused');
    assert.equal(await look(stored), 'stored');
  });

  it('a settlement that is refused forgets the upload, and one with a fulfilled key leads to its file', async () => {
    const full = await create();
    const wide = uploadSettlement(full, { quota: { bytes: 99, files: 9 } });
    assert.deepEqual(await files().settle(wide), { kind: 'full' });
    assert.deepEqual(await left(full), [0, 0, 0]);
    for (const isSame of [true, false]) {
      const keyId = newId();
      const upload = await create({ keyId, expiresAt: noon + hour });
      await uploads().take({ ...of(upload), writer: undefined, offset: undefined });
      await open().query(`delete from uploads where id = '${upload.id}'`);
      const file = await store(open().ports, upload.userId, noon, { reservation: { keyId } });
      const settled = uploadSettlement(upload);
      const key = settled.key && { ...settled.key, fingerprint: isSame ? settled.key.fingerprint : 'other bytes' };
      const outcome = await files().settle({ ...settled, key });
      assert.equal(outcome.kind === 'known' && outcome.file.id, file.id);
      assert.equal(await look(upload), isSame ? 'stored' : 'unknown');
    }
  });

  it('an upload is ended by its holder alone, because of its content', async () => {
    const upload = await create();
    assert.equal(await uploads().cancel({ ...of(upload), holder: 'older' }), 'lost');
    assert.equal(await uploads().cancel({ ...of(upload), holder: 'writer' }), 'cancelled');
    assert.deepEqual(await left(upload), [0, 0, 0]);
    assert.equal(await uploads().cancel(of(upload)), 'unknown');
  });

  it('an expired upload frees its space at that moment, is swept, and is remembered for a day', async () => {
    const quota = { bytes: 100, files: 9 };
    const upload = await create({ quota });
    const end = noon + day;
    const reserve = async (now: number) =>
      (await files().reserve(reservation(upload.userId, now, { quota, leaseUntil: now }))).kind;
    assert.equal(await reserve(end - 1), 'full');
    assert.equal(await reserve(end), 'reserved');
    assert.equal(await ended(end - 1, upload), 0);
    assert.equal(await look(upload, end - 1), 'taken');
    assert.equal(await ended(end, upload), 1);
    assert.equal(await look(upload, end - 1), 'expired', 'a caller with an older clock cannot bring it back');
    assert.equal(await ended(end + hour - 1, upload), 0, 'its sweep is under way');
    assert.equal(await ended(end + hour, upload), 1, 'its sweep did not succeed');
    await forget(upload, end + hour);
    assert.deepEqual((await left(upload)).slice(1), [1, 0]);
    assert.equal(await look(upload, end + day - 1), 'expired');
    assert.equal(await ended(end + day - 1, upload), 0);
    assert.equal(await ended(end + day, upload), 1, 'once more, for bytes that came late');
    await forget(upload, end + day);
    assert.equal(await look(upload, end + day), 'unknown');
  });

  it('a stored upload is swept at once, and its answer is remembered for a day', async () => {
    const upload = await create();
    await files().settle(uploadSettlement(upload));
    assert.equal(await ended(noon, upload), 1);
    await forget(upload, noon);
    assert.deepEqual(await left(upload), [0, 1, 0]);
    assert.equal(await look(upload, noon + day - 1), 'stored');
    assert.equal(await ended(noon + day, upload), 1);
    await forget(upload, noon + day);
    assert.deepEqual(await left(upload), [0, 0, 0]);
  });

  it('parts of an open upload are not forgotten, and a sweep lists a bounded number', async () => {
    const [upload, other] = [await create(), await create()];
    await forget(upload, noon + 9 * day);
    assert.deepEqual(await left(upload), [1, 1, 1]);
    const known = await uploads().known([upload.id, asUploadId('upl_unknown'), other.id]);
    assert.deepEqual(known, [upload.id, other.id]);
    assert.equal((await uploads().listEnded({ now: noon + 9 * day, most: 1 })).length, 1);
  });

  it('a deleted user leaves no upload, reservation or part', async () => {
    const upload = await create({ keyId: newId() });
    const other = await create();
    await open().ports.users.deleteUser({ userId: upload.userId, now: noon });
    assert.deepEqual(await left(upload), [0, 0, 0]);
    assert.deepEqual(await left(other), [1, 1, 1]);
    assert.equal(await look(upload), 'unknown');
    assert.deepEqual(await files().settle(uploadSettlement(upload)), { kind: 'gone' });
    assert.deepEqual(await uploads().create(creation(upload.userId)), { kind: 'gone' });
  });
});
