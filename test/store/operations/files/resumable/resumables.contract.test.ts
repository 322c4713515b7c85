// Contract of ResumableStore: durable offsets, one writer, one finisher, one file, and a quota that counts every open upload.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UploadPartInfo } from '../../../../../src/files/resumable/part-store.ts';
import { mostPartsOf, type NewUpload } from '../../../../../src/files/resumable/resumable-upload.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { newUser, reservation, store } from '../../../../helpers/store/file-fixtures.ts';
import { day, hour, minute, noon } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { creation, uploadSettlement } from '../../../../helpers/store/upload-fixtures.ts';

onEveryStore('uploads in several requests', (open) => {
  const uploads = () => open().ports.resumables;
  const files = () => open().ports.files;
  const user = () => newUser(open().ports, noon);
  const create = async (changes: Partial<NewUpload> = {}) => {
    const upload = creation(changes.userId ?? (await user()), changes);
    assert.deepEqual(await uploads().create(upload), { kind: 'created' });
    return upload;
  };
  const of = ({ id, userId }: NewUpload, now = noon) => ({ uploadId: id, userId, now });
  const look = (upload: NewUpload, now?: number) =>
    uploads().take({ ...of(upload, now), writer: undefined, offset: undefined });
  const part = (firstByte: number, bytes: number, id = newId()): UploadPartInfo => ({ id, firstByte, bytes });
  const advance = (upload: NewUpload, received: number, parts: readonly UploadPartInfo[], changes = {}) => {
    const { writer, quota } = upload;
    const rest = { length: undefined, expiresAt: noon + day, ...changes };
    return uploads().advance({ ...of(upload), writer, quota, parts, received, ...rest });
  };
  const finish = (upload: NewUpload, finisher = 'finisher', now = noon, length = 100) =>
    uploads().beginFinish({ ...of(upload, now), finisher, finishUntil: now + minute, length });
  const createWhole = async (changes: Partial<NewUpload> = {}) => {
    const upload = await create(changes);
    assert.equal(await advance(upload, 100, [part(0, 100)]), 'advanced');
    return upload;
  };
  const rowsOf = async ({ id }: NewUpload) => ({
    uploads: (await open().rows('uploads')).filter((row) => row.id === id),
    resumables: (await open().rows('resumables')).filter((row) => row.id === id),
    parts: (await open().rows('upload_parts')).filter((row) => row.upload_id === id),
  });
  const nothing = { uploads: [], resumables: [], parts: [] };

  it('an upload reads back as it was created, and moves with its durable bytes', async () => {
    const upload = await create({ keyId: newId(), digest: 'AAAA' });
    const { quota: _quota, now, ...kept } = upload;
    const found = await look(upload);
    const state = { received: 0, parts: 0, writer: undefined, finisher: undefined, finishUntil: undefined };
    const end = { fileId: undefined, createdAt: now, endedAt: undefined };
    assert.deepEqual(found, { kind: 'taken', upload: { ...kept, ...state, ...end } });
    const again = await uploads().take({ ...of(upload), writer: 'writer', offset: 0 });
    assert.equal(again.kind, 'taken');
    const [first, second] = [part(0, 30), part(60, 40)];
    assert.equal(await advance(upload, 30, [first]), 'advanced');
    assert.equal(await advance(upload, 60, [{ ...first, bytes: 60 }]), 'advanced');
    assert.equal(await advance(upload, 100, [second], { expiresAt: noon + 2 * day }), 'advanced');
    const begun = await finish(upload);
    assert.ok(begun.kind === 'begun');
    assert.deepEqual(begun.parts, [{ ...first, bytes: 60 }, second]);
    assert.deepEqual([begun.upload.received, begun.upload.parts, begun.upload.expiresAt], [100, 2, noon + 2 * day]);
    assert.deepEqual(
      (await rowsOf(upload)).uploads.map(({ bytes, sweep_at }) => [bytes, sweep_at]),
      [[100, noon + 2 * day]],
    );
  });

  it('an unknown upload and one of another user are the same', async () => {
    const foreign = { ...(await create()), userId: await user() };
    for (const upload of [foreign, creation(await user())]) {
      assert.deepEqual(await look(upload), { kind: 'unknown' });
      assert.deepEqual(await finish(upload), { kind: 'unknown' });
      assert.equal(await advance(upload, 10, [part(0, 10)]), 'lost');
      assert.equal(await uploads().cancel(of(upload)), 'unknown');
    }
  });

  it('an older request can no longer move the offset after a newer one has come, or has asked for it', async () => {
    const upload = await create();
    assert.equal((await uploads().take({ ...of(upload), writer: 'newer', offset: 0 })).kind, 'taken');
    assert.equal(await advance(upload, 10, [part(0, 10)]), 'lost');
    assert.equal(await advance({ ...upload, writer: 'newer' }, 10, [part(0, 10)]), 'advanced');
    const wrong = await uploads().take({ ...of(upload), writer: 'third', offset: 0 });
    assert.deepEqual(wrong, { kind: 'wrong offset', received: 10 });
    for (const writer of ['newer', 'third'])
      assert.equal(await advance({ ...upload, writer }, 20, [part(10, 10)]), 'lost');
    assert.equal((await rowsOf(upload)).parts.length, 1);
  });

  it('an upload of unknown length is counted as it grows, and stops at the quota', async () => {
    const quota = { bytes: 100, files: 3 };
    const userId = await user();
    const upload = await create({ userId, quota, length: undefined });
    assert.equal(await advance(upload, 70, [part(0, 70)]), 'advanced');
    assert.equal((await files().reserve(reservation(userId, noon, { bytes: 31, quota }))).kind, 'full');
    assert.equal((await files().reserve(reservation(userId, noon, { bytes: 20, quota }))).kind, 'reserved');
    assert.equal(await advance(upload, 81, [part(70, 11)]), 'full');
    assert.equal(await advance(upload, 80, [part(70, 10)], { length: 81 }), 'full');
    assert.equal(await advance(upload, 80, [part(70, 10)], { length: 80 }), 'advanced');
    assert.deepEqual((await uploads().create(creation(userId, { quota, length: 1 }))).kind, 'full');
    assert.deepEqual(
      (await rowsOf(upload)).parts.map((row) => row.bytes).toSorted((a, b) => Number(a) - Number(b)),
      [10, 70],
    );
  });

  it('an upload of few bytes has at most a thousand parts', async () => {
    const upload = await create({ quota: { bytes: 2 ** 30, files: 3 } });
    await open().query(`update resumables set parts = ${mostPartsOf(3) - 1} where id = '${upload.id}'`);
    const last = part(0, 1);
    assert.equal(await advance(upload, 2, [last, part(1, 1)]), 'too many parts');
    assert.equal(await advance(upload, 1, [last]), 'advanced');
    assert.equal(await advance(upload, 2, [{ ...last, bytes: 2 }]), 'advanced', 'a part that grows is not a new one');
    assert.equal(await advance(upload, 3, [part(2, 1)]), 'too many parts');
  });

  it('plain uploads and these share quota and keys', async () => {
    const userId = await user();
    const quota = { bytes: 100, files: 9 };
    const keyId = newId();
    const upload = await create({ userId, quota, keyId, length: 60 });
    assert.equal((await files().reserve(reservation(userId, noon, { quota, bytes: 41 }))).kind, 'full');
    assert.equal((await files().reserve(reservation(userId, noon, { keyId }))).kind, 'in progress');
    const plain = reservation(userId, noon, { quota, bytes: 40, keyId: newId() });
    assert.equal((await files().reserve(plain)).kind, 'reserved');
    assert.deepEqual(await uploads().create(creation(userId, { keyId: plain.keyId })), {
      kind: 'in progress',
      until: plain.leaseUntil,
    });
    assert.deepEqual(await uploads().create(creation(userId, { quota, length: 1 })), { kind: 'full' });
    assert.equal(await uploads().cancel(of(upload)), 'cancelled');
    assert.deepEqual(await rowsOf(upload), nothing);
    assert.equal((await files().reserve(reservation(userId, noon, { quota, bytes: 60, keyId }))).kind, 'reserved');
  });

  it('a creation with the key of an open upload takes that upload, and makes no other', async () => {
    const upload = await create({ keyId: newId() });
    const { userId, keyId } = upload;
    const again = await uploads().create(creation(userId, { keyId, writer: 'again' }));
    assert.ok(again.kind === 'open');
    assert.deepEqual([again.upload.id, again.upload.writer], [upload.id, 'again']);
    assert.equal(await advance(upload, 10, [part(0, 10)]), 'lost');
    assert.deepEqual(await uploads().create(creation(userId, { keyId, length: 99 })), { kind: 'key reused' });
    const two = ['one', 'two'].map((writer) => uploads().create(creation(userId, { keyId: 'fresh key', writer })));
    assert.deepEqual(
      (await Promise.all(two)).map(({ kind }) => kind),
      ['created', 'open'],
    );
    assert.equal((await open().rows('uploads')).filter((row) => row.user_id === userId).length, 2);
  });

  it('a creation with a used key and the digest of its bytes is answered with its file', async () => {
    const userId = await user();
    const keyId = newId();
    const file = await store(open().ports, userId, noon, { reservation: { keyId } });
    await open().query(`update idempotency_keys set fingerprint = 'abcd' where id = '${keyId}'`);
    const digest = Buffer.from('abcd', 'hex').toString('base64');
    const known = await uploads().create(creation(userId, { keyId, digest }));
    assert.deepEqual(known, { kind: 'known', fingerprint: 'abcd', file });
    assert.deepEqual(await uploads().create(creation(userId, { keyId })), { kind: 'created' });
  });

  it('one caller at a time finishes, and after its lease another one', async () => {
    const upload = await createWhole();
    assert.equal((await finish(upload)).kind, 'begun');
    assert.equal((await finish(upload, 'other')).kind, 'finishing');
    assert.equal((await look(upload)).kind, 'finishing');
    assert.equal(await uploads().cancel(of(upload)), 'finishing');
    const lease = { uploadId: upload.id, finisher: 'finisher', finishUntil: noon + 2 * minute };
    assert.equal(await uploads().holdFinish(lease), true);
    assert.equal(await uploads().holdFinish({ ...lease, finisher: 'other' }), false);
    assert.equal((await finish(upload, 'other', noon + 2 * minute - 1)).kind, 'finishing');
    assert.equal((await finish(upload, 'other', noon + 2 * minute)).kind, 'begun');
    assert.equal(await uploads().holdFinish(lease), false);
    await uploads().leaveFinish({ uploadId: upload.id, finisher: 'finisher' });
    assert.equal((await look(upload, noon + 2 * minute)).kind, 'finishing');
    await uploads().leaveFinish({ uploadId: upload.id, finisher: 'other' });
    assert.equal((await look(upload, noon + 2 * minute)).kind, 'taken');
  });

  it('an upload lives, and its space is reserved, while its file is being stored', async () => {
    const upload = await createWhole({ quota: { bytes: 100, files: 9 } });
    const late = noon + day - 1;
    assert.equal((await finish(upload, 'finisher', late)).kind, 'begun');
    const lease = { uploadId: upload.id, finisher: 'finisher', finishUntil: late + hour };
    assert.equal(await uploads().holdFinish(lease), true);
    const one = reservation(upload.userId, late + hour - 1, { bytes: 1, quota: upload.quota });
    assert.equal((await files().reserve(one)).kind, 'full');
    const settled = uploadSettlement(upload, { now: late + hour - 1 });
    assert.deepEqual(await files().settle(settled), { kind: 'stored' });
  });

  it('a settlement ends the upload in the same commit, and a second one answers the same file', async () => {
    const upload = await createWhole({ keyId: newId() });
    await finish(upload);
    const [first, second] = [uploadSettlement(upload), uploadSettlement(upload)];
    assert.deepEqual(await files().settle(first), { kind: 'stored' });
    assert.deepEqual(await files().settle(second), { kind: 'stored before', file: first.file });
    assert.deepEqual(await files().usage(upload.userId), { bytes: 100, files: 1 });
    const found = await finish(upload, 'other');
    assert.ok(found.kind === 'stored');
    assert.deepEqual([found.file, found.upload.endedAt], [first.file, noon]);
    assert.equal(await uploads().cancel(of(upload)), 'stored');
    assert.deepEqual((await rowsOf(upload)).uploads, []);
    await files().deleteFile({ userId: upload.userId, id: first.file.id, now: noon });
    assert.deepEqual(await files().settle(second), { kind: 'ended' });
    const left = await look(upload);
    assert.deepEqual(left.kind === 'stored' && left.file, undefined);
  });

  it('two settlements of one turn store one file', async () => {
    const upload = await createWhole();
    const both = await Promise.all([1, 2].map(() => files().settle(uploadSettlement(upload))));
    assert.deepEqual(
      both.map(({ kind }) => kind),
      ['stored', 'stored before'],
    );
  });

  it('a settlement of a cancelled or expired upload stores nothing', async () => {
    const [cancelled, expired] = [await createWhole(), await createWhole()];
    assert.equal(await uploads().cancel(of(cancelled)), 'cancelled');
    assert.deepEqual(await files().settle(uploadSettlement(cancelled)), { kind: 'ended' });
    assert.deepEqual(await look(expired, noon + day), { kind: 'expired' });
    assert.deepEqual(await files().settle(uploadSettlement(expired)), { kind: 'ended' }, 'even by an older clock');
    for (const { userId } of [cancelled, expired]) assert.equal((await files().usage(userId)).files, 0);
  });
});
