// Signing in to an app: by phone, by a link in another browser, with a proof, with consent; signing out; and what goes wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../helpers/browser/axe.ts';
import {
  eventually,
  linkIn,
  type Message,
  newPhone,
  openPageStage,
  shownPhone,
  signOut,
  signUp,
  type Visitor,
} from '../helpers/browser/page-stage.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { addEmail, newestCode, requestLink } from './account-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'));
const appsFile = join(folder, 'apps.json');
/** A plain answer of the service stands for the app, so that the browser asks nobody else. */
const callbackPath = '/livez';
const redirectUris = [`http://localhost${callbackPath}`];
writeFileSync(
  appsFile,
  JSON.stringify([
    { id: 'notes', name: 'Notes', redirectUris, firstParty: true },
    { id: 'calendar', name: 'Calendar', redirectUris, firstParty: false },
    { id: 'long', name: 'W'.repeat(60), redirectUris, firstParty: false },
    { id: 'hebrew', name: 'דואר (Mail) 2!', redirectUris, firstParty: false },
    { id: 'phone', name: 'Pocket', redirectUris: ['com.example.pocket:/callback'], firstParty: true },
  ]),
);
const stage = await openPageStage({ APPS_FILE: appsFile });

describe('signing in to an app', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    await here.close();
    rmSync(folder, { recursive: true });
  });

  const callback = `${here.url}${callbackPath}`;

  function authorizeUrl(more: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({
      client_id: 'notes',
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email',
      state: 'state of the app',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    });
    return `${here.url}/oauth/authorize?${query}`;
  }

  const visit = () => here.visit({ viewport: { width: 320, height: 640 } });

  async function signedUp(): Promise<Visitor & { readonly phone: string }> {
    const visitor = await visit();
    return { ...visitor, phone: await signUp(here, visitor) };
  }

  /** What the app gets. */
  async function answerOf({ page }: Pick<Visitor, 'page'>): Promise<URLSearchParams> {
    await page.waitForURL(`${callback}?*`);
    const answer = new URL(page.url()).searchParams;
    assert.equal(answer.get('state'), 'state of the app');
    assert.equal(answer.get('iss'), here.url);
    return answer;
  }

  /** No axe violation, and nothing off a screen 320 pixels wide. */
  async function judge(page: Page): Promise<void> {
    assert.deepEqual(await findViolations(page), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  }

  it('a user signs in to an app by phone, with the number and in the language that the app names', async () => {
    const visitor = await visit();
    const { page } = visitor;
    const { phone } = newPhone();
    await page.goto(authorizeUrl({ login_hint: phone, ui_locales: 'xx de' }));
    await page.getByRole('heading', { name: 'Melden Sie sich an, um mit Notes fortzufahren' }).waitFor();
    await judge(page);
    assert.equal(await page.getByLabel('Telefonnummer').inputValue(), phone);
    await page.keyboard.press('Enter');
    await page.getByLabel('Sechsstelliger Code').fill(await newestCode(here, phone));
    assert.match((await answerOf(visitor)).get('code') ?? '', /^[\w-]{43}$/);
    // Who is signed in goes through at once, also where only the refresh token is left.
    await page.goto(authorizeUrl());
    assert.ok((await answerOf(visitor)).has('code'));
    for (const lost of [['SSO'], ['SSO', 'JWT']]) {
      for (const name of lost) await visitor.context.clearCookies({ name });
      await page.goto(authorizeUrl());
      assert.ok((await answerOf(visitor)).has('code'), lost.join());
    }
    // An access token that is left alone is no session.
    for (const name of ['SSO', 'RT']) await visitor.context.clearCookies({ name });
    await page.goto(authorizeUrl());
    await page.getByLabel('Phone number').waitFor();
    visitor.forgive(401);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a user who cancels the sign-in to an app returns to it', async () => {
    const visitor = await visit();
    await visitor.page.goto(authorizeUrl());
    await visitor.page.getByRole('link', { name: 'Cancel' }).click();
    assert.equal((await answerOf(visitor)).get('error'), 'access_denied');
    await visitor.context.close();
  });

  it('a sign-in link leads to the app, in the browser that asked and in another', async () => {
    const owner = await signedUp();
    const email = 'app-user@example.com';
    await addEmail(here, owner, email);
    await signOut(here, owner);
    await owner.page.goto(authorizeUrl({ login_hint: email }));
    await owner.page.getByLabel('E-mail address').waitFor();
    assert.equal(await owner.page.getByLabel('E-mail address').inputValue(), email);
    const link = await requestLink(here, owner, email);
    const other = await visit();
    await other.page.goto(link);
    await other.page.getByText(/^After that you go on to \S.*\.$/).waitFor();
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    assert.ok((await answerOf(other)).has('code'));
    // In the browser that asked, the tab of the mail goes on, and the first one says so.
    await owner.page.getByRole('button', { name: 'Send again' }).click();
    const isLink = ({ text }: Message) => text.includes('/login/link#');
    const [again] = await waitUntil('a second link', async () => {
      const links = (await here.messages(email)).filter(isLink);
      return links.length > 1 ? links : undefined;
    });
    const tab = await owner.context.newPage();
    await tab.goto(linkIn(again ?? assert.fail()));
    assert.ok((await answerOf({ page: tab })).has('code'));
    await owner.page.getByText('The sign-in goes on in the other tab.').waitFor();
    assert.deepEqual([...owner.problems(), ...other.problems()], []);
    for (const { context } of [owner, other]) await context.close();
  });

  it('an app that asks for a fresh sign-in gets one by a code of the user, or of another account', async () => {
    const visitor = await signedUp();
    const { page, phone } = visitor;
    await page.goto(authorizeUrl({ prompt: 'login' }));
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').fill(await newestCode(here, phone, 2));
    assert.ok((await answerOf(visitor)).has('code'));
    await page.goto(authorizeUrl({ prompt: 'login' }));
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Sign in to continue to Notes' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('an app of somebody else gets nothing that the user denies, and is remembered when it is allowed', async () => {
    const visitor = await signedUp();
    const { page } = visitor;
    const url = authorizeUrl({ client_id: 'calendar' });
    await page.goto(url);
    await page.getByRole('heading', { name: 'Allow Calendar to use your account?' }).waitFor();
    await page.getByText('see your e-mail address').waitFor();
    await page.getByText('Calendar is not run by Gatehouse.').waitFor();
    await judge(page);
    await page.getByRole('link', { name: 'Deny' }).click();
    assert.equal((await answerOf(visitor)).get('error'), 'access_denied');
    await page.goto(url);
    await page.getByRole('button', { name: 'Allow' }).click();
    assert.ok((await answerOf(visitor)).has('code'));
    await page.goto(url);
    assert.ok((await answerOf(visitor)).has('code'));
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a consent asks for a code if the last sign-in is too old, and goes on after it', async () => {
    const visitor = await signedUp();
    visitor.forgive(401, 403);
    const { page, phone } = visitor;
    await askStore(here.env, 'update sessions set proved_at = proved_at - 3600000');
    await visitor.context.clearCookies({ name: 'JWT' });
    await page.goto(authorizeUrl({ client_id: 'calendar' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByText('Gatehouse asks you to confirm that it is you.').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').fill(await newestCode(here, phone, 2));
    assert.ok((await answerOf(visitor)).has('code'));
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a browser whose cookie SSO does not reach the consent gets it again by its refresh token, without a question', async () => {
    const visitor = await signedUp();
    visitor.forgive(403);
    const { page, context } = visitor;
    await page.goto(authorizeUrl({ client_id: 'calendar' }));
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const scopes = (await context.cookies()).filter(({ name }) => name === 'SSO').map(({ path }) => path);
    assert.deepEqual(scopes.toSorted(), ['/api/auth/apps/consent', '/oauth']);
    await context.clearCookies({ name: 'SSO', path: '/api/auth/apps/consent' });
    await page.getByRole('button', { name: 'Allow' }).click();
    assert.ok((await answerOf(visitor)).has('code'));
    assert.deepEqual(visitor.problems(), []);
    await context.close();
  });

  it('a user whose code by SMS does not come gets one by mail instead', async () => {
    const visitor = await signedUp();
    const { page } = visitor;
    const email = 'no-sms@example.com';
    await addEmail(here, visitor, email);
    await page.goto(authorizeUrl({ prompt: 'login' }));
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    await page.getByRole('button', { name: `Send the code to ${email} instead` }).click();
    await page.getByText(`Enter the code that we sent to ${email}.`).waitFor();
    await page.getByLabel('Six-digit code').fill(await newestCode(here, email, 2));
    assert.ok((await answerOf(visitor)).has('code'));
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the name of an app is one long word, or is written from right to left: it stays within its place', async () => {
    const visitor = await signedUp();
    const { page } = visitor;
    await page.goto(`${here.url}/oauth/logout?client_id=long`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await judge(page);
    await page.goto(authorizeUrl({ client_id: 'long', prompt: 'login' }));
    await page.getByRole('button', { name: 'Send code' }).waitFor();
    await judge(page);
    await page.goto(authorizeUrl({ client_id: 'long' }));
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    assert.ok((await answerOf(visitor)).has('code'));
    await page.goto(`${here.url}/account`);
    await page.getByRole('button', { name: /^Remove access/ }).waitFor();
    await judge(page);
    await page.goto(authorizeUrl({ client_id: 'hebrew' }));
    const isolated = '\u2068דואר (Mail) 2!\u2069';
    await page.getByRole('heading', { name: `Allow ${isolated} to use your account?` }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('another tab signs out or changes the account: the page that asks for consent acts for nobody whom it does not show', async () => {
    const visitor = await signedUp();
    const { page, context } = visitor;
    await page.goto(authorizeUrl({ client_id: 'calendar' }));
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const tab = await context.newPage();
    await tab.goto(`${here.url}/account`);
    await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to continue to Calendar' }).waitFor();
    // The tab leaves by itself. A page that was opened meanwhile would be interrupted.
    await tab.waitForURL(`${here.url}/`);
    const other = await signUp(here, { ...visitor, page: tab });
    await page.getByText(`You are signed in as ${shownPhone(other)}.`).waitFor();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await context.close();
  });

  it('an app on the device opens beside the page, which then says so and can open it again', async () => {
    const visitor = await visit();
    const { page } = visitor;
    const opened: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith('com.example.pocket:')) opened.push(request.url());
    });
    const { phone } = newPhone();
    await page.goto(
      authorizeUrl({ client_id: 'phone', redirect_uri: 'com.example.pocket:/callback', login_hint: phone }),
    );
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').fill(await newestCode(here, phone));
    await page.getByText('If Pocket does not open, use this button.').waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Continue to Pocket' }).click();
    await eventually(async () => opened.length === 2);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('an app that sends no proof of the session has the user asked before the sign-out', async () => {
    const visitor = await signedUp();
    const { page } = visitor;
    await page.goto(`${here.url}/oauth/logout?client_id=notes`);
    await page.getByRole('heading', { name: 'Sign out of Gatehouse?' }).waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goto(authorizeUrl());
    await page.getByRole('heading', { name: 'Sign in to continue to Notes' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the page says what is wrong where there is no way to the app', async () => {
    const visitor = await visit();
    visitor.forgive(400, 410);
    const { page } = visitor;
    for (const [url, title] of [
      [authorizeUrl({ client_id: 'nobody' }), 'This app is not known here'],
      [authorizeUrl({ redirect_uri: 'https://evil.example/' }), 'The app sent a wrong address'],
      [`${here.url}/oauth/authorize?ticket=made-up`, 'This sign-in has expired'],
    ] as const) {
      await page.goto(url);
      await page.getByRole('heading', { name: title }).waitFor();
      await judge(page);
    }
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
