// The look of the pages: axe in light and dark, 320 pixels wide, keyboard alone, script size, headers.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { chooseAction } from '../helpers/account-pages.ts';
import { findViolations } from '../helpers/axe.ts';
import { eventually, newPhone, openPageStage, shownPhone, signUp, type Visitor } from '../helpers/page-stage.ts';
import { pngOf } from '../helpers/pictures.ts';

const stage = await openPageStage();
const sizeLimit = 25 * 1024;

describe('every page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  /** Visits every state that a user sees, and checks each. */
  async function tour(visitor: Visitor, judge: (page: Page, name: string) => Promise<void>): Promise<void> {
    const { page } = visitor;
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill('12');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').getByText('valid').waitFor();
    await judge(page, 'sign in with a refusal');
    await page.getByRole('button', { name: 'Use e-mail instead' }).click();
    await judge(page, 'e-mail');
    await page.getByLabel('E-mail address').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await judge(page, 'mailed');
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(newPhone().typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /from the inbox/ }).waitFor();
    await judge(page, 'code');
    await signUp(here, visitor);
    await page.getByText('This device').waitFor();
    await page.getByLabel('Upload as').selectOption('avatar');
    await page.getByLabel(/Drop files here/).setInputFiles([
      { name: 'me.png', mimeType: 'image/png', buffer: pngOf(64, 64) },
      { name: 'a very long name that must not push anything off the page.exe', mimeType: '', buffer: Buffer.from('x') },
    ]);
    await page.locator('.tile img').waitFor();
    await judge(page, 'account');
    await chooseAction(page, 'me.png', 'Share');
    // The button does nothing while the links are read.
    await page.getByText('There is no link to this file.').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByLabel('New link').inputValue();
    await judge(page, 'account with the dialog that shares a file');
    await page.goto(link);
    await page.getByRole('heading', { name: 'me.png' }).waitFor();
    await judge(page, 'shared file');
    await page.goto(`${link}x`);
    await judge(page, 'link that does not work');
    await page.goto(`${here.url}/account`);
    await chooseAction(page, 'me.png', 'Delete');
    await page.locator('summary', { hasText: 'Deleted files' }).click();
    await judge(page, 'account with deleted files');
    await page.getByRole('button', { name: 'Change phone number' }).click();
    await judge(page, 'account with the form for a new number');
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').waitFor();
    await judge(page, 'account with a dialog');
    await page.goto(`${here.url}/inbox`);
    await page.locator('.bubble').waitFor();
    await judge(page, 'inbox');
    await page.goto(`${here.url}/login/link#${'x'.repeat(43)}`);
    await page.getByRole('alert').getByText(/./).waitFor();
    await judge(page, 'refused link');
    for (const path of ['/docs', '/docs/api', '/docs/api/auth', '/docs/apps', '/docs/errors']) {
      await page.goto(`${here.url}${path}`);
      await judge(page, path);
    }
  }

  it('every page has no axe violation in light and in dark mode, and fits a screen 320 pixels wide', async () => {
    const visitor = await here.visit({ colorScheme: 'light' });
    const { page } = visitor;
    const usual = page.viewportSize() ?? assert.fail();
    visitor.forgive(400, 401, 404, 410);
    await tour(visitor, async (_, name) => {
      assert.deepEqual(await findViolations(page), [], name);
      // The scheme changes only colours, so the dark mode is checked only for colours.
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await findViolations(page, 'colours'), [], `${name}, dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, name);
      await page.setViewportSize(usual);
    });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('one pale text among hundreds that look alike is found, and nothing stays hidden', async () => {
    const visitor = await here.visit({ colorScheme: 'light' });
    const { page } = visitor;
    await page.goto(`${here.url}/docs/errors`);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.evaluate(
      `[...document.querySelectorAll('code')].at(-1).style.setProperty('color', 'rgb(250, 250, 250)')`,
    );
    const found = await findViolations(page);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^color-contrast <code [^>]*style="color: rgb\(250, 250, 250\);"/);
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
