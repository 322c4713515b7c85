// Details of the pages: long values on narrow screens, the menu of a file by keyboard, links of local mode, and no jumps.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, newPhone, openPageStage, shownPhone, signUp } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { addEmail, chooseAction, growOld } from './account-pages.ts';

const stage = await openPageStage();

describe('the details of the pages', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  const longest = `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`;
  const picture = { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(64, 40) };
  const store = async (page: Page, file: typeof picture) => {
    await page.getByLabel(/Drop files here/).setInputFiles(file);
    await page.locator('.tile').first().waitFor();
  };

  /** What sticks out of the screen, by its class. Long words may be cut, but not pushed out. */
  const findOverflow = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('body *:not(.visually-hidden, .visually-hidden *, .tile-name > *)')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 && one.checkVisibility())
      .map((one) => one.tagName + '.' + one.className)
      .concat(document.documentElement.scrollWidth > innerWidth ? ['the page'] : [])`);

  it('an e-mail address of 254 characters and a long file name fit a screen 320 pixels wide', async () => {
    assert.equal(longest.length, 254);
    const visitor = await here.visit({ viewport: { width: 320, height: 640 } });
    visitor.forgive(401, 403);
    const { page } = visitor;
    await page.goto(`${here.url}/#email`);
    await page.getByLabel('E-mail address').fill(longest);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    assert.deepEqual(await findOverflow(page), [], 'check your e-mail');
    await page.goto('about:blank');
    await signUp(here, visitor);
    await addEmail(here, visitor, longest);
    const name = `${'very-long-name'.repeat(14)}.png`;
    await store(page, { ...picture, name });
    assert.equal(await page.locator('.tile-name').getAttribute('title'), name);
    assert.deepEqual(await findOverflow(page), [], 'account');
    await chooseAction(page, name, 'Share');
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findOverflow(page), [], 'share');
    await page.keyboard.press('Escape');
    await growOld(here, visitor);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByLabel('Six-digit code').waitFor();
    assert.deepEqual(await findOverflow(page), [], 'proof');
    await page.goto(`${here.url}/inbox`);
    await page.locator('.list button').first().waitFor();
    assert.deepEqual(await findOverflow(page), [], 'inbox');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the menu of a file opens, moves and closes by keyboard, gives the focus back, and closes after a click elsewhere', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await store(page, picture);
    const button = page.getByRole('button', { name: 'More actions: garden.png' });
    const menu = page.getByRole('menu');
    const focused = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    const isOn = (text: string) => eventually(async () => (await focused()) === text);
    await button.focus();
    await page.keyboard.press('ArrowDown');
    await isOn('Share');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    for (const [key, item] of [
      ['ArrowDown', 'Delete'],
      ['ArrowDown', 'Share'],
      ['ArrowUp', 'Delete'],
      ['Home', 'Share'],
      ['End', 'Delete'],
    ] as const) {
      await page.keyboard.press(key);
      await isOn(item);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await isOn('More actions: garden.png');
    const top = async (one: typeof menu) => (await one.boundingBox())?.y ?? assert.fail();
    for (const [edge, isBelow] of [
      ['center', true],
      ['end', false],
    ] as const) {
      await button.evaluate((element, block) => element.scrollIntoView({ block }), edge);
      await page.keyboard.press('Enter');
      await menu.waitFor();
      assert.equal((await top(menu)) > (await top(button)), isBelow, `a button at the ${edge} of the screen`);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      await isOn('More actions: garden.png');
    }
    await button.click();
    await menu.waitFor();
    await page.getByRole('heading', { name: 'Your account' }).click();
    await menu.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the header links to the inbox and the API reference only in local mode', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const links = () => page.locator('header a').allInnerTexts();
    await page.goto(here.url);
    await page.getByLabel('Phone number').waitFor();
    assert.deepEqual((await links()).slice(1), ['Sign in', 'Inbox', 'API reference']);
    await page.route(`${here.url}/`, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      assert.match(body, /&quot;isLocal&quot;:true/);
      await route.fulfill({ response, body: body.replace('&quot;isLocal&quot;:true', '&quot;isLocal&quot;:false') });
    });
    await page.goto(here.url);
    await page.getByLabel('Phone number').waitFor();
    assert.deepEqual((await links()).slice(1), []);
    await visitor.context.close();
  });

  it('nothing above the files moves when the account, the purposes and the files arrive', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const gate = Promise.withResolvers<void>();
    for (const path of ['**/api/file/purposes', '**/api/file?*'])
      await page.route(path, async (route) => {
        await gate.promise;
        await route.continue();
      });
    await page.reload();
    await page.locator('.card:has(#files) .skeleton.tiles').waitFor();
    const places = () =>
      page.evaluate(`['#files', '.drop-zone'].map((name) => {
        const { top, left, width, height } = document.querySelector(name).getBoundingClientRect();
        return [name, top + scrollY, left, width, height].join(' ');
      })`);
    const before = await places();
    gate.resolve();
    await page.getByText('No files yet').waitFor();
    await page.getByText('Pictures, documents, recordings').waitFor();
    assert.deepEqual(await places(), before);
    assert.equal(await page.locator('.files .skeleton').count(), 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a button keeps its width while it is busy, and says so', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const gate = Promise.withResolvers<void>();
    await page.route('**/send/otp', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await signInAsFarAsTheCode(page);
    const button = page.getByRole('button', { name: 'Send code' });
    const width = async () => (await button.locator('span').boundingBox())?.width;
    const before = await width();
    await button.click();
    await page.locator('button[aria-busy="true"]').waitFor();
    assert.equal(await width(), before);
    await page.locator('button .spinner').waitFor();
    gate.resolve();
    await page.getByLabel('Six-digit code').waitFor();
    await visitor.context.close();
  });

  const signInAsFarAsTheCode = async (page: Page) => {
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(newPhone().typed);
  };

  it('a session of a back end is shown as an app or server', async () => {
    const visitor = await here.visit({ userAgent: 'node' });
    await signUp(here, visitor);
    await visitor.page.locator('.device', { hasText: 'App or server' }).getByText('This device').waitFor();
    await visitor.context.close();
  });

  it('a file that is not what its name says is refused with what the user can do, and no purpose that would refuse it too', async () => {
    const visitor = await here.visit();
    visitor.forgive(415, 422);
    const { page } = visitor;
    await signUp(here, visitor);
    for (const purpose of ['', 'avatar']) {
      await page.getByLabel('Upload as').selectOption(purpose);
      await page.getByLabel(/Drop files here/).setInputFiles({ ...picture, buffer: Buffer.from('hello, I am a text') });
      const row = page.locator('.upload.bad');
      await row
        .getByText(
          /^The content of this file is not what its name says\. Choose the original file, or one of these types: JPG, PNG/,
        )
        .waitFor();
      assert.equal(await row.locator('select').count(), 0);
      await row.getByRole('button', { name: 'Dismiss' }).click();
      await row.waitFor({ state: 'detached' });
    }
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('phone numbers, sizes and times are written as in the language of the page', async () => {
    const visitor = await here.visit({ locale: 'de-DE' });
    const { page } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Land').selectOption('GB');
    await page.getByLabel('Telefonnummer').fill(typed);
    await page.getByRole('button', { name: 'Code senden' }).click();
    await page.getByText(`Wir haben einen Code an ${shownPhone(phone)} gesendet.`).waitFor();
    await page.getByRole('button', { name: /Posteingang/ }).click();
    await page.waitForURL('**/account');
    await page.getByText(/^0\sBytes?\svon\s2\sGB\sbelegt$/).waitFor();
    await visitor.context.close();
  });
});
