// The documentation in a browser: search by keyboard, languages that are remembered, anchors, no script, axe, and 320 pixels.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import { openPageStage } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage();
/** The other kinds of pages are looks, which test/web/look.slow.test.ts judges in the same way. */
const pages = ['/docs/api/file', '/docs/api/schemas'];

describe('the documentation in a browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the search is reached with /, finds by words, and opens the result with Enter', async () => {
    const { page, problems } = await here.visit();
    await page.goto(`${here.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('otp inval');
    const first = page.getByRole('option').first();
    await first.waitFor();
    assert.match((await first.textContent()) ?? '', /^OTP_INVALID/);
    assert.equal(await page.locator('#search').getAttribute('aria-activedescendant'), 'result-0');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#OTP_INVALID');
    await page.keyboard.press('/');
    await page.keyboard.type('retention trash');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#search-results').isHidden(), true);
    assert.deepEqual(problems(), []);
  });

  it('the language of examples is chosen once, for all endpoints and for the next page', async () => {
    const { page, problems } = await here.visit();
    await page.goto(`${here.url}/docs/api/auth`);
    await page.locator('#me .tabs').getByText('Python', { exact: true }).click();
    const shown = (id: string) => page.locator(`#${id} .tabs pre:visible`).textContent();
    assert.match((await shown('signInWithPhone')) ?? '', /^import json, urllib\.request/);
    await page.goto(`${here.url}/docs/api/file`);
    assert.match((await shown('uploadFile')) ?? '', /open\("me\.jpg", "rb"\)/);
    await page.locator('#uploadFile .tabs input:checked').focus();
    await page.keyboard.press('ArrowLeft');
    assert.match((await shown('listFiles')) ?? '', /^const response = await fetch/);
    assert.deepEqual(problems(), []);
  });

  it('an old address of an endpoint leads to its place in the reference', async () => {
    const { page } = await here.visit();
    await page.goto(`${here.url}/docs#signInWithPhone`);
    await page.waitForURL('**/docs/api/auth#signInWithPhone');
    assert.equal(await page.locator('#signInWithPhone').isVisible(), true);
  });

  it('everything can be read without a script, also examples in another language', async () => {
    const { page, problems } = await here.visit({ javaScriptEnabled: false });
    await page.goto(`${here.url}/docs/files`);
    assert.equal(await page.locator('main h1').isVisible(), true);
    assert.equal(await page.locator('.search').isVisible(), false);
    await page.goto(`${here.url}/docs/api/auth`);
    await page.locator('#me .tabs').getByText('TypeScript', { exact: true }).click();
    assert.equal(await page.locator('#me [data-panel="1"]').isVisible(), true);
    assert.equal(await page.locator('#me [data-panel="0"]').isVisible(), false);
    assert.deepEqual(problems(), []);
  });

  it('the parts of the reference have no axe violation, in light or in dark, and fit a screen 320 pixels wide', async () => {
    const { page, problems } = await here.visit({ colorScheme: 'light' });
    const usual = page.viewportSize() ?? assert.fail();
    for (const path of pages) {
      await page.goto(`${here.url}${path}`);
      assert.deepEqual(await findViolations(page), [], path);
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      assert.deepEqual(await findViolations(page, 'colours'), [], `${path}, dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path);
      await page.setViewportSize(usual);
    }
    assert.deepEqual(problems(), []);
  });
});
