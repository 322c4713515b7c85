// The brand on the pages: computed colours of the sign-in page in light and dark, and the preview with every message.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { findViolations } from '../helpers/browser/axe.ts';
import { eventually, openPageStage } from '../helpers/browser/page-stage.ts';
import { createBrandFolder, northwind } from '../helpers/services/brand-folder.ts';

const folder = createBrandFolder();
const stage = await openPageStage({ BRAND_FILE: folder.file });

/** What the functions below use of the browser. */
type Window = { getComputedStyle(element: unknown): Readonly<Record<string, string>> };
type Picture = { readonly complete: boolean; readonly naturalWidth: number; readonly currentSrc: string };

const colourOf = (place: Locator, property: 'color' | 'backgroundColor') =>
  place.evaluate((element, name) => (globalThis as unknown as Window).getComputedStyle(element)[name], property);

const pictureOf = (place: Locator) =>
  place.evaluate((element) => {
    const { complete, naturalWidth, currentSrc } = element as unknown as Picture;
    return { isShown: complete && naturalWidth > 0, currentSrc };
  });

describe('the brand on the pages', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    await here.close();
    folder.remove();
  });

  for (const [colorScheme, accent, onAccent] of [
    ['light', 'rgb(15, 118, 110)', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(121, 208, 198)', 'rgb(11, 12, 15)'],
  ] as const)
    it(`the sign-in page has the logo, the accent and the links in ${colorScheme}`, async () => {
      const { page, context, problems } = await here.visit({ colorScheme });
      await page.goto(`${here.url}/`);
      const button = page.getByRole('button', { name: 'Send code' });
      await button.waitFor();
      await eventually(async () => (await colourOf(button, 'backgroundColor')) === accent);
      assert.equal(await colourOf(button, 'color'), onAccent);
      const logo = page.getByRole('img', { name: 'Northwind' });
      await eventually(async () => (await pictureOf(logo)).isShown);
      assert.match((await pictureOf(logo)).currentSrc, new RegExp(`logo-${colorScheme}`));
      assert.equal(
        await page.getByRole('link', { name: 'Terms' }).getAttribute('href'),
        'https://northwind.example/terms',
      );
      assert.equal(
        await page.getByRole('link', { name: 'Support' }).getAttribute('href'),
        'mailto:help@northwind.example',
      );
      assert.equal(await page.getByRole('link', { name: 'Privacy' }).count(), 0);
      assert.deepEqual(problems(), []);
      await context.close();
    });

  it('the preview shows light and dark side by side, each SMS with its segments, and each mail', async () => {
    const { page, context, problems } = await here.visit({ colorScheme: 'dark' });
    await page.goto(`${here.url}/brand`);
    for (const [scheme, accent, ground] of [
      ['Light', 'rgb(15, 118, 110)', 'rgb(247, 248, 250)'],
      ['Dark', 'rgb(121, 208, 198)', 'rgb(11, 12, 15)'],
    ] as const) {
      const view = page.getByRole('region', { name: scheme });
      assert.equal(await colourOf(view.getByRole('button', { name: 'Send code' }), 'backgroundColor'), accent);
      assert.equal(await colourOf(view, 'backgroundColor'), ground);
      await view.getByRole('img', { name: 'Northwind' }).waitFor();
      await view.getByRole('alert').getByText('valid').waitFor();
    }
    await page.getByRole('cell', { name: '5.47' }).first().waitFor();
    await page.getByText('012345 is your Northwind code. It works for 5 minutes.').waitFor();
    await page.getByText('Segments: 1 (74 of 160 characters)').waitFor();
    const mails = page.getByRole('region', { name: 'E-mails' });
    const mail = mails.frameLocator('iframe');
    await mail.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await mails.getByRole('combobox', { name: 'Message' }).selectOption('notice.new-device');
    await mails.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await mail.getByRole('link', { name: 'Das war ich nicht' }).waitFor();
    // The check reads one document, and the mail is another.
    await page.evaluate("document.querySelector('iframe').remove()");
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(problems(), []);
    await context.close();
  });

  it('the preview shows a changed file after a reload, and its problems in place', async () => {
    const { page, context, problems } = await here.visit();
    await page.goto(`${here.url}/brand`);
    folder.write({ ...northwind, accent: '#b91c1c', name: 'Southwind', logo: undefined });
    await page.reload();
    const button = page.getByRole('region', { name: 'Light' }).getByRole('button', { name: 'Send code' });
    assert.equal(await colourOf(button, 'backgroundColor'), 'rgb(185, 28, 28)');
    await page.getByRole('region', { name: 'Dark' }).getByText('Southwind').waitFor();
    folder.write({ ...northwind, accent: '#ffcc00' });
    await page.reload();
    await page.getByText('write "#886c00", the nearest colour that works').waitFor();
    folder.write(northwind);
    assert.deepEqual(problems(), []);
    await context.close();
  });
});
