// The look of the pages: axe in light and dark, 320 pixels wide, keyboard alone, script size, headers.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { findViolations } from '../helpers/browser/axe.ts';
import { eventually, newPhone, shownPhone, signUp } from '../helpers/browser/page-stage.ts';
import { looks } from './look/looks.ts';
import { openTour, tourLanguages } from './look/tour.ts';

const tour = await openTour();
const sizeLimit = 25 * 1024;

describe('every page', { skip: tour === undefined }, () => {
  const { stage: here, show, close } = tour ?? assert.fail();
  after(close);

  /** The elements that reach over the edge of the screen, for the message. */
  const findWide = `[...document.querySelectorAll('body *')]
    .filter((element) => { const { left, right } = element.getBoundingClientRect(); return right > innerWidth + 0.5 || left < -0.5; })
    .slice(0, 5).map((element) => element.outerHTML.slice(0, 120))`;

  async function fits(page: Page, name: string): Promise<void> {
    const usual = page.viewportSize() ?? assert.fail();
    await page.setViewportSize({ width: 320, height: 640 });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, 320, `${name} at 320 pixels: ${await page.evaluate<string[]>(findWide)}`);
    await page.setViewportSize(usual);
  }

  for (const look of looks)
    it(`${look.name} has no axe violation in light and in dark mode, no error, and fits a screen 320 pixels wide`, async () => {
      const { page } = await show(look, 'en');
      assert.deepEqual(await findViolations(page), []);
      // The scheme changes only colours, so the dark mode is checked only for colours.
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      const scope = look.hasBothSchemes ? 'everything' : 'colours';
      assert.deepEqual(await findViolations(page, scope), [], 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await fits(page, look.name);
    });

  for (const language of tourLanguages.filter((one) => one !== 'en'))
    it(`every look fits a screen 320 pixels wide from right to left, in ${language}`, async () => {
      for (const look of looks) await fits((await show(look, language)).page, look.name);
    });

  it('one pale text among hundreds that look alike is found, and nothing stays hidden', async () => {
    const visitor = await here.visit({ colorScheme: 'light' });
    const { page } = visitor;
    await page.goto(`${here.url}/docs/errors`);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.evaluate(
      `[...document.querySelectorAll('code')].at(-1).style.setProperty('color', 'rgb(250, 250, 250)')`,
    );
    const pale = (await findViolations(page, 'colours')).filter((each) => each.startsWith('color-contrast '));
    assert.equal(pale.length, 1);
    assert.match(pale[0] ?? '', /^color-contrast <code [^>]*style="color: rgb\(250, 250, 250\);"/);
    assert.equal(await page.evaluate('document.documentElement.scrollHeight'), height);
    await visitor.context.close();
  });

  it('a user can sign up and sign out by keyboard alone', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await eventually(async () => (await page.evaluate('document.activeElement?.name')) === 'phone');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /from the inbox/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    await page.getByText(shownPhone(phone)).waitFor();
    const button = page.getByRole('button', { name: 'Sign out', exact: true });
    await button.waitFor();
    for (let round = 0; (await page.evaluate('document.activeElement?.textContent')) !== 'Sign out'; round++) {
      assert.ok(round < 60, 'the button is not reached');
      await page.keyboard.press('Tab');
    }
    await visitor.leave(async () => {
      await page.keyboard.press('Enter');
      await page.waitForURL(`${here.url}/`);
    });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page loads at most 25 KB of compressed script, from immutable URLs', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const scripts: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      assert.equal(response.headers()['cache-control'], 'public, max-age=31536000, immutable');
      assert.ok(['br', 'gzip'].includes(response.headers()['content-encoding'] ?? ''));
      scripts.push(response.body().then((body) => gzipSync(body).length));
    });
    await signUp(here, visitor);
    // A browser discards response bodies when it leaves the page.
    await Promise.all(scripts);
    await page.goto('about:blank');
    const phoneOnly = await here.visit();
    const sizes: Promise<number>[] = [];
    phoneOnly.page.on('response', (response) => {
      if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await phoneOnly.page.goto(here.url);
    await phoneOnly.page.getByLabel('Phone number').fill(newPhone().typed);
    await phoneOnly.page.getByRole('button', { name: 'Send code' }).click();
    await phoneOnly.page.getByLabel('Six-digit code').waitFor();
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(total > 1000 && total <= sizeLimit, `${total} bytes`);
    assert.ok((await Promise.all(scripts)).length > sizes.length);
    await visitor.context.close();
    await phoneOnly.context.close();
  });

  it('every page has a content security policy without inline script, inline style or other hosts', async () => {
    for (const path of ['/', '/account', '/inbox', '/login/link', '/not-me', '/docs', '/docs/errors']) {
      const response = await fetch(`${here.url}${path}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.ok(!/unsafe|https?:|\*|blob:.*script/.test(policy), policy);
      const page = await response.text();
      assert.ok(!/<script>|<style|style=|onclick=/.test(page), path);
    }
  });
});
