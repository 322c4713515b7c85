// The example app as its reader uses it: one command, a browser, support that blocks, an app that was down.
import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../../helpers/browser/axe.ts';
import { openBrowser, watch } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/browser/page-stage.ts';
import { pngOf } from '../../helpers/browser/pictures.ts';
import { because } from '../../helpers/services/command-line.ts';
import { addNote, openNotesExample, signInToNotes } from '../../helpers/services/notes-example.ts';

const browser = await openBrowser('engine');

describe('the example app', { skip: browser === undefined }, async () => {
  const chromium = browser ?? assert.fail();
  const example = await openNotesExample();
  before(() => example.start());
  after(async () => {
    await chromium.close();
    await example.close();
  });

  async function visit(options: { width?: number; colorScheme?: 'light' | 'dark' } = {}): Promise<Page> {
    const { width = 900, colorScheme = 'light' } = options;
    const context = await chromium.newContext({ locale: 'en-GB', colorScheme, viewport: { width, height: 700 } });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(example.url);
    return page;
  }

  const signIn = (page: Page) => signInToNotes(page, example);

  /** What support does on the command line. */
  async function support(verb: string, phone: string): Promise<void> {
    const { code, stderr } = await example.gatehouse('receiver', 'users', verb, phone, ...because);
    assert.equal(code, 0, stderr);
  }

  it('a user signs in, writes a note with a picture, and others see it under a masked number', async () => {
    const [ann, bob] = [await visit(), await visit()];
    const { problems } = watch(ann, example.url, example.gatehouseUrl);
    const phone = await signIn(ann);
    await addNote(ann, 'Water the garden', pngOf(64, 48));
    await eventually(() => ann.evaluate('document.querySelector("#notes img")?.naturalWidth === 64'));
    await signIn(bob);
    const item = bob.getByRole('listitem').filter({ hasText: 'Water the garden' });
    await item.getByText(new RegExp(`\\+44•+${phone.slice(-3)}`)).waitFor();
    await eventually(() => bob.evaluate('document.querySelector("#notes img")?.naturalWidth === 64'));
    assert.ok(!(await bob.content()).includes(phone.slice(3, -3)));
    assert.equal(await item.getByRole('button', { name: 'Remove' }).count(), 0);
    assert.deepEqual(problems, []);
  });

  it('a user becomes pro, and the badge comes from the next token', async () => {
    const page = await visit();
    await signIn(page);
    assert.equal(await page.locator('#pro').isVisible(), false);
    await page.getByRole('button', { name: 'Become pro' }).click();
    await page.locator('#pro').waitFor();
    await page.reload();
    await page.locator('#pro').waitFor();
  });

  it('the app says that support has blocked the user', async () => {
    const page = await visit();
    const phone = await signIn(page);
    await support('block', phone);
    await page.getByText('Support has blocked your account.').waitFor();
    assert.equal(await page.getByLabel('New note').isVisible(), false);
  });

  it('the app says that a session was ended from outside', async () => {
    const page = await visit();
    const phone = await signIn(page);
    await support('sign-out', phone);
    await page.getByText(/Your session has ended/).waitFor();
  });

  it('a deleted account takes its notes along', async () => {
    const [ann, bob] = [await visit(), await visit()];
    await signIn(bob);
    await signIn(ann);
    await addNote(ann, 'Only for a short time');
    await bob.getByText('Only for a short time').waitFor();
    ann.on('dialog', (dialog) => void dialog.accept());
    await ann.getByRole('button', { name: 'Delete account' }).click();
    await ann.getByText('Your account and your notes have been deleted.').waitFor();
    await bob.getByText('Only for a short time').waitFor({ state: 'detached' });
    // The receiver answers after it has applied an event: this one came by webhook.
    await eventually(async () => {
      const { data } = await example.gatehouse('receiver', 'webhooks', 'list', '--json');
      const deletions = data.webhooks.filter(({ type }: { type: string }) => type === 'user.deleted');
      return deletions.length === 1 && deletions[0].state === 'delivered';
    });
  });

  it('the webhook receiver refuses an event that Gatehouse has not signed', async () => {
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const body = JSON.stringify({ id: 'a', type: 'user.deleted', version: 1, timestamp: '', data: { userId: 'x' } });
    for (const signature of [undefined, 'v1,AAAA']) {
      const signed = { ...headers, ...(signature !== undefined && { 'webhook-signature': signature }) };
      const { status } = await fetch(`${example.url}/hooks/gatehouse`, { method: 'POST', headers: signed, body });
      assert.equal(status, 400);
    }
  });

  it('the API of the app refuses calls without a token, with a forged one, and from pages of other origins', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${example.url}/api/notebook`, { headers })).status;
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization: 'Bearer a.b.c' }), 401);
    assert.equal(await ask({ origin: 'https://elsewhere.example' }), 403);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`the pages have no axe violation and no sideways scrolling on a small phone in ${colorScheme} mode`, async () => {
      const page = await visit({ width: 320, colorScheme });
      const judge = async () => {
        assert.deepEqual(await findViolations(page), []);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      };
      await page.getByLabel('Phone number').waitFor();
      await judge();
      await signIn(page);
      await addNote(page, `A word that is wider than the ${colorScheme} page: `.padEnd(200, 'x'));
      await judge();
    });

  it('the key and the secret of the app are in files that only the owner can read', () => {
    for (const name of ['service-key', 'webhook-secret'])
      assert.equal(statSync(join(example.data, name)).mode & 0o777, 0o600, name);
  });

  it('an app that was down when a user was deleted has caught up when it answers again', async () => {
    const [ann, bob] = [await visit(), await visit()];
    await signIn(bob);
    await addNote(bob, 'Still here after the stop');
    const phone = await signIn(ann);
    await addNote(ann, 'Written before the stop');
    assert.equal(await example.stop(), 0, example.said());
    assert.deepEqual(example.processes(), []);
    const words = ['users', 'delete', phone, '--yes', ...because];
    assert.equal((await example.gatehouse('no receiver', ...words)).code, 0);
    await example.start();
    await bob.reload();
    await bob.getByLabel('New note').waitFor();
    await bob.getByText('Still here after the stop').waitFor();
    assert.equal(await bob.getByText('Written before the stop').count(), 0);
  });

  it('the example starts anew when the data of Gatehouse are lost', async () => {
    assert.equal(await example.stop(), 0, example.said());
    rmSync(join(example.data, 'gatehouse'), { recursive: true });
    await example.start();
    const page = await visit();
    await signIn(page);
    await addNote(page, 'Written after the loss');
  });

  it('a second start on the same port says what to do, and the first goes on', async () => {
    const other = await openNotesExample();
    try {
      const server = createServer().listen(other.ports.app, 'localhost');
      assert.equal(await other.startInVain(), 1);
      assert.match(
        other.said(),
        new RegExp(`Port ${other.ports.app} is in use .*EXAMPLE_PORT=\\d+ npm run example -- notes`),
      );
      server.close();
    } finally {
      await other.close();
    }
    assert.equal((await fetch(example.url)).status, 200);
  });
});
