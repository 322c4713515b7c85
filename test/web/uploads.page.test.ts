// The upload queue of the account page in a real browser: offline, reload, many files at once, the guess of the purpose, drop and paste.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { eventually, openPageStage, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { wavFile } from '../helpers/uploads/sample-files.ts';

const stage = await openPageStage({ LIMIT_UPLOADS_PER_USER: '90/10s' });

describe('the upload queue', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  type Payload = { name: string; mimeType: string; buffer: Buffer };
  const textFile = (number: number, bytes: number): Payload => {
    const name = `note ${String(number).padStart(3, '0')}.txt`;
    return { name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, `line ${number} of a text\n`) };
  };
  const texts = (count: number, bytes: number) => Array.from({ length: count }, (_, at) => textFile(at + 1, bytes));
  const namesOf = (files: readonly Payload[]) => files.map(({ name }) => name).toSorted();
  const choose = ({ page }: Visitor, files: Payload[]) => page.getByLabel(/Drop files here/).setInputFiles(files);

  type Stored = { name: string; purpose: string; size: number };
  const stored = async ({ page }: Visitor): Promise<Stored[]> => {
    const answer = await page.request.get(`${here.url}/api/file?limit=100`);
    return ((await answer.json()) as { data: { files: Stored[] } }).data.files;
  };
  const storedNames = async (visitor: Visitor) => (await stored(visitor)).map(({ name }) => name).toSorted();

  const openWire = async ({ context, page }: Visitor) => {
    const wire = await context.newCDPSession(page);
    await wire.send('Network.enable');
    return wire;
  };
  const usual = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  const setNetwork = (wire: CDPSession, conditions: Partial<typeof usual>) =>
    wire.send('Network.emulateNetworkConditions', { ...usual, ...conditions });

  it('the account page waits while it is offline in the middle of 30 files, says so, and goes on by itself: every file arrives once', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const wire = await openWire(visitor);
    await setNetwork(wire, { uploadThroughput: 200_000 });
    const files = texts(30, 40_000);
    await choose(visitor, files);
    await eventually(async () => (await stored(visitor)).length >= 5);
    await setNetwork(wire, { offline: true });
    await page.getByText('You are offline. Uploads go on by themselves.').waitFor();
    assert.match((await page.locator('.queue-text p').textContent()) ?? '', /^\d+ of 30 uploaded$/);
    assert.ok((await page.locator('.upload').count()) <= 20);
    await setNetwork(wire, {});
    await page.locator('.tile').nth(29).waitFor();
    await page.getByText('All files have been uploaded.').waitFor({ state: 'attached' });
    assert.deepEqual(await storedNames(visitor), namesOf(files));
    assert.equal(await page.locator('.upload').count(), 0);
    await visitor.context.close();
  });

  it('the account page leaves a paused upload paused after a reload, until the user resumes it', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const wire = await openWire(visitor);
    await setNetwork(wire, { uploadThroughput: 200_000 });
    await choose(visitor, [{ name: 'long.wav', mimeType: 'audio/wav', buffer: wavFile(9 * 2 ** 20) }]);
    await page.getByRole('button', { name: 'Pause: long.wav' }).click();
    await page.getByText(/^Paused at/).waitFor();
    await eventually(async () => (await page.evaluate(countPaused)) === 1);
    await page.reload();
    await page.getByText(/^Paused at/).waitFor();
    await setNetwork(wire, {});
    await page.getByRole('button', { name: 'Resume: long.wav' }).click();
    await page.locator('.tile', { hasText: 'long.wav' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page goes on with the queue after a reload, and every file arrives once', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const wire = await openWire(visitor);
    // None is done before the reload.
    await setNetwork(wire, { uploadThroughput: 5000 });
    const files = texts(5, 100_000);
    await page.evaluate(countWrites);
    await choose(visitor, files);
    await eventually(async () => (await page.evaluate(countKept)) === 5);
    assert.equal(await page.evaluate('writes'), 1, 'each write costs a sync of the disk');
    page.on('dialog', () => assert.fail('nothing would be lost'));
    await page.reload();
    await page.locator('.upload').nth(4).waitFor();
    await setNetwork(wire, {});
    await page.locator('.tile').nth(4).waitFor();
    await eventually(async () => (await page.locator('.upload').count()) === 0);
    assert.deepEqual(await storedNames(visitor), namesOf(files));
    await visitor.context.close();
  });

  it('the account page goes on with a large file after a reload where it was cut, or as soon as the user chooses the file again', async () => {
    const file = textFile(1, 9_000_000);
    // A real file has the same time whenever it is chosen.
    const folder = mkdtempSync(join(tmpdir(), 'large-'));
    const path = join(folder, file.name);
    writeFileSync(path, file.buffer);
    for (const keepsBytes of [true, false]) {
      const visitor = await here.visit();
      const { page } = visitor;
      if (!keepsBytes) await page.addInitScript(keepNoBytes);
      await signUp(here, visitor);
      const wire = await openWire(visitor);
      await setNetwork(wire, { uploadThroughput: 100_000 });
      await page.getByLabel(/Drop files here/).setInputFiles(path);
      const bar = page.getByRole('progressbar', { name: file.name });
      const sent = async () => Number(await bar.getAttribute('value'));
      await eventually(async () => (await sent()) > 100_000);
      page.on('dialog', (dialog) => dialog.accept());
      await page.reload();
      if (!keepsBytes) {
        await page.getByText('Choose the file again to go on.').waitFor();
        const again = page.locator('.upload input[type="file"]');
        await again.setInputFiles({ ...file, buffer: Buffer.alloc(9_000_000, 'another text\n') });
        await page.getByText(`This is another file. Choose ${file.name}.`).waitFor();
        await again.setInputFiles(path);
      }
      await bar.waitFor();
      assert.ok((await sent()) > 0);
      await setNetwork(wire, {});
      await page.locator('.tile', { hasText: file.name }).waitFor();
      assert.deepEqual(
        (await stored(visitor)).map(({ name, size }) => [name, size]),
        [[file.name, file.buffer.length]],
      );
      await visitor.context.close();
    }
    rmSync(folder, { recursive: true });
  });

  it('the account page takes a hundred files at once, and shows only some of them', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    // A quick browser meets the limit of uploads, and waits.
    visitor.forgive(429);
    const files = texts(100, 500);
    // None is done before the list was seen.
    const [hold, release] = holdOn();
    await page.route('**/api/file/upload*', async (route) => {
      await hold;
      await route.continue();
    });
    await choose(visitor, files);
    await page.getByRole('button', { name: 'Show 20 more' }).waitFor();
    assert.equal(await page.locator('.upload').count(), 20);
    release();
    await page.locator('.tile').nth(99).waitFor();
    assert.deepEqual(await storedNames(visitor), namesOf(files));
    assert.equal(await page.getByText('These are many files at once.').count(), 0);
    await eventually(async () => (await page.evaluate(countKept)) === 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page guesses the purpose of each file, lets the user change it, and explains before it sends a file that no purpose accepts', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await choose(visitor, [
      { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(20, 10) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'sound.wav', mimeType: 'audio/wav', buffer: wavFile(4000) },
      { name: 'cat.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    ]);
    await page.locator('.upload.bad', { hasText: 'cat.exe' }).getByText('This file cannot be uploaded here.').waitFor();
    await page.locator('.tile').nth(2).waitFor();
    await page.getByText('3 of 3 uploaded').waitFor();
    await page.getByRole('button', { name: 'Remove finished' }).click();
    await eventually(async () => (await page.locator('.upload').count()) === 0);
    await page.getByLabel('Upload as').first().selectOption('document');
    await choose(visitor, [{ name: 'face.png', mimeType: 'image/png', buffer: pngOf(9, 9) }]);
    await page.getByText('Not allowed for “Document”.').waitFor();
    await page.getByLabel('Upload face.png as').selectOption('avatar');
    await page.locator('.tile', { hasText: 'face.png' }).waitFor();
    const purposes = (await stored(visitor)).map(({ name, purpose }) => `${name} ${purpose}`).toSorted();
    assert.deepEqual(purposes, ['face.png avatar', 'garden.png image', 'notes.txt document', 'sound.wav audio']);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page takes files and folders that are dropped anywhere on the card, and stays when one is dropped beside it', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const folder = mkdtempSync(join(tmpdir(), 'drop-'));
    mkdirSync(join(folder, 'trip', 'day 1'), { recursive: true });
    for (const path of ['one.txt', 'trip/two.txt', 'trip/day 1/three.txt', 'trip/.DS_Store'])
      writeFileSync(join(folder, path), `text of ${path}`);
    const wire = await openWire(visitor);
    // Before the page knows the purposes, it takes no files.
    await page.getByLabel(/Drop files here/).waitFor({ state: 'attached' });
    const drop = async (selector: string, names: readonly string[]) => {
      const { x, y } = (await page.locator(selector).boundingBox()) ?? assert.fail();
      const files = names.map((name) => join(folder, name));
      const at = { x: x + 5, y: y + 5, data: { items: [], files, dragOperationsMask: 1 } };
      await wire.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at });
      await wire.send('Input.dispatchDragEvent', { type: 'dragOver', ...at });
      if (selector.includes('files')) await page.locator('.files.over').waitFor();
      await wire.send('Input.dispatchDragEvent', { type: 'drop', ...at });
    };
    await drop('.who', ['one.txt']);
    await drop('#files', ['one.txt', 'trip']);
    await page.locator('.tile').nth(2).waitFor();
    assert.deepEqual(await storedNames(visitor), ['one.txt', 'three.txt', 'two.txt']);
    assert.equal(new URL(page.url()).pathname, '/account');
    assert.deepEqual(visitor.problems(), []);
    rmSync(folder, { recursive: true });
    await visitor.context.close();
  });

  it('the account page tries all failed files again, and warns before it is left only if a file would be lost', async () => {
    const visitor = await here.visit();
    visitor.forgive(413);
    const { page } = visitor;
    // This browser keeps nothing.
    await page.addInitScript("indexedDB.open = () => { throw new Error('no storage'); }");
    await signUp(here, visitor);
    const full = { success: false, message: 'There is no room.', codeError: 'FILE_QUOTA_EXCEEDED', data: null };
    await page.route('**/api/file/upload*', (route) => route.fulfill({ status: 413, json: full }));
    await choose(visitor, texts(3, 100));
    await page.locator('.upload.bad').nth(2).waitFor();
    await page.unroute('**/api/file/upload*');
    const [hold, release] = holdOn();
    await page.route('**/api/file/upload*', async (route) => {
      await hold;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Try all again' }).click();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    assert.equal(dialog.type(), 'beforeunload');
    await dialog.dismiss();
    release();
    await page.locator('.tile').nth(2).waitFor();
    assert.equal((await stored(visitor)).length, 3);
    await visitor.context.close();
  });
});

function holdOn(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>();
  return [promise, resolve];
}

// These run in the page.

const keepNoBytes = `
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value, ...key) {
    if (value instanceof Blob || value.file instanceof Blob) throw new DOMException('no blobs', 'DataCloneError');
    return put.call(this, value, ...key);
  };
`;

const countWrites = `
  writes = 0;
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (tables, mode) {
    if (mode === 'readwrite' && this.name === 'gatehouse-queue') writes += 1;
    return transaction.call(this, tables, mode);
  };`;
const countPaused = countRows('({ isPaused }) => isPaused');
const countKept = countRows('() => true');

function countRows(isWanted: string): string {
  return `new Promise((resolve) => {
  const opening = indexedDB.open('gatehouse-queue');
  opening.onsuccess = () => {
    const request = opening.result.transaction('uploads').objectStore('uploads').getAll();
    request.onsuccess = () => {
      opening.result.close();
      resolve(request.result.filter(${isWanted}).length);
    };
  };
})`;
}
