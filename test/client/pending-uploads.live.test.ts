// Uploads that a reload has cut off: who sees them, what they need, and that they go on where they were.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isSameFile, markOf } from '../../client/src/mark-file.ts';
import { listPendingUploads } from '../../client/src/pending-uploads.ts';
import { rememberedBytes } from '../../client/src/remember-upload.ts';
import { uploadFile } from '../../client/src/upload-file.ts';
import { createUploadMemory, type FileHandle, type UploadMemory } from '../../client/src/upload-memory.ts';
import type { UploadOptions } from '../../client/src/upload-options.ts';
import { startUploadDouble } from '../helpers/client/upload-double.ts';
import { sha256Of, someBytes, uploadParts } from '../helpers/client/upload-parts.ts';

const mebibyte = 2 ** 20;
const file = someBytes(3.5 * mebibyte);
const whole = await sha256Of(file);

/** A page that sends two slices and is closed while it waits for the third: its promises never settle. */
async function openClosedPage(t: TestContext, options: Partial<UploadOptions> = {}, memory = createUploadMemory()) {
  let isClosed = false;
  const double = await startUploadDouble((line, number) => {
    if (line !== 'PATCH ?0' || number !== 3 || isClosed) return undefined;
    return { cutAfter: 400_000 };
  });
  t.after(double.close);
  const sent: number[] = [];
  await new Promise<void>((resolve) => {
    const never = () => new Promise<void>(() => resolve());
    const page = uploadParts(double.url, { memory, wait: never });
    const onProgress: UploadOptions['onProgress'] = ({ sentBytes }) => sent.push(sentBytes);
    void page.then(({ parts }) =>
      uploadFile(parts, file, { purpose: 'video', resumable: true, onProgress, ...options }),
    );
  });
  isClosed = true;
  return { double, memory, sent };
}

/** A memory that keeps no bytes, as for a large file without a handle. */
function withoutSources(memory: UploadMemory): UploadMemory {
  return { ...memory, saveSource: async () => undefined };
}

