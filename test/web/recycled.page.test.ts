// A number whose account slept: its owner signs in by e-mail, a new holder starts anew, and the account without a number adds one.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newPhone, openPageStage, shownPhone, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import {
  addEmail,
  askForLink,
  askForNumber,
  confirmNumber,
  enterCodeOf,
  fallAsleep,
  growOld,
  newestCode,
  requestLink,
  userId,
} from './account-pages.ts';

const stage = await openPageStage();

describe('a number that was given to somebody else', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  let users = 0;

  /** An account with an address that nobody has used for a year. */
  const sleepingAccount = async (): Promise<{ phone: string; email: string; id: string }> => {
    const owner = await here.visit();
    users += 1;
    const email = `sleeper${users}@example.com`;
    const phone = await signUp(here, owner);
    await addEmail(here, owner, email);
    const id = await userId(here, owner);
    await owner.context.close();
    await fallAsleep(here, phone);
    return { phone, email, id };
  };

  /** Enters the right code for the number, and is asked whose account it is. */
  const meetQuestion = async (phone: string, email: string): Promise<Visitor> => {
    const visitor = await here.visit();
    visitor.forgive(409);
    await enterCodeOf(here, visitor, phone, 2);
    await visitor.page.getByRole('heading', { name: 'Is this your account?' }).waitFor();
    assert.ok(!(await visitor.page.content()).includes(email), 'the address is not shown');
    return visitor;
  };

  const claim = async ({ page }: Visitor) => {
    await page.getByRole('button', { name: 'The number is new to me' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start new account' }).click();
  };

  it('the owner of an account that slept signs in by the link to its address, and keeps the number', async () => {
    const { phone, email, id } = await sleepingAccount();
    const visitor = await meetQuestion(phone, email);
    await visitor.page.getByRole('button', { name: 'This is my account' }).click();
    await visitor.page.goto(await requestLink(here, visitor, email));
    await visitor.page.waitForURL('**/account');
    await visitor.page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    assert.equal(await userId(here, visitor), id);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a new holder of the number starts a new account after a confirmation, and can go back before', async () => {
    const { phone, email, id } = await sleepingAccount();
    const visitor = await meetQuestion(phone, email);
    const { page } = visitor;
    await page.getByRole('button', { name: 'This is my account' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'The number is new to me' }).click();
    await page.getByRole('dialog', { name: 'Start a new account with this number?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await claim(visitor);
    await page.waitForURL('**/account');
    await page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    await page.getByRole('button', { name: 'Add e-mail address' }).waitFor();
    assert.notEqual(await userId(here, visitor), id);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a new holder who is too late is told so, and can start again', async () => {
    const { phone, email } = await sleepingAccount();
    const visitor = await meetQuestion(phone, email);
    visitor.forgive(400);
    const owner = await here.visit();
    await owner.page.goto(await askForLink(here, owner, email));
    await owner.page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    await claim(visitor);
    await visitor.page.getByText('This step has expired or was already completed.').waitFor();
    await visitor.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.getByLabel('Phone number').waitFor();
    assert.deepEqual([...visitor.problems(), ...owner.problems()], []);
    for (const { context } of [visitor, owner]) await context.close();
  });

  /** The owner of a number that somebody else got: signed in by e-mail. */
  const withoutPhone = async (): Promise<{ owner: Visitor; email: string; id: string }> => {
    const { phone, email, id } = await sleepingAccount();
    const holder = await meetQuestion(phone, email);
    await claim(holder);
    await holder.page.waitForURL('**/account');
    await holder.context.close();
    const owner = await here.visit();
    await owner.page.goto(await askForLink(here, owner, email));
    await owner.page.waitForURL('**/account');
    await owner.page.getByText('You can sign in by e-mail only.').waitFor();
    return { owner, email, id };
  };

  it('the account without a number keeps its e-mail address, adds a number at once, and signs in with it', async () => {
    const { owner, email, id } = await withoutPhone();
    const { page } = owner;
    await page.locator('dd', { hasText: 'Not added yet' }).waitFor();
    await page.locator('dd', { hasText: email }).waitFor();
    for (const name of ['Remove e-mail address', 'I lost my phone'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    const { phone } = newPhone();
    await askForNumber(owner, 'Add phone number', phone);
    await confirmNumber(here, owner, phone);
    await page.getByText('The phone number has been added to your account.').waitFor();
    await page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    await page.getByRole('button', { name: 'Remove e-mail address' }).waitFor();
    const elsewhere = await here.visit();
    await enterCodeOf(here, elsewhere, phone, 2);
    await elsewhere.page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    assert.equal(await userId(here, elsewhere), id);
    assert.deepEqual([...owner.problems(), ...elsewhere.problems()], []);
    for (const { context } of [owner, elsewhere]) await context.close();
  });

  it('the account without a number is asked for a code by e-mail, in the middle of its deletion, and goes on', async () => {
    const { owner, email } = await withoutPhone();
    const { page } = owner;
    owner.forgive(401, 403);
    await growOld(here, owner);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByText(`sent to ${email}`).waitFor();
    assert.equal(await proof.getByRole('button', { name: /instead$/ }).count(), 0);
    await proof.getByLabel('Six-digit code').fill(await newestCode(here, email, 2));
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    assert.deepEqual(owner.problems(), []);
    await owner.context.close();
  });
});
