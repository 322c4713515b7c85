// The examples with drop-in components, as their reader uses them: one command, a browser, a user with files.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolationsInShadow } from '../helpers/browser/axe.ts';
import { openBrowser, watch } from '../helpers/browser/browser.ts';
import { signIn } from '../helpers/browser/element-steps.ts';
import { eventually } from '../helpers/browser/page-stage.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { openExample, type RunningExample } from '../helpers/services/example.ts';

const browser = await openBrowser('engine');

describe('the examples with components', { skip: browser === undefined }, () => {
  const chromium = browser ?? assert.fail();
  after(() => chromium.close());

  async function visit({ url }: RunningExample): Promise<Page> {
    const viewport = { width: 320, height: 700 };
    // Colours that still change are those of neither scheme.
    const context = await chromium.newContext({ locale: 'en-GB', viewport, reducedMotion: 'reduce' });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('Phone number').waitFor();
    return page;
  }

  async function enter(page: Page, { gatehouseUrl }: RunningExample): Promise<string> {
    const phone = await signIn(page, gatehouseUrl);
    // The step before shows the number too.
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return phone;
  }

  /** On a small phone, in both colour schemes. */
  async function judge(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await findViolationsInShadow(page), []);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    }
  }

  it('plain-html: a user signs in, adds a document, sees it after a reload, deletes it and signs out', async () => {
    const example = await openExample('plain-html');
    try {
      await example.start();
      const page = await visit(example);
      const { problems } = watch(page, example.url, example.gatehouseUrl);
      await judge(page);
      const phone = await enter(page, example);
      const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear reader') };
      await page.locator('#file').setInputFiles(file);
      await page.getByRole('link', { name: 'letter.txt' }).waitFor();
      await judge(page);
      await page.reload();
      await page.getByText(phone).waitFor();
      await page.getByRole('button', { name: 'Delete letter.txt' }).click();
      await page.getByText('There is nothing here yet.').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Phone number').waitFor();
      assert.deepEqual(problems, []);
      assert.equal(await example.stop(), 0, example.said());
    } finally {
      await example.close();
    }
  });

  it('react-spa: a user signs in, adds a picture, sees it after a reload, deletes it and signs out', async () => {
    const example = await openExample('react-spa');
    try {
      await example.start();
      const page = await visit(example);
      const { problems } = watch(page, example.url, example.gatehouseUrl);
      await judge(page);
      const phone = await enter(page, example);
      const file = { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(64, 48) };
      await page.getByLabel('Add picture').setInputFiles(file);
      const isShown = () => page.evaluate<boolean>("document.querySelector('.grid img')?.naturalWidth === 64");
      await eventually(isShown);
      await judge(page);
      await page.reload();
      await page.getByText(phone).waitFor();
      await eventually(isShown);
      await page.getByRole('button', { name: 'Delete garden.png' }).click();
      await page.getByText('Your album is empty.').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Phone number').waitFor();
      assert.deepEqual(problems, []);
      assert.equal(await example.stop(), 0, example.said());
    } finally {
      await example.close();
    }
  });
});