describe('uploads that a reload has cut off', () => {
  it('the next page lists the upload, and goes on with the bytes at hand where the service is', async (t) => {
    const { double, memory, sent } = await openClosedPage(t);
    const { parts } = await uploadParts(double.url, { memory });
    const [pending, ...others] = await listPendingUploads(parts);
    assert.ok(pending);
    assert.deepEqual(others, []);
    const { purpose, name, type, size, needs, canResume } = pending;
    assert.deepEqual([purpose, name, type, size], ['video', 'film.mp4', 'video/mp4', file.size]);
    assert.deepEqual([needs, canResume], ['nothing', true]);
    assert.ok(pending.sentBytes > 0);
    const before = double.seen.length;
    const onProgress: UploadOptions['onProgress'] = ({ sentBytes }) => sent.push(sentBytes);
    assert.equal((await pending.resume(undefined, { onProgress })).sha256, whole);
    assert.equal(double.lines()[before], 'GET');
    assert.equal(double.seen[before + 1]?.headers['upload-offset'], String(2 * mebibyte + 400_000));
    assert.deepEqual(
      sent,
      sent.toSorted((one, other) => one - other),
      'progress never goes backwards',
    );
    assert.deepEqual(await listPendingUploads(parts), []);
    assert.deepEqual(double.files, [whole]);
  });

  it('the next page without the bytes goes on when the same file is chosen again, and with no other', async (t) => {
    const { double, memory } = await openClosedPage(t, {}, withoutSources(createUploadMemory()));
    const { parts } = await uploadParts(double.url, { memory });
    const [pending] = await listPendingUploads(parts);
    assert.ok(pending);
    assert.deepEqual([pending.needs, pending.canResume], ['file', false]);
    await assert.rejects(pending.resume(), { code: 'FILE_NOT_SAME' });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { lastModified } = file;
    const changed = new Uint8Array(bytes);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) + 1;
    for (const other of [
      new File([bytes], 'other.mp4', { lastModified }),
      new File([bytes], 'film.mp4', { lastModified: lastModified + 1 }),
      new File([changed], 'film.mp4', { lastModified }),
      new File([bytes.subarray(1)], 'film.mp4', { lastModified }),
    ])
      await assert.rejects(pending.resume(other), { code: 'FILE_NOT_SAME' });
    const same = new File([bytes], 'film.mp4', { type: 'video/mp4', lastModified });
    assert.equal(await pending.matches(same), true);
    assert.equal((await pending.resume(same)).sha256, whole);
    assert.deepEqual(double.files, [whole]);
  });

  it('the handle of a file is remembered instead of its bytes, and its permission is asked for', async (t) => {
    let permission = 'prompt';
    const handle: FileHandle = {
      getFile: async () => (permission === 'granted' ? file : assert.fail('not allowed')),
      queryPermission: async () => permission,
      requestPermission: async () => {
        permission = 'granted';
        return permission;
      },
    };
    const { double, memory } = await openClosedPage(t, { handle });
    const { parts } = await uploadParts(double.url, { memory });
    const [pending] = await listPendingUploads(parts);
    assert.deepEqual([pending?.needs, pending?.canResume], ['permission', false]);
    assert.equal((await pending?.resume())?.sha256, whole);
  });

  it('another user sees no upload and sends no byte of it, and a sign-out forgets all', async (t) => {
    const { double, memory } = await openClosedPage(t);
    const { parts, signIn, signOut } = await uploadParts(double.url, { memory });
    const [pending] = await listPendingUploads(parts);
    await signIn('bob');
    assert.deepEqual(await listPendingUploads(parts), []);
    const before = double.seen.length;
    await assert.rejects(async () => pending?.resume(), { code: 'REFRESH_TOKEN_MISSING', status: 401 });
    assert.equal(double.seen.length, before);
    assert.equal((await memory.list()).length, 1);
    await signOut();
    assert.deepEqual(await memory.list(), []);
  });

  it('a sign-out ends a running upload, and nothing of it is remembered', async (t) => {
    const double = await startUploadDouble();
    t.after(double.close);
    const { parts, memory, signOut } = await uploadParts(double.url);
    double.onRequest(({ line }) => void (line === 'PATCH ?0' && double.count(line) === 2 && signOut()));
    await assert.rejects(uploadFile(parts, file, { purpose: 'video', resumable: true }), { status: 401 });
    assert.deepEqual(await memory.list(), []);
    assert.deepEqual(double.files, []);
  });

  it('a pending upload is cancelled at the service and forgotten, and a running one is not pending', async (t) => {
    const { double, memory } = await openClosedPage(t);
    const { parts } = await uploadParts(double.url, { memory });
    const [pending] = await listPendingUploads(parts);
    const deleted = new Promise<void>((resolve) => double.onRequest(({ line }) => line === 'DELETE' && resolve()));
    await pending?.cancel();
    await deleted;
    assert.deepEqual(await listPendingUploads(parts), []);
    const seen: number[] = [];
    const onState = async () => void seen.push((await listPendingUploads(parts)).length);
    await uploadFile(parts, file, { purpose: 'video', resumable: true, onState });
    assert.deepEqual(new Set(seen), new Set([0]));
  });

  it('an upload goes on if the memory fails, and one that is a week old is forgotten', async (t) => {
    const double = await startUploadDouble();
    t.after(double.close);
    const fail = () => Promise.reject(new Error('the browser allows no storage'));
    const broken = { list: fail, save: fail, saveSource: fail, source: fail, remove: fail, clear: fail };
    const page = await uploadParts(double.url, { memory: broken });
    assert.equal((await uploadFile(page.parts, file, { purpose: 'video', resumable: true })).sha256, whole);
    assert.deepEqual(await listPendingUploads(page.parts), []);
    const { memory } = await openClosedPage(t);
    const [upload] = await memory.list();
    assert.ok(upload);
    await memory.save({ ...upload, startedAt: Date.now() - 8 * 86_400_000 });
    const { parts } = await uploadParts(double.url, { memory });
    assert.deepEqual(await listPendingUploads(parts), []);
    assert.deepEqual(await memory.list(), []);
  });

  it('the bytes of a file of more than 64 MiB are not copied', async (t) => {
    const double = await startUploadDouble((line) =>
      line === 'POST' ? { status: 403, code: 'FILE_QUOTA_EXCEEDED' } : undefined,
    );
    t.after(double.close);
    const kept: number[] = [];
    const memory: UploadMemory = {
      ...createUploadMemory(),
      saveSource: async (_, source) => void kept.push('size' in source ? source.size : 0),
    };
    const { parts } = await uploadParts(double.url, { memory });
    const part = new Uint8Array(rememberedBytes);
    for (const bytes of [[part], [part, 'x']])
      await assert.rejects(uploadFile(parts, new Blob(bytes), { purpose: 'video', resumable: true }), { status: 403 });
    assert.deepEqual(kept, [rememberedBytes]);
  });
});

describe('the mark of a file', () => {
  it('the mark tells files apart whose first or last bytes differ, and is the same for the same bytes', async () => {
    const bytes = new Uint8Array(300_000);
    const mark = await markOf(new Blob([bytes]));
    assert.equal(await markOf(new Blob([bytes.slice()])), mark);
    for (const at of [0, 65_535, 300_000 - 65_536, 299_999]) {
      const other = bytes.slice();
      other[at] = 1;
      assert.notEqual(await markOf(new Blob([other])), mark);
    }
    const upload = { fileName: undefined, size: 300_000, lastModified: undefined, mark };
    assert.equal(await isSameFile(upload, new File([bytes], 'any')), true);
  });
});
