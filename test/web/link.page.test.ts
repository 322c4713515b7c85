// The landing page of a sign-in link: in the requesting browser, in another browser, in a scanner, and for a used link.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { codeIn, openPageStage, signInLink, signOut, signUp, type Visitor } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage();

describe('the landing page of a sign-in link', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  let users = 0;

  /** Signs up a user with an e-mail address, signs out again, and returns the e-mail address. */
  async function withEmail(visitor: Visitor): Promise<string> {
    const { page } = visitor;
    users += 1;
    const email = `ann${users}@example.com`;
    await signUp(here, visitor);
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    await page.getByLabel('New e-mail address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const [mail] = await here.messages(email);
    await page.getByLabel('Six-digit code').fill(codeIn(mail ?? assert.fail()));
    await page.getByText('The e-mail address has been added to your account.').waitFor();
    await page.getByText(email, { exact: true }).waitFor();
    await signOut(here, visitor);
    return email;
  }

  async function askForLink({ page }: Visitor, email: string): Promise<string> {
    await page.goto(here.url);
    await page.getByRole('button', { name: 'Use e-mail instead' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    return signInLink(here.url, email);
  }

  it('a sign-in link signs in automatically in the browser that requested it, and its token leaves the URL', async () => {
    const visitor = await here.visit();
    const email = await withEmail(visitor);
    const link = await askForLink(visitor, email);
    await visitor.page.goto(link);
    await visitor.page.waitForURL('**/account');
    await visitor.page.getByText(email, { exact: true }).waitFor();
    const addresses = String(await visitor.page.evaluate('location.href + document.referrer'));
    assert.ok(!addresses.includes(link.split('#')[1] ?? '-'));
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a sign-in link in another browser shows the masked account and signs in after a confirmation', async () => {
    const asker = await here.visit();
    const email = await withEmail(asker);
    const link = await askForLink(asker, email);
    const other = await here.visit();
    const { page } = other;
    await page.goto(link);
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.waitFor();
    assert.ok(!(await page.textContent('main'))?.includes(email));
    assert.match((await page.textContent('main')) ?? '', /@/);
    await page.waitForTimeout(500);
    assert.equal(new URL(page.url()).pathname, '/login/link');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    assert.deepEqual(other.problems(), []);
    await asker.context.close();
    await other.context.close();
  });

  it('a sign-in link is not used up by a scanner that opens it and runs its script', async () => {
    const asker = await here.visit();
    const email = await withEmail(asker);
    const link = await askForLink(asker, email);
    for (let round = 0; round < 3; round++) {
      const scanner = await here.visit();
      await scanner.page.goto(link);
      await scanner.page.getByRole('button', { name: 'Sign in' }).waitFor();
      await scanner.context.close();
    }
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(link, { method })).status, 200);
    await asker.page.goto(link);
    await asker.page.waitForURL('**/account');
    await asker.context.close();
  });

  it('the page of a used sign-in link says so and offers a new link', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 401, 404, 410);
    const email = await withEmail(visitor);
    const link = await askForLink(visitor, email);
    await visitor.page.goto(link);
    await visitor.page.waitForURL('**/account');
    const other = await here.visit();
    other.forgive(400, 401, 404, 410);
    await other.page.goto(link);
    await other.page.getByRole('alert').waitFor();
    await other.page.getByRole('link', { name: 'Request a new link' }).click();
    await other.page.getByLabel('E-mail address').waitFor();
    assert.deepEqual(other.problems(), []);
    await visitor.context.close();
    await other.context.close();
  });

  it('the page of a sign-in link without a token says that the link is not valid, and takes another link in the same tab', async () => {
    const visitor = await here.visit();
    visitor.forgive(400);
    const link = await askForLink(visitor, await withEmail(visitor));
    await visitor.page.goto(`${here.url}/login/link`);
    await visitor.page.getByRole('alert').getByText('This sign-in link is not valid').waitFor();
    await visitor.page.goto(link);
    await visitor.page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the page of an expired link to an app goes on with the sign-in for the app', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 410);
    const { page } = visitor;
    await page.route('**/link/check', (route) =>
      route.fulfill({
        status: 410,
        headers: { 'continue-to': '/oauth/authorize?ticket=a%2Bticket' },
        json: { success: false, message: 'This sign-in link has expired.', codeError: 'LINK_EXPIRED', data: null },
      }),
    );
    await page.goto(`${here.url}/login/link#${'x'.repeat(43)}`);
    await page.getByRole('alert').getByText('This sign-in link has expired.').waitFor();
    const way = page.getByRole('link', { name: 'Go on with the sign-in for the app' });
    assert.equal(await way.getAttribute('href'), '/oauth/authorize?ticket=a%2Bticket#email');
    await visitor.context.close();
  });

  it('the page of a sign-in link can retry after the service could not be reached', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const email = await withEmail(visitor);
    const link = await askForLink(visitor, email);
    await page.route('**/link/check', (route) => route.abort());
    await page.goto(link);
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.unroute('**/link/check');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
    await visitor.context.close();
  });
});
