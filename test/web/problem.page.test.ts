// Problems in a real browser: the page about them, and the way from a file through the sign-in page back to the file.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import {
  codeIn,
  eventually,
  openPageStage,
  shownPhone,
  signOut,
  signUp,
  type Visitor,
} from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';

const stage = await openPageStage();

describe('problems in a real browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  /** Stores a file of the user of the page, and returns its address. */
  async function storeFile({ page }: Visitor, purpose: string, type: string, content: string): Promise<string> {
    const id = await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(content)}), (one) => one.charCodeAt(0));
      const headers = { 'content-type': ${JSON.stringify(type)} };
      const address = '/api/file/upload?name=a.file&purpose=${purpose}';
      const response = await fetch(address, { method: 'POST', headers, body: bytes });
      return (await response.json()).data.id;
    })()`);
    return `${here.url}/file/${String(id)}`;
  }

  async function signInHere({ page }: Visitor, phone: string): Promise<void> {
    const known = (await here.messages(phone)).length;
    await page.getByLabel('Phone number').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    await eventually(async () => (await here.messages(phone)).length > known);
    const [message] = await here.messages(phone);
    await page.getByLabel('Six-digit code').fill(codeIn(message ?? assert.fail()));
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`the page about a problem is accessible, fits a phone and blocks nothing of its own, in ${colorScheme}`, async () => {
      const visitor = await here.visit({ colorScheme, viewport: { width: 320, height: 640 } });
      visitor.forgive(404);
      const { page } = visitor;
      const answer = await page.goto(`${here.url}/account/nonsense`);
      assert.equal(answer?.status(), 404);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByText('There is nothing at this URL.').waitFor();
      assert.deepEqual(await findViolations(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      // The style is in use: its digest is the one of the policy.
      assert.equal(await page.evaluate('getComputedStyle(document.querySelector(".frame")).display'), 'flex');
      const brand = `(({ innerHTML }) => innerHTML.replaceAll('></path>', '/>'))(document.querySelector('.brand'))`;
      const shown = await page.evaluate(brand);
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await page.getByLabel('Phone number').waitFor();
      assert.equal(await page.evaluate(brand), shown, 'the mark is that of the other pages');
      assert.deepEqual(visitor.problems(), []);
      await visitor.context.close();
    });
  }

  it('a file that is opened by a user who is not signed in is shown after the sign-in', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const phone = await signUp(here, visitor);
    const file = await storeFile(visitor, 'image', 'image/png', pngOf(32, 32).toString('base64'));
    await signOut(here, visitor);
    await page.goto(file);
    assert.equal(page.url(), `${here.url}/?next=${new URL(file).pathname}`);
    await signInHere(visitor, phone);
    await page.waitForURL(file);
    assert.equal(await page.evaluate('document.images[0].naturalWidth'), 32);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a file is shown at once if only the access token has expired, and a session that has ended does not lead in circles', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    visitor.forgive(401);
    await signUp(here, visitor);
    const file = await storeFile(visitor, 'image', 'image/png', pngOf(32, 32).toString('base64'));
    await context.clearCookies({ name: 'JWT' });
    await page.goto(file);
    await page.waitForURL(file);
    await context.clearCookies();
    let visits = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) visits += 1;
    });
    await page.goto(file);
    await eventually(
      async () =>
        (await page.evaluate("Object.values(localStorage).some((text) => text.includes('refreshAt'))")) === false,
    );
    await page.getByLabel('Phone number').waitFor();
    // The file, and the sign-in page that it leads to.
    assert.equal(visits, 2);
    await context.close();
  });

  it('a file that the browser saves leaves a page that says that the user is signed in', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const phone = await signUp(here, visitor);
    const file = await storeFile(visitor, 'attachment', 'text/plain', Buffer.from('a text').toString('base64'));
    await signOut(here, visitor);
    await page.goto(`${file}?download=1`);
    const saved = page.waitForEvent('download');
    await signInHere(visitor, phone);
    assert.equal(new URL((await saved).url()).search, '?download=1');
    await page.getByText('You are signed in.').waitFor();
    await page.getByRole('link', { name: 'Account' }).first().click();
    await page.getByText(shownPhone(phone)).waitFor();
    await visitor.context.close();
  });
});
