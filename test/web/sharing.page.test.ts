// Sharing and deleting files in a real browser: a link for somebody who is signed out, its end, and files that come back from the trash.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import { eventually, openPageStage, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { chooseAction } from './account-pages.ts';

const stage = await openPageStage();

describe('sharing on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  const picture = { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(320, 200) };

  const store = async ({ page }: Visitor, ...names: readonly string[]) => {
    await page.getByLabel(/Drop files here/).setInputFiles(names.map((name) => ({ ...picture, name })));
    await page
      .locator('.tile')
      .nth(names.length - 1)
      .waitFor();
  };
  const newLink = (visitor: Visitor) => visitor.page.getByRole('dialog').getByLabel('New link').inputValue();
  const signIn = async () => {
    const visitor = await here.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signUp(here, visitor);
    return visitor;
  };

  it('a user shares a file by keyboard alone; a stranger sees, plays and downloads it; after the revocation the link does not work', async () => {
    const owner = await signIn();
    const { page } = owner;
    await store(owner, picture.name);
    await page.getByRole('button', { name: 'More actions: garden.png' }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => (await page.evaluate('document.activeElement.textContent')) === 'Share');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Share garden.png' });
    await dialog.getByText('There is no link to this file.').waitFor();
    await eventually(async () => (await page.evaluate('document.activeElement.tagName')) === 'SELECT');
    await page.keyboard.press('1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('New link').waitFor();
    await eventually(() => page.evaluate('document.activeElement === document.querySelector(".new-link input")'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.equal(link, await newLink(owner));
    const days = (Date.parse((await links(owner))[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 0.9 && days < 1.1, `${days} days`);
    const stranger = await here.visit();
    stranger.forgive(404);
    await stranger.page.goto(link);
    await stranger.page.getByRole('heading', { name: 'garden.png' }).waitFor();
    await stranger.page.getByText(/PNG · /).waitFor();
    await stranger.page.getByText(/The link works until/).waitFor();
    await eventually(
      async () => (await stranger.page.evaluate('document.querySelector("img.shown").naturalWidth')) === 320,
    );
    const [download] = await Promise.all([
      stranger.page.waitForEvent('download'),
      stranger.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'garden.png');
    assert.deepEqual(readFileSync(await download.path()), picture.buffer);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('The link no longer works.').waitFor();
    await dialog.getByText('There is no link to this file.').waitFor();
    assert.equal((await stranger.page.reload())?.status(), 404);
    await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(
      async () =>
        (await page.evaluate('document.activeElement.getAttribute("aria-label")')) === 'More actions: garden.png',
    );
    assert.deepEqual([...owner.problems(), ...stranger.problems()], []);
    await owner.context.close();
    await stranger.context.close();
  });

  it('a link for one download has no preview, works without JavaScript, and ends with the download; all links are revoked at once', async () => {
    const owner = await signIn();
    const { page } = owner;
    await store(owner, picture.name);
    await chooseAction(page, 'garden.png', 'Share');
    const dialog = page.getByRole('dialog');
    // While the links are read, the button does nothing.
    const create = dialog.locator('button[aria-busy="false"]', { hasText: 'Create link' });
    await dialog.getByLabel('It works for one download only').check();
    await create.click();
    await dialog.getByText(/· 0 of 1 downloads used/).waitFor();
    const link = await newLink(owner);
    const plain = await here.visit({ javaScriptEnabled: false });
    plain.forgive(404);
    await plain.page.goto(link);
    await plain.page.getByRole('heading', { name: 'garden.png' }).waitFor();
    await plain.page.getByText(/^PNG · [\d.]+ (kB|bytes)$/).waitFor();
    await plain.page.getByText(/^The link works until .+ UTC\. Downloads left: 1\.$/).waitFor();
    assert.equal(await plain.page.locator('img').count(), 0);
    const [download] = await Promise.all([
      plain.page.waitForEvent('download'),
      plain.page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.deepEqual(readFileSync(await download.path()), picture.buffer);
    assert.equal((await plain.page.goto(link))?.status(), 404);
    await plain.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await dialog.getByLabel('It works for one download only').uncheck();
    const others: string[] = [];
    for (const last of ['', link]) {
      await create.click();
      await eventually(async () => ![last, link, ...others].includes(await newLink(owner)));
      others.push(await newLink(owner));
    }
    for (const other of others) assert.equal((await fetch(other)).status, 200);
    // Without a script, the picture itself is shown.
    await plain.page.goto(others[0] ?? assert.fail());
    await eventually(() =>
      plain.page.locator('img.shown').evaluate((img) => 'naturalWidth' in img && Number(img.naturalWidth) > 0),
    );
    await create.waitFor();
    await dialog.getByRole('button', { name: 'Revoke all' }).click();
    await dialog.getByText('No link to this file works any more.').waitFor();
    for (const other of others) assert.equal((await fetch(other)).status, 404);
    assert.equal(await dialog.getByLabel('New link').count(), 0);
    assert.deepEqual([...owner.problems(), ...plain.problems()], []);
    await owner.context.close();
    await plain.context.close();
  });

  it('the page of a link counts the downloads down, and offers no more than there are', async () => {
    const owner = await signIn();
    await store(owner, picture.name);
    const link = await owner.page.evaluate<string>(`(async () => {
      const { data } = await (await fetch('/api/file')).json();
      const headers = { 'content-type': 'application/json' };
      const ask = { method: 'POST', headers, body: JSON.stringify({ uses: 2 }) };
      return (await (await fetch('/api/file/' + data.files[0].id + '/links', ask)).json()).data.url;
    })()`);
    const stranger = await here.visit();
    const { page } = stranger;
    await page.goto(link);
    const button = page.getByRole('link', { name: 'Download' });
    await page.getByText(/Downloads left: 2\.$/).waitFor();
    for (const left of [/Downloads left: 1\.$/, /^The link has been used up\./]) {
      await button.focus();
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      assert.deepEqual(readFileSync(await download.path()), picture.buffer);
      await page.getByText(left).waitFor();
    }
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-disabled")'), 'true');
    assert.deepEqual(await findViolations(page), []);
    // One more click asks for nothing.
    page.on('request', (request) => assert.fail(request.url()));
    page.on('download', (download) => assert.fail(download.url()));
    await page.keyboard.press('Enter');
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    assert.deepEqual([...owner.problems(), ...stranger.problems()], []);
    await owner.context.close();
    await stranger.context.close();
  });

  it('a user undoes a deletion in place, restores a file from the trash, and removes files for good after a question', async () => {
    const owner = await signIn();
    // A small picture may be asked for when its file is deleted already.
    owner.forgive(404);
    const { page } = owner;
    await store(owner, 'one.png', 'two.png', 'three.png');
    await chooseAction(page, 'one.png', 'Delete');
    await page.locator('.tile').getByText('one.png has been deleted.').waitFor();
    await eventually(async () => (await page.evaluate('document.activeElement.textContent')) === 'Undo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'More actions: one.png' }).waitFor();
    for (const name of ['one.png', 'two.png', 'three.png']) {
      await chooseAction(page, `${name}`, 'Delete');
      await page.getByText(`${name} has been deleted.`).waitFor();
    }
    await page.locator('summary', { hasText: 'Deleted files' }).click();
    await page.locator('.trash li').nth(2).waitFor();
    await page.locator('.trash li', { hasText: 'two.png' }).getByText('7 days left').waitFor();
    await page.getByRole('button', { name: 'Restore: two.png' }).click();
    await page.locator('.tile', { hasText: 'two.png' }).getByRole('link', { name: 'Download: two.png' }).waitFor();
    await page.reload();
    await page.locator('.tile', { hasText: 'two.png' }).waitFor();
    assert.equal(await page.locator('.tile').count(), 1);
    await page.locator('summary', { hasText: 'Deleted files' }).click();
    await page.getByRole('button', { name: 'Delete permanently: one.png' }).click();
    const question = page.getByRole('dialog', { name: 'Delete one.png permanently?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete permanently: one.png' }).click();
    await question.getByRole('button', { name: 'Delete permanently' }).click();
    await page.locator('.trash li').nth(1).waitFor({ state: 'detached' });
    await chooseAction(page, 'two.png', 'Delete');
    await page.getByRole('button', { name: 'Delete all permanently' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await page.locator('.trash').waitFor({ state: 'detached' });
    assert.deepEqual(owner.problems(), []);
    await owner.context.close();
  });

  it('a file that is deleted while the trash is read is in the trash too', async () => {
    const owner = await signIn();
    const { page } = owner;
    await store(owner, 'one.png', 'two.png');
    const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/api/file/trash*', async (route) => {
      const response = await route.fetch();
      read.resolve();
      await gate.promise;
      await route.fulfill({ response });
    });
    await chooseAction(page, 'one.png', 'Delete');
    await read.promise;
    await chooseAction(page, 'two.png', 'Delete');
    await page.getByText('two.png has been deleted.').waitFor();
    gate.resolve();
    await page.locator('summary', { hasText: 'Deleted files' }).click();
    await page.locator('.trash li').nth(1).waitFor();
    await owner.context.close();
  });

  async function links({ page }: Visitor): Promise<{ expiresAt: string }[]> {
    const answer = await page.request.get(`${here.url}/api/file`);
    const { files } = ((await answer.json()) as { data: { files: { id: string }[] } }).data;
    const listed = await page.request.get(`${here.url}/api/file/${files[0]?.id}/links`);
    return ((await listed.json()) as { data: { links: { expiresAt: string }[] } }).data.links;
  }
});
