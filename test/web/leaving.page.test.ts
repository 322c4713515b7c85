// Leaving the account page: at once without the record of the client, and only after a question while files are uploaded.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPageStage, signUp } from '../helpers/browser/page-stage.ts';
import { openSignedIn } from '../helpers/browser/signed-in-page.ts';

const stage = await openPageStage();

describe('leaving the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the sign-out of a session that the client has not started leaves at once, without the regular check', async () => {
    const visitor = await here.visit();
    // The page would notice the end of the session by this check.
    await visitor.context.addInitScript('globalThis.setInterval = () => 0');
    const { page } = await openSignedIn(visitor.context, here.url);
    for (const button of ['Sign out', 'Sign out everywhere']) {
      if (button !== 'Sign out') await openSignedIn(visitor.context, here.url);
      await page.goto(`${here.url}/account`);
      await page.evaluate('localStorage.clear()');
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.waitForURL(`${here.url}/`);
      await page.getByLabel('Phone number').waitFor();
    }
    await visitor.context.close();
  });

  it('the account that is deleted without the record of the client is confirmed too', async () => {
    const visitor = await here.visit();
    await visitor.context.addInitScript('globalThis.setInterval = () => 0');
    const { page } = await openSignedIn(visitor.context, here.url);
    await page.goto(`${here.url}/account`);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    await visitor.context.close();
  });

  it('the account page asks before a sign-out that would lose an upload, and not once more when it leaves', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    // This browser keeps nothing, so leaving the page would lose the file.
    await page.addInitScript("indexedDB.open = () => { throw new Error('no storage'); }");
    await signUp(here, visitor);
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/file/upload*', async (route) => {
      await gate.promise;
      await route.abort().catch(() => undefined);
    });
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.getByLabel(/Drop files here/).setInputFiles(note);
    await page.locator('.upload', { hasText: 'note.txt' }).waitFor();
    const question = page.getByRole('dialog', { name: 'Sign out during an upload?' });
    for (const button of ['Sign out', 'Sign out everywhere']) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await question.getByText('If you sign out now, they are not stored.').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
    }
    assert.equal(new URL(page.url()).pathname, '/account');
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await question.getByRole('button', { name: 'Sign out anyway' }).click();
    await page.waitForURL(`${here.url}/`);
    assert.deepEqual(dialogs, []);
    gate.resolve();
    await visitor.context.close();
  });
});
