// The account page in a real browser: files with progress, refusals, pictures, and sessions ended from another browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { eventually, openPageStage, signUp, type Visitor } from '../helpers/page-stage.ts';
import { pngOf } from '../helpers/pictures.ts';
import { wavFile } from '../helpers/sample-files.ts';

const stage = await openPageStage();

describe('the files on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  const picture = { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(320, 200) };

  const pick = async ({ page }: Visitor, purpose: string, files: Parameters<typeof page.setInputFiles>[1]) => {
    await page.getByLabel('Upload as').selectOption(purpose);
    await page.getByLabel(/Drop files here/).setInputFiles(files);
  };

  it('the account page says that there are no files, shows an uploaded picture, and lets the user download, share and delete it', async () => {
    const visitor = await here.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByText('No files yet').waitFor();
    await pick(visitor, 'image', picture);
    const shown = page.locator('.tile img');
    await shown.waitFor();
    await eventually(async () => (await page.evaluate('document.querySelector(".tile img").naturalWidth')) === 320);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download: garden.png' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'garden.png');
    assert.deepEqual(readFileSync(await download.path()), picture.buffer);
    await page.getByRole('button', { name: 'Copy link: garden.png' }).click();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(link, /\/file\/fil_[\w-]{22}$/);
    assert.equal((await page.request.get(link)).status(), 200);
    assert.equal((await fetch(link)).status, 401);
    await page.getByRole('button', { name: 'Delete: garden.png' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete: garden.png' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No files yet').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page uploads many files at once and shows them after a reload', async () => {
    const visitor = await here.visit();
    await signUp(here, visitor);
    await pick(
      visitor,
      'image',
      [1, 2, 3, 4, 5].map((number) => ({ ...picture, name: `picture ${number}.png`, buffer: pngOf(10 * number, 10) })),
    );
    await visitor.page.getByText('picture 5.png').waitFor();
    await visitor.page.locator('.tile').nth(4).waitFor();
    await visitor.page.reload();
    await visitor.page.locator('.tile').nth(4).waitFor();
    assert.equal(await visitor.page.locator('.tile').count(), 5);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page plays audio and shows short type names', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await pick(visitor, 'document', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await page.locator('.type-mark').getByText('TXT').waitFor();
    await pick(visitor, 'audio', { name: 'a.wav', mimeType: 'audio/wav', buffer: wavFile(88_244) });
    await page.locator('.tile audio').waitFor();
    const seconds = await page.evaluate(`new Promise((resolve, reject) => {
      const sound = document.querySelector('.tile audio');
      sound.onloadedmetadata = () => resolve(sound.duration);
      sound.onerror = () => reject(sound.error);
      sound.load();
      sound.preload = 'metadata';
    })`);
    assert.ok(Number(seconds) > 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page retries an upload that is still in progress', async () => {
    const visitor = await here.visit();
    visitor.forgive(409);
    const { page } = visitor;
    await signUp(here, visitor);
    const answer = { success: false, message: 'It is still under way.', codeError: 'UPLOAD_IN_PROGRESS', data: null };
    await page.route('**/api/file/upload*', (route) => route.fulfill({ status: 409, json: answer }), { times: 1 });
    await pick(visitor, 'image', picture);
    await page.locator('.upload').getByText('Waiting').waitFor();
    await page.locator('.tile').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page refuses files of a wrong type or size before it sends a byte, and says why', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const uploads: string[] = [];
    page.on('request', (request) => request.url().includes('/api/file/upload') && uploads.push(request.url()));
    await pick(visitor, 'avatar', [
      { name: 'cat.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
      { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
      { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) },
    ]);
    await page.getByText('Not allowed for “Profile picture”. Allowed types: JPG, PNG, WEBP.').waitFor();
    await page.getByText('This file is empty.').waitFor();
    await page.getByText('The limit for “Profile picture” is 5 MB.').waitFor();
    assert.deepEqual(uploads, []);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page refuses a file above the quota before it sends a byte', async () => {
    const small = (await openPageStage({ FILE_QUOTA: '1MiB' })) ?? assert.fail();
    try {
      const visitor = await small.visit();
      await signUp(small, visitor);
      await pick(visitor, 'document', {
        name: 'long.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(2 * 1024 * 1024, 'a line of text\n'),
      });
      await visitor.page.getByText('Not enough space: you have 1 MB left.').waitFor();
      assert.deepEqual(visitor.problems(), []);
    } finally {
      await small.close();
    }
  });

  it('the account page shows the refusal of a file whose type is not its declared one', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 415, 422);
    await signUp(here, visitor);
    await pick(visitor, 'avatar', { name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('hello, I am text') });
    const row = visitor.page.locator('.upload.bad');
    await row.waitFor();
    assert.ok(((await row.textContent()) ?? '').length > 'not.png'.length + 20);
    await row.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await row.count(), 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page shows upload progress with speed and time left, and can cancel and repeat an upload', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    await signUp(here, visitor);
    const wire = await context.newCDPSession(page);
    await wire.send('Network.enable');
    const slow = { offline: false, latency: 5, downloadThroughput: -1, uploadThroughput: 150_000 };
    await wire.send('Network.emulateNetworkConditions', slow);
    const text = Buffer.alloc(4 * 1024 * 1024, 'a line of text\n');
    await pick(visitor, 'document', { name: 'long.txt', mimeType: 'text/plain', buffer: text });
    await page.getByText(/^[\d.]+ [kM]B of 4 MB · [\d.]+ [kM]?B per second · \d+ seconds? left$/).waitFor();
    const bar = page.getByRole('progressbar', { name: 'long.txt' });
    const first = Number(await bar.getAttribute('value'));
    await eventually(async () => Number(await bar.getAttribute('value')) > first);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').waitFor();
    const quota = await page.request.get(`${here.url}/api/file`);
    assert.deepEqual(((await quota.json()) as { data: { files: unknown[] } }).data.files, []);
    await wire.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.tile').getByText('long.txt').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await context.close();
  });
});

