// Uploads and retries: a broken connection makes no second file, a signal stops, and unsafe calls are never repeated.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findFault } from '../../client/src/create-gatehouse.ts';
import { openHalfDeadProxy } from '../helpers/client/half-dead-proxy.ts';
import { createClient, createSignedIn, type Intercept, openStage, type Stage } from '../helpers/client/stage.ts';
import { newPhone } from '../helpers/requests/api.ts';
import { pngFile } from '../helpers/uploads/sample-files.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const uploadLine = 'POST /api/file/upload';
const file = new File(['name,age\nann,41\n'], 'users.csv', { type: 'text/csv' });
const busy = (status: number, headers: Record<string, string> = {}) =>
  Response.json(
    { success: false, message: 'Busy.', codeError: 'SERVICE_UNAVAILABLE', data: null },
    { status, headers },
  );

describe('uploads of the client', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client makes one file when the answer to the first try is lost', async () => {
    let isLost = false;
    const { gatehouse, count } = await createSignedIn(stage.url, {}, async (line, pass) => {
      const response = await pass();
      if (line !== uploadLine || isLost) return response;
      isLost = true;
      throw new TypeError('the connection broke');
    });
    const record = await gatehouse.files.upload(file, { purpose: 'document' });
    assert.equal(count(uploadLine), 2);
    assert.deepEqual((await gatehouse.files.list()).files, [record]);
  });

  it('an upload whose request hangs is sent again after a time, and stored once', async (t) => {
    const proxy = await openHalfDeadProxy(stage.url);
    t.after(proxy.close);
    const { gatehouse } = await createSignedIn(proxy.url);
    proxy.set('hang', uploadLine);
    t.mock.timers.enable({ apis: ['setInterval'] });
    const upload = gatehouse.files.upload(file, { purpose: 'document' });
    await waitUntil('the upload', () => proxy.count(uploadLine) === 1);
    proxy.set('pass', uploadLine);
    t.mock.timers.tick(200_000);
    const record = await upload;
    assert.equal(proxy.count(uploadLine), 2);
    assert.deepEqual((await gatehouse.files.list()).files, [record]);
  });

  it('the client gives up an upload after three tries, and at once on a refusal', async () => {
    const isDown: Intercept = async (line, pass) => (line === uploadLine ? busy(503, { 'retry-after': '0' }) : pass());
    const down = await createSignedIn(stage.url, {}, isDown);
    await assert.rejects(down.gatehouse.files.upload(file, { purpose: 'document' }), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(down.count(uploadLine), 3);
    const up = await createSignedIn(stage.url);
    await assert.rejects(up.gatehouse.files.upload(file, { purpose: 'avatar' }), { code: 'FILE_TYPE_NOT_ALLOWED' });
    await assert.rejects(up.gatehouse.files.upload(file, { purpose: 'nonsense' }), { code: 'FILE_PURPOSE_UNKNOWN' });
    assert.equal(up.count(uploadLine), 2);
  });

  it('the client stops an upload by its signal, before and during', async () => {
    const control = new AbortController();
    const { gatehouse, count } = await createSignedIn(stage.url);
    const upload = (signal: AbortSignal) =>
      gatehouse.files.upload(file, {
        purpose: 'document',
        signal,
        onProgress: () => control.abort(),
      });
    await assert.rejects(upload(AbortSignal.abort()), { code: 'ABORTED', status: 0 });
    await assert.rejects(upload(control.signal), { code: 'ABORTED', status: 0 });
    assert.equal(count(uploadLine), 2);
    assert.deepEqual((await gatehouse.files.list()).files, []);
  });

  it('the client does not declare the type that a browser guesses from the name of a picture, a sound or a video', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const typeOf = async (file: Blob) => (await gatehouse.files.upload(file, { purpose: 'attachment' })).type;
    assert.equal(await typeOf(new File([new Uint8Array(pngFile())], 'photo.jpg', { type: 'image/jpeg' })), 'image/png');
    assert.equal(await typeOf(new File(['a,b'], 'table.txt', { type: 'text/csv' })), 'text/csv');
    await assert.rejects(typeOf(new Blob([new Uint8Array(pngFile())], { type: 'image/jpeg' })), {
      code: 'FILE_TYPE_MISMATCH',
    });
  });

  it('the client names an upload after the file or as given, and accepts bytes without a name or with an odd type', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const nameOf = async (bytes: Blob, name?: string) =>
      (await gatehouse.files.upload(bytes, { purpose: 'document', name })).name;
    assert.equal(await nameOf(new File(['a'], '报告 (1).txt', { type: 'text/plain' })), '报告 (1).txt');
    assert.equal(await nameOf(file, 'Größe.csv'), 'Größe.csv');
    assert.equal(await nameOf(file, 'half\ud83d.csv'), 'half_.csv');
    assert.match(await nameOf(new Blob(['a'])), /\.txt$/);
    assert.match(await nameOf(new Blob(['{}'], { type: 'application/json' })), /\.txt$/);
  });

  it('the client finds files that cannot be accepted before it sends them', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const { purposes } = await gatehouse.files.purposes();
    const avatar = purposes.find(({ name }) => name === 'avatar');
    assert.ok(avatar);
    const fault = (name: string, type: string, size = 10) => findFault({ name, type, size }, avatar)?.code;
    assert.equal(fault('me.jpg', 'image/jpeg'), undefined);
    assert.equal(fault('ME.JPG', ''), undefined);
    assert.equal(fault('me', 'image/png'), undefined);
    assert.equal(fault('me', ''), undefined);
    assert.equal(fault('me.jpg', 'image/jpeg', 0), 'FILE_EMPTY');
    assert.equal(fault('me.jpg', 'image/jpeg', avatar.maxBytes + 1), 'FILE_TOO_LARGE');
    assert.equal(fault('me.pdf', 'application/pdf'), 'FILE_TYPE_NOT_ALLOWED');
    assert.equal(fault('me.pdf', ''), 'FILE_TYPE_NOT_ALLOWED');
  });
});

describe('retries of the client', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client repeats calls that only read, three times at most', async () => {
    const meLine = 'GET /api/auth/me';
    let left = 2;
    const { gatehouse, count } = await createSignedIn(stage.url, {}, async (line, pass) => {
      if (line !== meLine || left === 0) return pass();
      left -= 1;
      return busy(503, { 'retry-after': '0' });
    });
    await gatehouse.me();
    assert.equal(count(meLine), 3);
    left = 3;
    await assert.rejects(gatehouse.me(), { status: 503 });
    assert.equal(count(meLine), 6);
  });

  it('the client does not retry after a long Retry-After', async () => {
    const { gatehouse, count } = await createSignedIn(stage.url, {}, async (line, pass) =>
      line.startsWith('GET /api/file') ? busy(503, { 'retry-after': '11' }) : pass(),
    );
    await assert.rejects(gatehouse.files.list(), { status: 503, retryAfterSeconds: 11 });
    assert.equal(count('GET /api/file'), 1);
  });

  it('the client never repeats a send or a sign-in', async () => {
    const { gatehouse, lines } = createClient(stage.url, { captcha: async () => 'x' }, async () =>
      busy(503, { 'retry-after': '0' }),
    );
    await assert.rejects(gatehouse.phone.sendCode(newPhone()), { status: 503 });
    await assert.rejects(gatehouse.phone.signIn(newPhone(), '123456'), { status: 503 });
    await assert.rejects(gatehouse.email.sendLink('ann@example.com'), { status: 503 });
    await assert.rejects(gatehouse.email.signIn('x'.repeat(43)), { status: 503 });
    assert.equal(lines.length, 4);
  });
});
