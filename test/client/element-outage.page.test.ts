// The element <gatehouse-sign-in> while its service is half dead: nothing waits for ever, and nothing that the user typed is lost.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { askForCode, codeFor } from '../helpers/browser/element-steps.ts';
import { openPageStage } from '../helpers/browser/page-stage.ts';
import { type Mood, openHalfDeadProxy } from '../helpers/client/half-dead-proxy.ts';
import { openHostPage } from '../helpers/client/host-page.ts';

const textsLine = 'GET /gatehouse-sign-in/texts.json';
const sendLine = 'POST /api/auth/phone/send/otp';
const signInLine = 'POST /api/auth/phone/login';
const refreshLine = 'POST /api/auth/refresh-token';

const host = await openHostPage();
const stage = await openPageStage({ CORS_ORIGINS: host.origin });

describe('the element while its service is half dead', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    host.close();
    await here.close();
  });

  /** The script comes from the service, the calls go through a proxy. */
  const open = async (prepare: (page: Page) => Promise<void> = async () => undefined, moods: [Mood, string][] = []) => {
    const proxy = await openHalfDeadProxy(here.url);
    for (const [mood, line] of moods) proxy.set(mood, line);
    const html = `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,">
      <script type="module" src="${here.url}/gatehouse-sign-in.js"></script>
      <script>globalThis.events = [];
        document.addEventListener('gatehouse-error', ({ detail }) => events.push(detail.code));</script>
      <gatehouse-sign-in base-url="${proxy.url}"></gatehouse-sign-in></html>`;
    host.serve({ '/index.html': html }, '');
    const { page, context } = await here.visit();
    await prepare(page);
    await page.goto(host.origin);
    const close = async () => {
      proxy.close();
      await context.close();
    };
    return { page, proxy, close };
  };

  it('texts that never arrive end in a message, and load when the user tries again', async () => {
    const { page, proxy, close } = await open((page) => page.clock.install(), [['hang', textsLine]]);
    while (proxy.count(textsLine) === 0) await page.clock.runFor(10);
    await page.clock.fastForward(11_000);
    await page.getByText('The service cannot be reached.').waitFor();
    assert.deepEqual(await page.evaluate('events'), ['NETWORK']);
    proxy.recover();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Phone number').waitFor();
    await close();
  });

  for (const mood of [200, 401] as const)
    it(`the page of a portal with the status ${mood} is not taken for the texts, which load when the device is online again`, async () => {
      const { page, proxy, close } = await open(undefined, [[mood, textsLine]]);
      await page.getByText('The service cannot be reached.').waitFor();
      proxy.recover();
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.getByLabel('Phone number').waitFor();
      await close();
    });

  it('JSON of a portal is not taken for the texts', async () => {
    const texts = '**/gatehouse-sign-in/texts.json';
    const answer = { json: {}, headers: { 'access-control-allow-origin': '*' } };
    const portal = async (page: Page) => void (await page.route(texts, (route) => route.fulfill(answer)));
    const { page, close } = await open(portal);
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute(texts);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Phone number').waitFor();
    await close();
  });

  it('a typed code stays in its field while the service does not judge it, and signs in afterwards', async () => {
    const { page, proxy, close } = await open();
    const code = await codeFor(here.url, await askForCode(page));
    const field = page.getByLabel('Six-digit code');
    const failures: readonly Mood[] = [503, 401, { success: false, message: 'Wait.', codeError: 'RATE_LIMITED' }];
    for (const [index, mood] of failures.entries()) {
      proxy.set(mood, signInLine);
      if (index === 0) await field.fill(code);
      else await page.keyboard.press('Enter');
      await page.waitForFunction(
        (count) => (globalThis as unknown as { events: [] }).events.length === count,
        index + 1,
      );
      assert.equal(await field.inputValue(), code);
      assert.equal(await field.getAttribute('aria-invalid'), 'false');
    }
    proxy.recover();
    // What is typed over the kept code replaces it.
    await page.keyboard.type(code === '000000' ? '000001' : '000000');
    await page.getByRole('alert').filter({ hasText: 'The code is incorrect.' }).waitFor();
    assert.equal(await field.inputValue(), '');
    await field.fill(code);
    await page.getByText('You are signed in').waitFor();
    await close();
  });

  it('a typed code stays when a new one cannot be sent', async () => {
    const { page, proxy, close } = await open((page) => page.clock.install());
    await askForCode(page);
    await page.getByLabel('Six-digit code').fill('123');
    proxy.set(503, sendLine);
    await page.clock.fastForward(600_000);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.waitForFunction('events.length > 0');
    assert.equal(await page.getByLabel('Six-digit code').inputValue(), '123');
    await close();
  });

  it('the client of the element renews with the token of its device, also after a lost answer', async () => {
    const { page, proxy, close } = await open();
    const code = await codeFor(here.url, await askForCode(page));
    await page.getByLabel('Six-digit code').fill(code);
    await page.getByText('You are signed in').waitFor();
    const refresh = () =>
      page.evaluate(
        "document.querySelector('gatehouse-sign-in').client.refresh().then(() => 'done', ({ code }) => code)",
      );
    proxy.set('lose', refreshLine);
    assert.equal(await refresh(), 'NETWORK');
    proxy.recover();
    assert.equal(await refresh(), 'done');
    const sent = proxy.lines.filter(({ line }) => line === refreshLine).map(({ headers }) => headers['device-token']);
    assert.match(String(sent[0]), /^[\w-]{75}$/);
    assert.deepEqual([...new Set(sent)], [sent[0]]);
    await close();
  });
});
