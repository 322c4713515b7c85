// Chromium end to end: apps on other origins sign a user in once for all, a program on the device by loopback, and one sign-out ends all.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import * as openid from 'openid-client';
import type { Page } from 'playwright-core';
import { codeIn, newPhone, openPageStage, type PageStage } from '../../../helpers/browser/page-stage.ts';
import { writeApps } from './app-stage.ts';
import { startPageApp } from './page-app.ts';

const apps = await Promise.all(['shop', 'forum'].map((id) => startPageApp(id, () => stage?.url ?? '')));
const [shop, forum] = apps as [(typeof apps)[0], (typeof apps)[0]];
const file = writeApps([
  ...apps.map(({ listed }) => listed),
  { id: 'program', name: 'Program', redirectUris: ['http://127.0.0.1/callback'], firstParty: true },
]);
const stage: PageStage = await openPageStage({ APPS_FILE: file.path });

describe('apps in a browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    for (const { close } of apps) close();
    await here.close();
    file.remove();
  });

  /** A new user on the sign-in page. */
  const signInHere = async (page: Page): Promise<string> => {
    const { typed, phone } = newPhone();
    await page.getByLabel('Phone number').fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const [message] = await here.messages(phone);
    await page.getByLabel('Six-digit code').fill(codeIn(message ?? assert.fail()));
    return phone;
  };
  const startSignIn = async (page: Page, origin: string) => {
    await page.goto(`${origin}/`);
    await page.getByText('Nobody').waitFor();
    await page.evaluate(() => void app.signinRedirect());
  };
  /** What the app can do now: call userinfo with its access token, and refresh. */
  const powersOf = (page: Page) =>
    page.evaluate(async () => {
      const user = await app.getUser();
      const { userinfo_endpoint = '' } = await app.metadataService.getMetadata();
      const { status } = await fetch(userinfo_endpoint, { headers: { authorization: `Bearer ${user?.access_token}` } });
      const refreshed = await app.signinSilent().then(
        (next) => next !== null && next.access_token !== user?.access_token,
        (error: Error & { error?: string }) => error.error ?? error.message,
      );
      return [status, refreshed] as const;
    });

  it('a page on another origin signs a user in; a second app needs no question; a sign-out in one ends both', async () => {
    const { context, page, forgive } = await here.visit();
    forgive(401);
    await startSignIn(page, shop.origin);
    const phone = await signInHere(page);
    await page.getByText(`Hello ${phone}`).waitFor();
    assert.deepEqual(await powersOf(page), [200, true]);

    const second = await context.newPage();
    const questions: string[] = [];
    second.on('response', (response) => {
      if (response.url().includes('/oauth/authorize') && response.status() === 200) questions.push(response.url());
    });
    await startSignIn(second, forum.origin);
    await second.getByText(`Hello ${phone}`).waitFor();
    assert.deepEqual([questions, await powersOf(second)], [[], [200, true]]);

    await page.evaluate(() => void app.signoutRedirect());
    await page.waitForURL(`${shop.origin}/goodbye**`);
    assert.deepEqual(await powersOf(second), [401, 'invalid_grant']);
    await startSignIn(second, forum.origin);
    await second.getByLabel('Phone number').waitFor();
    assert.equal(new URL(second.url()).origin, here.url);
    await context.close();
  });

  it('a program on the device gets its code on a loopback port that nobody listed', async () => {
    const { context, page } = await here.visit();
    const listener = createServer((_, response) => response.end('You can close this window.')).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const redirect = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
    const insecure = { execute: [openid.allowInsecureRequests] };
    const config = await openid.discovery(new URL(here.url), 'program', {}, openid.None(), insecure);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: 'openid phone offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    await page.goto(address.href);
    const phone = await signInHere(page);
    await page.getByText('You can close this window.').waitFor();
    const tokens = await openid.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier,
      expectedState,
    });
    const info = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    assert.equal(info.phone_number, phone);
    assert.ok((await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token);
    listener.close();
    listener.closeAllConnections();
    await context.close();
  });
});
