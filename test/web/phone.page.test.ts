// The phone number on the account page: changed, undone by the link of a notice, taken by others, and changed later after a lost phone.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  eventually,
  newPhone,
  openPageStage,
  shownPhone,
  signUp,
  type Visitor,
} from '../helpers/browser/page-stage.ts';
import {
  addEmail,
  askForNumber,
  confirmNumber,
  enterCodeOf,
  growOld,
  newestCode,
  noticeLink,
  userId,
} from './account-pages.ts';

const stage = await openPageStage();

describe('the phone number on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  let users = 0;

  const newEmail = () => {
    users += 1;
    return `phone${users}@example.com`;
  };

  const changeNumber = async (visitor: Visitor, phone: string) => {
    await askForNumber(visitor, 'Change phone number', phone);
    await confirmNumber(here, visitor, phone);
    await visitor.page.getByText('Your phone number has been changed.').waitFor();
    await visitor.page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
  };

  /** As if the user returned to the tab: the page checks its session at once. */
  const comeBack = ({ page }: Visitor) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  /** The focus moves after the page is drawn. */
  const hasFocus = ({ page }: Visitor, text: string) =>
    eventually(async () => (await page.evaluate('document.activeElement?.textContent')) === text);

  it('a user changes the number, which signs out other devices, and gets it back by the link that the old number was sent', async () => {
    const visitor = await here.visit();
    visitor.forgive(401);
    const old = await signUp(here, visitor);
    const id = await userId(here, visitor);
    const elsewhere = await here.visit();
    elsewhere.forgive(401);
    await enterCodeOf(here, elsewhere, old, 2);
    await elsewhere.page.getByText('This device').waitFor();
    const { phone } = newPhone();
    await changeNumber(visitor, phone);
    await hasFocus(visitor, 'Change phone number');
    await comeBack(elsewhere);
    await elsewhere.page.waitForURL('**/?next=/account&why=ended');
    const reader = await here.visit();
    await reader.page.goto(await noticeLink(here, old));
    await reader.page.getByText('this also undoes the change').waitFor();
    await reader.page.getByRole('button', { name: 'Sign out every device' }).click();
    await reader.page.getByText('Every device is signed out.').waitFor();
    await comeBack(visitor);
    await visitor.page.waitForURL('**/?next=/account&why=ended');
    await enterCodeOf(here, reader, old, 3);
    await reader.page.locator('dd', { hasText: shownPhone(old) }).waitFor();
    assert.equal(await userId(here, reader), id);
    assert.deepEqual([...visitor.problems(), ...elsewhere.problems(), ...reader.problems()], []);
    for (const { context } of [visitor, elsewhere, reader]) await context.close();
  });

  it('the account page says that a number belongs to another account, only after the right code, and that a number is not valid', async () => {
    const other = await here.visit();
    const taken = await signUp(here, other);
    const visitor = await here.visit();
    visitor.forgive(400, 409);
    const own = await signUp(here, visitor);
    await askForNumber(visitor, 'Change phone number', '12');
    await visitor.page.getByText('Check the digits and the country.').waitFor();
    await visitor.page.getByLabel('New phone number').fill(taken);
    await visitor.page.getByRole('button', { name: 'Send code' }).click();
    await confirmNumber(here, visitor, taken, 2);
    await visitor.page.getByText('This phone number belongs to another account.').waitFor();
    await visitor.page.getByRole('button', { name: 'Cancel' }).click();
    await visitor.page.locator('dd', { hasText: shownPhone(own) }).waitFor();
    await hasFocus(visitor, 'Change phone number');
    assert.deepEqual(visitor.problems(), []);
    for (const { context } of [visitor, other]) await context.close();
  });

  it('the page of a notice explains that the old number belongs to another account by now', async () => {
    const visitor = await here.visit();
    visitor.forgive(401, 409);
    const old = await signUp(here, visitor);
    await changeNumber(visitor, newPhone().phone);
    const link = await noticeLink(here, old);
    const holder = await here.visit();
    await enterCodeOf(here, holder, old, 2);
    await holder.page.waitForURL('**/account');
    await visitor.page.goto(link);
    await visitor.page.getByRole('button', { name: 'Sign out every device' }).click();
    await visitor.page.getByText('your old phone number now belongs to another account').waitFor();
    await hasFocus(visitor, 'Sign in');
    assert.deepEqual(visitor.problems(), []);
    for (const { context } of [visitor, holder]) await context.close();
  });

  it('a user who lost the phone confirms by e-mail, waits for the new number, sees that after a reload and cancels it', async () => {
    const visitor = await here.visit();
    visitor.forgive(401, 403);
    const { page } = visitor;
    const old = await signUp(here, visitor);
    const email = newEmail();
    assert.equal(await page.getByRole('button', { name: 'I lost my phone' }).count(), 0);
    await addEmail(here, visitor, email);
    await growOld(here, visitor);
    const { phone } = newPhone();
    await page.getByRole('button', { name: 'I lost my phone' }).click();
    await page.getByText('after a wait of 72 hours').waitFor();
    await page.getByLabel('New phone number').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByText(`sent to ${email}`).waitFor();
    await proof.getByLabel('Six-digit code').fill(await newestCode(here, email, 2));
    await confirmNumber(here, visitor, phone);
    const scheduled = page.getByText(`Your phone number changes to ${shownPhone(phone)} on `);
    await scheduled.waitFor();
    await page.reload();
    await scheduled.waitFor();
    await page.locator('dd', { hasText: shownPhone(old) }).waitFor();
    await page.getByRole('button', { name: 'Cancel the change' }).click();
    await page.getByText('The change has been cancelled.').waitFor();
    await scheduled.waitFor({ state: 'detached' });
    await hasFocus(visitor, 'Change phone number');
    await page.reload();
    await page.locator('dd', { hasText: shownPhone(old) }).waitFor();
    assert.equal(await scheduled.count(), 0);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the link that the old number was sent cancels a change that waits', async () => {
    const visitor = await here.visit();
    visitor.forgive(401, 403);
    const { page } = visitor;
    const old = await signUp(here, visitor);
    const email = newEmail();
    await addEmail(here, visitor, email);
    await growOld(here, visitor);
    const { phone } = newPhone();
    await askForNumber(visitor, 'I lost my phone', phone);
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Six-digit code').fill(await newestCode(here, email, 2));
    await confirmNumber(here, visitor, phone);
    await page.getByText(`Your phone number changes to ${shownPhone(phone)} on `).waitFor();
    const owner = await here.visit();
    await owner.page.goto(await noticeLink(here, old));
    await owner.page.getByRole('button', { name: 'Sign out every device' }).click();
    await owner.page.getByText('Every device is signed out.').waitFor();
    await comeBack(visitor);
    await page.waitForURL('**/?next=/account&why=ended');
    await enterCodeOf(here, owner, old, 2);
    await owner.page.locator('dd', { hasText: shownPhone(old) }).waitFor();
    assert.equal(await owner.page.getByRole('button', { name: 'Cancel the change' }).count(), 0);
    assert.deepEqual([...visitor.problems(), ...owner.problems()], []);
    for (const { context } of [visitor, owner]) await context.close();
  });

  it('a user changes the number by keyboard alone, on a screen 320 pixels wide', async () => {
    const visitor = await here.visit({ viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    await signUp(here, visitor);
    const { phone } = newPhone();
    await page.getByRole('button', { name: 'Change phone number' }).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => (await page.evaluate('document.activeElement?.name')) === 'phone');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.keyboard.type(phone);
    await page.keyboard.press('Enter');
    await eventually(async () => (await page.evaluate('document.activeElement?.name')) === 'code');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.keyboard.type(await newestCode(here, phone));
    await page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
