// The pages while the service is half dead: a proxy answers in its place, calls are refused, hang or get lost. Nobody is signed out by that.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import {
  eventually,
  newPhone,
  openPageStage,
  shownPhone,
  signUp,
  type Visitor,
} from '../helpers/browser/page-stage.ts';
import { newestCode } from './account-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-outage-'));
const appsFile = join(folder, 'apps.json');
writeFileSync(
  appsFile,
  JSON.stringify([{ id: 'notes', name: 'Notes', redirectUris: ['http://localhost/livez'], firstParty: false }]),
);
const stage = await openPageStage({ OTP_RESEND_AFTER: '1s,60s', APPS_FILE: appsFile });

const offline = 'The service cannot be reached.';
const slow = 'This is taking longer than usual.';

describe('the pages in an outage', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    await here.close();
    rmSync(folder, { recursive: true });
  });

  async function signedUp(): Promise<Visitor & { readonly phone: string }> {
    const visitor = await here.visit();
    return { ...visitor, phone: await signUp(here, visitor) };
  }

  /** Answers these calls in place of the service until the returned function is called. */
  async function replace(page: Page, path: string, answer: (route: Route) => unknown): Promise<() => Promise<void>> {
    const handle = (route: Route) => void answer(route);
    await page.route(`**${path}`, handle);
    return () => page.unroute(`**${path}`, handle);
  }

  const byProxy = (status: number) => (route: Route) =>
    route.fulfill({ status, contentType: 'text/html', body: `<h1>${status}</h1>` });
  /** Longer than the client repeats a call by itself. */
  const busy = (route: Route) => {
    const json = { success: false, message: 'The service is busy.', codeError: 'SERVICE_UNAVAILABLE', data: null };
    return route.fulfill({ status: 503, headers: { 'retry-after': '11' }, json });
  };
  const fault = (route: Route) => {
    const json = { success: false, message: 'Something is broken.', codeError: 'INTERNAL_ERROR', data: null };
    return route.fulfill({ status: 500, json });
  };
  /** Never answers. */
  const hang = () => undefined;
  const field = (page: Page) => page.getByLabel('Phone number');

  it('the 401 of a proxy does not end the session on the account page: it says so, and goes on by itself', async () => {
    const { page, context, phone } = await signedUp();
    const recover = await replace(page, '/api/auth/me', byProxy(401));
    await page.reload();
    await page.getByRole('alert').getByText(offline).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    assert.equal(new URL(page.url()).pathname, '/account');
    await recover();
    await page.getByText(shownPhone(phone)).waitFor();
    await eventually(async () => (await page.getByText(offline).count()) === 0);
    assert.equal(new URL(page.url()).pathname, '/account');
    await context.close();
  });

  it('the 401 of a proxy does not end the session at the sign-in to an app', async () => {
    const { page, context, phone } = await signedUp();
    const recover = await replace(page, '/api/auth/me', byProxy(401));
    const query = new URLSearchParams({
      client_id: 'notes',
      redirect_uri: 'http://localhost/livez',
      response_type: 'code',
      scope: 'openid',
      state: 'state of the app',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.goto(`${here.url}/oauth/authorize?${query}`);
    await page.getByRole('alert').getByText(offline).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).waitFor();
    assert.equal(await field(page).count(), 0);
    await recover();
    await page.getByText(`You are signed in as ${shownPhone(phone)}.`).waitFor();
    await context.close();
  });

  it('each card of the account page comes back by itself', async () => {
    const { page, context } = await signedUp();
    const paths = ['/api/auth/sessions', '/api/auth/apps', '/api/file/purposes', '/api/file?*'];
    const recoveries = await Promise.all(paths.map((path) => replace(page, path, fault)));
    await page.reload();
    const files = page.getByRole('region', { name: 'Files' });
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    for (const card of [files, sessions]) {
      await card.getByText('Something is broken.').waitFor();
      await card.getByRole('button', { name: 'Try again' }).waitFor();
    }
    for (const recover of recoveries) await recover();
    await sessions.getByText('This device').waitFor();
    await files.getByText('No files yet').waitFor();
    await eventually(async () => (await page.getByText('Something is broken.').count()) === 0);
    await context.close();
  });

  it('a page that waits long says so, and an error stays until the next result', async () => {
    const { page, context, phone } = await signedUp();
    const free = await replace(page, '/api/auth/me', hang);
    await page.reload();
    await page.getByRole('status').getByText(slow).waitFor();
    await free();
    const recover = await replace(page, '/api/auth/me', fault);
    await page.reload();
    const alert = page.getByRole('alert').getByText('Something is broken.');
    await alert.waitFor();
    const asked = page.waitForRequest('**/api/auth/me');
    const stop = await replace(page, '/api/auth/me', hang);
    await asked;
    assert.ok(await alert.isVisible());
    await stop();
    await recover();
    await page.reload();
    await page.getByText(shownPhone(phone)).waitFor();
    await context.close();
  });

  it('who is signed in is not asked for a code because the session cannot be renewed, and is led on afterwards', async () => {
    const { page, context } = await signedUp();
    for (const outage of [busy, byProxy(503), hang]) {
      const recover = await replace(page, '/api/auth/refresh-token', outage);
      await page.goto(`${here.url}/?next=/docs`);
      await page.getByText('This page continues by itself as soon as the service responds.').waitFor();
      const words = outage === busy ? 'The service is busy.' : outage === hang ? slow : offline;
      await page.getByText(words).waitFor();
      assert.equal(await field(page).count(), 0);
      if (outage === busy) {
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await field(page).waitFor();
        await page.goto(`${here.url}/?next=/docs`);
        await page.getByText(words).waitFor();
      }
      await recover();
      if (outage === hang) break;
      // It may have gone on by itself before the click.
      const led = page.waitForURL(`${here.url}/docs`);
      await Promise.race([led, page.getByRole('button', { name: 'Try again' }).click()]);
      await led;
    }
    await context.close();
  });

  it('a code stays in its field after every failure that says nothing about it', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await field(page).fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = await newestCode(here, phone);
    const digits = page.getByLabel('Six-digit code');
    const outages = [
      [byProxy(502), offline],
      [busy, 'The service is busy.'],
      [(route: Route) => route.abort(), offline],
    ] as const;
    for (const [outage, words] of outages) {
      const recover = await replace(page, '/api/auth/phone/login', outage);
      await digits.fill('');
      await digits.fill(code);
      await page.getByRole('alert').getByText(words).waitFor();
      assert.equal(await digits.inputValue(), code);
      await recover();
    }
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
    await context.close();
  });

  it('the countdown is the longer pause of the service when a code is asked for a second time', async () => {
    const { page, context } = await here.visit();
    await page.goto(here.url);
    await field(page).fill(newPhone().typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: 'Send again', exact: true, disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Change number' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /^Send again in (1 minute|[1-5]\d seconds)/ }).waitFor();
    await context.close();
  });

  it('a link that was sent a moment ago leads to its step, with the pause that the service names', async () => {
    const { page, context } = await here.visit();
    const ask = async () => {
      await page.goto('about:blank');
      await page.goto(`${here.url}/#email`);
      await page.getByLabel('E-mail address').fill('twice@example.com');
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    };
    await ask();
    const again = page.getByRole('button', { name: 'Send again', exact: true, disabled: false });
    await again.click();
    await page.getByText('Sent again.').waitFor();
    await ask();
    await page.getByRole('button', { name: /^Send again in (1 minute|[1-5]\d seconds)/ }).waitFor();
    await context.close();
  });

  it('a sign-out that fails is shown, and works when the service answers', async () => {
    const { page, context } = await signedUp();
    for (const name of ['Sign out', 'Sign out everywhere']) {
      const recover = await replace(page, '/api/auth/logout', fault);
      // The message of the attempt before stays until the next result.
      const answered = page.waitForResponse('**/api/auth/logout');
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await answered;
      await eventually(async () => (await button.getAttribute('aria-busy')) !== 'true');
      await page.getByRole('alert').getByText('Something is broken.').waitFor();
      assert.equal(new URL(page.url()).pathname, '/account');
      await recover();
    }
    const stop = await replace(page, '/api/auth/logout', hang);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('status').getByText(slow).waitFor();
    await stop();
    await context.close();
  });
});
