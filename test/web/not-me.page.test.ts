// The page of a notice: it ends nothing until its button is pressed, and the account page asks for an e-mail address and removes it.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { codeIn, openPageStage, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const stage = await openPageStage({ NOTICES: 'mail' });

describe('the page of a notice', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  let users = 0;

  /** Signs up a user with an e-mail address, and returns the address and the link of the notice. */
  async function withNotice(visitor: Visitor): Promise<{ email: string; link: string }> {
    const { page } = visitor;
    users += 1;
    const email = `bob${users}@example.com`;
    await signUp(here, visitor);
    await page.getByRole('heading', { name: 'Add a second way in' }).waitFor();
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    await page.getByLabel('New e-mail address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const [mail] = await here.messages(email);
    await page.getByLabel('Six-digit code').fill(codeIn(mail ?? assert.fail()));
    await page.getByText('The e-mail address has been added to your account.').waitFor();
    const link = await waitUntil('the notice', async () => {
      const texts = (await here.messages(email)).map(({ text }) => text);
      return texts.flatMap((text) => /https?:\/\/\S+\/not-me#\S+/.exec(text)?.[0] ?? [])[0];
    });
    return { email, link };
  }

  it('the page of a notice ends nothing when it is opened, and every session after a click', async () => {
    const owner = await here.visit();
    owner.forgive(401);
    const { link } = await withNotice(owner);
    const reader = await here.visit();
    const { page } = reader;
    await page.goto(link);
    const button = page.getByRole('button', { name: 'Sign out every device' });
    await button.waitFor();
    assert.ok(!page.url().includes('#'), 'the token has left the address');
    await owner.page.reload();
    await owner.page.getByRole('heading', { name: 'Your account' }).waitFor();
    await button.click();
    await page.getByText('Every device is signed out.').waitFor();
    // Another tab, because the first one may notice it by itself and leave at the same time.
    const tab = await owner.context.newPage();
    await tab.goto(`${here.url}/account`);
    await tab.waitForURL(/\/\?next=\/account/);
    reader.forgive(400);
    const again = await here.visit();
    again.forgive(400);
    await again.page.goto(link);
    await again.page.getByRole('button', { name: 'Sign out every device' }).click();
    await again.page.getByText('This link is not valid or has already been used.').waitFor();
    assert.deepEqual([...reader.problems(), ...again.problems()], []);
    for (const { context } of [owner, reader, again]) await context.close();
  });

  it('the page of a notice says at once that a link without its token is not complete, and takes another link in the same tab', async () => {
    const owner = await here.visit();
    const { link } = await withNotice(owner);
    const reader = await here.visit();
    const { page } = reader;
    const incomplete = page.getByText('This link is not complete. Open it again from the message.');
    await page.goto(`${here.url}/not-me`);
    await incomplete.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign out every device' }).count(), 0);
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign out every device' }).waitFor();
    await page.reload();
    await incomplete.waitFor();
    assert.deepEqual(reader.problems(), []);
    for (const { context } of [owner, reader]) await context.close();
  });

  it('the account page removes the e-mail address after a confirmation, and then asks for one again', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await withNotice(visitor);
    await page.getByRole('button', { name: 'Remove e-mail address' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove e-mail address' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove e-mail address' }).click();
    await page.getByText('The e-mail address has been removed.').waitFor();
    await page.getByRole('heading', { name: 'Add a second way in' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