describe('the sessions on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  /** The same user in another browser. */
  const signInElsewhere = async (phone: string): Promise<Visitor> => {
    const other = await here.visit();
    await other.page.goto(here.url);
    await other.page.getByLabel('Phone number').fill(phone);
    await other.page.getByRole('button', { name: 'Send code' }).click();
    await other.page.getByRole('button', { name: /from the inbox/ }).click();
    await other.page.waitForURL('**/account');
    await other.page.getByText('This device').waitFor();
    return other;
  };

  it('the account page ends a session of another browser, which notices it without a reload', async () => {
    const visitor = await here.visit();
    const phone = await signUp(here, visitor);
    const other = await signInElsewhere(phone);
    other.forgive(401);
    await visitor.page.reload();
    await visitor.page.getByText('This device').waitFor();
    assert.equal(await visitor.page.locator('.sessions li').count(), 2);
    await visitor.page.getByRole('button', { name: /^Sign out device/ }).click();
    await visitor.page.locator('.sessions li').nth(1).waitFor({ state: 'detached' });
    await other.page.waitForURL('**/?next=/account&why=ended');
    await other.page.getByText('You have been signed out.').waitFor();
    assert.deepEqual([...visitor.problems(), ...other.problems()], []);
    await visitor.context.close();
    await other.context.close();
  });

  it('the account page signs out everywhere, and another browser and another tab notice it', async () => {
    const visitor = await here.visit();
    const phone = await signUp(here, visitor);
    const other = await signInElsewhere(phone);
    other.forgive(401);
    const tab = await visitor.context.newPage();
    await tab.goto(`${here.url}/account`);
    await tab.getByText('This device').waitFor();
    await visitor.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await visitor.page.waitForURL(`${here.url}/`);
    await tab.waitForURL(`${here.url}/`);
    await other.page.waitForURL('**/?next=/account&why=ended');
    assert.deepEqual([...visitor.problems(), ...other.problems()], []);
    await visitor.context.close();
    await other.context.close();
  });

  it('the account page deletes the account with its files after a confirmation', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByLabel('Upload as').selectOption('avatar');
    await page
      .getByLabel(/Drop files here/)
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: pngOf(20, 20) });
    const address = await page.locator('.tile img').getAttribute('src');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.waitForURL(`${here.url}/`);
    const visitorAfter = await here.visit();
    await signUp(here, visitorAfter);
    assert.equal((await visitorAfter.page.request.get(`${here.url}${address}`)).status(), 404);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
    await visitorAfter.context.close();
  });
});
