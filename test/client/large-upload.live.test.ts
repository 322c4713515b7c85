// Large uploads by the client to the real service: in several requests, over cuts and lost answers, with one file in the end.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createUploadControl, createUploadMemory, memoryStorage } from '../../client/src/create-gatehouse.ts';
import { createClient, createSignedIn, openStage, type Stage } from '../helpers/client/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const mebibyte = 2 ** 20;
const lines = Array.from({ length: 250_000 }, (_, number) => `${number},${'x'.repeat(40 + (number % 7))}\n`).join('');
const file = new File([lines], 'table.csv', { type: 'text/csv', lastModified: 1_700_000_000_000 });
const whole = createHash('sha256').update(lines).digest('hex');
const options = { purpose: 'document' } as const;
const patch = /^PATCH \/api\/file\/upload\/upl_/;

describe('large uploads to the service', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client sends a file of more than 8 MiB in several requests', async () => {
    const { gatehouse, lines: seen } = await createSignedIn(stage.url);
    const states: string[] = [];
    const record = await gatehouse.files.upload(file, { ...options, onState: (state) => states.push(state) });
    assert.deepEqual([record.sha256, record.size, record.name], [whole, file.size, 'table.csv']);
    assert.deepEqual(seen.filter((line) => patch.test(line)).length, Math.ceil(file.size / (8 * mebibyte)));
    assert.deepEqual(states, ['sending', 'finishing']);
    assert.deepEqual((await gatehouse.files.list()).files, [record]);
    assert.deepEqual(await gatehouse.files.pendingUploads(), []);
  });

  it('the client makes one file when the answers to creation, slices and the end are lost', async () => {
    const lost = new Set<string>();
    const { gatehouse } = await createSignedIn(stage.url, {}, async (line, pass) => {
      const response = await pass();
      const kind = line.startsWith('POST /api/file/upload')
        ? 'create'
        : patch.test(line)
          ? `patch ${response.status}`
          : '';
      if (kind === '' || lost.has(kind)) return response;
      lost.add(kind);
      throw new TypeError('the connection broke');
    });
    const record = await gatehouse.files.upload(file, options);
    assert.deepEqual([...lost], ['create', 'patch 200', 'patch 201']);
    assert.equal(record.sha256, whole);
    assert.deepEqual((await gatehouse.files.list()).files, [record]);
    const { quota } = await gatehouse.files.purposes();
    assert.deepEqual([quota.usedBytes, quota.usedFiles], [file.size, 1]);
  });

  it('the client pauses an upload and cancels it at the service', async () => {
    const uploadMemory = createUploadMemory();
    const control = createUploadControl();
    let onDeleted = () => {};
    const deleted = new Promise<void>((resolve) => {
      onDeleted = resolve;
    });
    const { gatehouse } = await createSignedIn(stage.url, { uploadMemory }, async (line, pass) => {
      const response = await pass();
      if (patch.test(line)) control.pause();
      if (line.startsWith('DELETE')) onDeleted();
      return response;
    });
    const seen: unknown[] = [];
    let address = '';
    const answerOf = async () => (await gatehouse.fetch(address)).status;
    const onState = async (state: string) => {
      if (state !== 'paused') return;
      const [upload] = await uploadMemory.list();
      address = `${stage.url}/api/file/upload/${upload?.id}`;
      seen.push(await answerOf(), (await gatehouse.files.pendingUploads()).length);
      control.cancel();
    };
    const upload = gatehouse.files.upload(file, { ...options, control, onState });
    await assert.rejects(upload, { code: 'ABORTED' });
    assert.deepEqual(seen, [200, 0], 'it is there, and not pending');
    await deleted;
    assert.equal(await answerOf(), 404);
  });

  it('the next process goes on where the one before was cut off', async () => {
    const uploadMemory = createUploadMemory();
    const storage = memoryStorage();
    let comeBack = () => {};
    const away = new Promise<void>((resolve) => {
      comeBack = resolve;
    });
    let isAway = false;
    const first = await createSignedIn(stage.url, { uploadMemory, storage }, async (line, pass) => {
      if (isAway) await away;
      const response = await pass();
      isAway = patch.test(line);
      return response;
    });
    const stored = first.gatehouse.files.upload(file, options);
    await waitUntil('the first slice', async () => (await uploadMemory.list())[0]?.sentBytes === 8 * mebibyte);
    const { gatehouse, lines: seen } = createClient(stage.url, { uploadMemory, storage });
    const [pending] = await gatehouse.files.pendingUploads();
    assert.deepEqual([pending?.name, pending?.sentBytes, pending?.canResume], ['table.csv', 8 * mebibyte, true]);
    assert.equal((await pending?.resume())?.sha256, whole);
    assert.deepEqual(
      seen.map((line) => line.split(' ')[0]),
      ['GET', 'PATCH'],
    );
    comeBack();
    const record = await stored;
    assert.deepEqual(
      (await gatehouse.files.list()).files,
      [record],
      'the one before learns the same file if it comes back',
    );
  });

  it('the client tells a refusal of the content at the end, and forgets the upload', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const wrong = new File([lines], 'film.mp4', { type: 'application/pdf' });
    await assert.rejects(gatehouse.files.upload(wrong, options), { code: 'FILE_TYPE_MISMATCH' });
    await assert.rejects(gatehouse.files.upload(file, { purpose: 'avatar' }), { code: 'FILE_TOO_LARGE' });
    assert.deepEqual(await gatehouse.files.pendingUploads(), []);
    assert.equal((await gatehouse.files.purposes()).quota.usedBytes, 0);
  });
});
