// The account page in a real browser: files with progress, refusals, pictures, and sessions ended from another browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { codeIn, eventually, openPageStage, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { wavFile } from '../helpers/uploads/sample-files.ts';
import { chooseAction } from './account-pages.ts';

const stage = await openPageStage();

describe('the files on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  const picture = { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(320, 200) };

  const pick = async ({ page }: Visitor, purpose: string, files: Parameters<typeof page.setInputFiles>[1]) => {
    await page.getByLabel('Upload as').selectOption(purpose);
    await page.getByLabel(/Drop files here/).setInputFiles(files);
  };

  const naturalSize = ({ page }: Visitor) =>
    page.evaluate(`(() => {
      const { naturalWidth = 0, naturalHeight = 0 } = document.querySelector('.tile img') ?? {};
      return naturalWidth + 'x' + naturalHeight;
    })()`);

  it('the account page says that there are no files, shows an uploaded picture, and lets the user download and delete it', async () => {
    const visitor = await here.visit();
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
    const id = /fil_[\w-]{22}/.exec(download.url())?.[0];
    assert.equal((await fetch(`${here.url}/file/${id}`)).status, 401);
    await chooseAction(page, 'garden.png', 'Delete');
    await page.getByText('garden.png has been deleted.').waitFor();
    await page.reload();
    await page.getByText('No files yet').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page shows a picture by its small variant, and does not load the picture itself', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const loaded: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/file/fil_'))
        loaded.push(`${response.status()} ${response.headers()['content-type']} ${new URL(response.url()).search}`);
    });
    await pick(visitor, 'image', { ...picture, buffer: pngOf(1200, 800) });
    await eventually(async () => (await naturalSize(visitor)) === '320x320');
    assert.deepEqual(loaded, ['200 image/avif ?variant=thumb']);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page shows the picture itself if the service makes no variant of it', async () => {
    const visitor = await here.visit();
    await signUp(here, visitor);
    await visitor.page.route('**/file/*?variant=thumb', (route) => route.fulfill({ status: 404, json: {} }));
    await pick(visitor, 'image', { ...picture, buffer: pngOf(500, 400) });
    await eventually(async () => (await naturalSize(visitor)) === '500x400');
    await visitor.page.route('**/file/fil_*', (route) => route.fulfill({ status: 404, json: {} }));
    await visitor.page.reload();
    await visitor.page.locator('.tile .type-mark', { hasText: 'PNG' }).waitFor();
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
    await visitor.page.locator('.tile').nth(4).waitFor();
    await visitor.page.reload();
    await visitor.page.locator('.tile').nth(4).waitFor();
    await visitor.page.locator('.tile', { hasText: 'picture 5.png' }).waitFor();
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
    let isUnderWay = true;
    await signUp(here, visitor);
    const answer = { success: false, message: 'It is still under way.', codeError: 'UPLOAD_IN_PROGRESS', data: null };
    await page.route('**/api/file/upload*', (route) =>
      isUnderWay ? route.fulfill({ status: 409, json: answer }) : route.continue(),
    );
    await pick(visitor, 'image', picture);
    await page.locator('.upload').getByText('Waiting').waitFor();
    isUnderWay = false;
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

  it('the account page names the purpose that accepts a file, before it sends a byte, and prefers one with the same readers', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await pick(visitor, 'avatar', { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') });
    const words = 'Not allowed for “Profile picture”. Allowed types: JPG, PNG, WEBP. “Video” accepts this file.';
    await page.getByText(words).waitFor();
    await pick(visitor, 'document', picture);
    await page.getByText('“Picture” accepts this file.').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page uploads a picture that is pasted anywhere but in a text field', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByLabel('Upload as').selectOption('image');
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    const paste = (selector: string, name: string) =>
      page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${picture.buffer.toString('base64')}'), (sign) => sign.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], '${name}', { type: 'image/png' }));
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true });
        document.querySelector('${selector}').dispatchEvent(event);
      })()`);
    await paste('input[type="email"]', 'field.png');
    await paste('body', 'screenshot.png');
    await page.locator('.tile', { hasText: 'screenshot.png' }).waitFor();
    assert.equal(await page.locator('.tile, .upload', { hasText: 'field.png' }).count(), 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page shows why the service refuses a file above the quota, and asks before a deletion if there is no trash', async () => {
    const small = (await openPageStage({ FILE_QUOTA: '1MiB', TRASH_LIFE: '0' })) ?? assert.fail();
    try {
      const visitor = await small.visit();
      visitor.forgive(403);
      await signUp(small, visitor);
      // Without a trash, a deletion is asked for.
      await pick(visitor, 'image', picture);
      // The small picture is there before its file goes: asked for later, it would answer 404.
      await eventually(
        async () => (await visitor.page.evaluate('document.querySelector(".tile img")?.naturalWidth')) === 320,
      );
      await chooseAction(visitor.page, 'garden.png', 'Delete');
      await visitor.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await chooseAction(visitor.page, 'garden.png', 'Delete');
      await visitor.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await visitor.page.getByText('No files yet').waitFor();
      assert.equal(await visitor.page.getByText('Deleted files').count(), 0);
      // The page has read again how much room there is.
      await visitor.page.getByText('0 bytes of 1 MB used').waitFor();
      await pick(visitor, 'document', {
        name: 'long.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(2 * 1024 * 1024, 'a line of text\n'),
      });
      await visitor.page.getByText('You do not have enough storage space left for this file.').waitFor();
      assert.equal(await visitor.page.locator('.tile').count(), 0);
      assert.deepEqual(visitor.problems(), []);
    } finally {
      await small.close();
    }
  });

  it('the account page shows the refusal of a file that is not what its name says', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 415, 422);
    await signUp(here, visitor);
    await pick(visitor, 'avatar', { name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('hello, I am text') });
    const row = visitor.page.locator('.upload.bad');
    await row.waitFor();
    assert.ok(((await row.textContent()) ?? '').length > 'not.png'.length + 20);
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page shows upload progress with speed and time left, and can cancel and repeat an upload', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    // The service may notice the cancelled attempt only after the next one has begun. The page then waits.
    visitor.forgive(409);
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
    await visitor.leave(async () => {
      await visitor.page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await visitor.page.waitForURL(`${here.url}/`);
    });
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
    // A browser reports a picture that is deleted while it loads.
    await eventually(async () => (await page.evaluate('document.querySelector(".tile img").naturalWidth')) === 20);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete account' }).click();
    const startedAt = new Date();
    await visitor.leave(async () => {
      await page.getByRole('button', { name: 'Delete permanently' }).click();
      await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    });
    await eventually(async () => (await page.evaluate('document.activeElement.tagName')) === 'H1');
    const days = [startedAt, new Date()].map((each) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(each),
    );
    await page.getByText(new RegExp(`all your files were deleted on (?:${days.join('|')})`)).waitFor();
    await page.getByText('you get a new, empty account').waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByLabel('Phone number').waitFor();
    const visitorAfter = await here.visit();
    await signUp(here, visitorAfter);
    assert.equal((await visitorAfter.page.request.get(`${here.url}${address}`)).status(), 404);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
    await visitorAfter.context.close();
  });

  /** As if the user had signed in an hour ago: the next access token says so. */
  const growOld = async ({ context }: Visitor) => {
    await askStore(here.env, 'update sessions set proved_at = proved_at - 3600000');
    await context.clearCookies({ name: 'JWT' });
  };
  const newestCode = async (to: string, messages: number) => {
    await eventually(async () => (await here.messages(to)).length >= messages);
    return codeIn((await here.messages(to))[0] ?? assert.fail('no message'));
  };

  it('the account page asks for a code where the sign-in is old, goes on with the deletion, and can be cancelled', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    visitor.forgive(400, 401, 403);
    const phone = await signUp(here, visitor);
    await growOld(visitor);
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await proof.waitFor();
    await proof.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByText('Confirm that it is you with a code, then try again.').waitFor();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    const code = await newestCode(phone, 3);
    const field = proof.getByLabel('Six-digit code');
    await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
    await proof.getByText('The code is incorrect.').waitFor();
    await field.fill(code);
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the account page asks for a code before it replaces the e-mail address, by the old address if the user wants, and goes on', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    visitor.forgive(401, 403);
    await signUp(here, visitor);
    const bindHere = async (button: string, address: string) => {
      await page.getByRole('button', { name: button }).click();
      await page.getByLabel('New e-mail address').fill(address);
      await page.getByRole('button', { name: 'Send code' }).click();
    };
    const [old, fresh] = [`old${process.pid}@example.com`, `new${process.pid}@example.com`];
    await bindHere('Add e-mail address', old);
    await page.getByLabel('Six-digit code').fill(await newestCode(old, 1));
    await page.getByText('has been added to your account').waitFor();
    await growOld(visitor);
    await bindHere('Change e-mail address', fresh);
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByRole('button', { name: `Send the code to ${old} instead` }).click();
    await proof.getByText(`sent to ${old}`).waitFor();
    await proof.getByLabel('Six-digit code').fill(await newestCode(old, 2));
    await proof.waitFor({ state: 'detached' });
    await page.getByLabel('Six-digit code').fill(await newestCode(fresh, 1));
    await page.locator('dd', { hasText: fresh }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
