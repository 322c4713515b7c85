// The account page on small screens and slow networks: long addresses, a lost page, second thoughts, and codes that are sent again.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, newPhone, openPageStage, shownPhone, signUp } from '../helpers/browser/page-stage.ts';
import { addEmail, askForLink, askForNumber, confirmNumber, growOld, newestCode } from './account-pages.ts';

const stage = await openPageStage({ OTP_RESEND_AFTER: '30s' });

describe('the account page, step by step', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  /** Holds the answers of this path until the returned function is called. */
  async function hold(page: Page, path: string): Promise<{ readonly held: Promise<void>; readonly free: () => void }> {
    const gate = Promise.withResolvers<void>();
    const arrival = Promise.withResolvers<void>();
    await page.route(`**${path}`, async (route) => {
      arrival.resolve();
      const response = await route.fetch();
      await gate.promise;
      await route.fulfill({ response });
    });
    return { held: arrival.promise, free: () => gate.resolve() };
  }

  it('the steps fit a narrow screen, however long the e-mail address is', async () => {
    const visitor = await here.visit({ viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    const email = `maximiliane.alexandra.of-lichtenstein-hohenstauffen@${'department'.repeat(5)}.example.com`;
    await page.goto(`${here.url}/#email`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.goto('about:blank');
    await signUp(here, visitor);
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    await page.getByLabel('New e-mail address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText(`If ${email} can be added to your account, a code is on its way to it.`).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await visitor.context.close();
  });

  it('a user who lost the page enters the code that was sent before, for a number and for an address', async () => {
    const visitor = await here.visit();
    visitor.forgive(429);
    const { page } = visitor;
    await signUp(here, visitor);
    const { phone } = newPhone();
    await askForNumber(visitor, 'Change phone number', phone);
    await page.getByText(`We sent a code to ${shownPhone(phone)}.`).waitFor();
    await page.reload();
    await askForNumber(visitor, 'Change phone number', phone);
    await page.getByRole('button', { name: /^Send again in \d+ seconds$/ }).waitFor();
    await confirmNumber(here, visitor, phone);
    await page.getByText('Your phone number has been changed.').waitFor();
    const email = 'lost.page@example.com';
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    await page.getByLabel('New e-mail address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText(`If ${email} can be added to your account, a code is on its way to it.`).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await addEmail(here, visitor, email);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a form that the user has closed stays closed when the answer arrives', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const { held, free } = await hold(page, '/api/auth/phone/change/send');
    await askForNumber(visitor, 'Change phone number', newPhone().phone);
    await held;
    await page.getByRole('button', { name: 'Cancel' }).click();
    const answered = page.waitForResponse('**/api/auth/phone/change/send');
    free();
    await (await answered).finished();
    await page.getByRole('button', { name: 'Change phone number' }).click();
    await page.getByLabel('New phone number').waitFor();
    assert.equal(await page.getByLabel('Six-digit code').count(), 0);
    await visitor.context.close();
  });

  it('a form that the user has opened again does not take the answer for the one before', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    const { held, free } = await hold(page, '/api/auth/phone/change/send');
    await askForNumber(visitor, 'Change phone number', newPhone().phone);
    await held;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change phone number' }).click();
    const answered = page.waitForResponse('**/api/auth/phone/change/send');
    free();
    await (await answered).finished();
    const { phone } = newPhone();
    await page.getByLabel('New phone number').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText(`We sent a code to ${shownPhone(phone)}.`).waitFor();
    await visitor.context.close();
  });

  it('a changed number is shown although the page was just reading the account', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    // This page does not read the account again by itself every ten seconds.
    await page.addInitScript('globalThis.setInterval = () => 0');
    await signUp(here, visitor);
    const { phone } = newPhone();
    await askForNumber(visitor, 'Change phone number', phone);
    const { held, free } = await hold(page, '/api/auth/me');
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await held;
    await confirmNumber(here, visitor, phone);
    await page.getByText('Your phone number has been changed.').waitFor();
    free();
    await page.locator('dd', { hasText: shownPhone(phone) }).waitFor();
    await visitor.context.close();
  });

  it('the dialog for a proof forgets a refusal when another code is sent', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 401, 403);
    const { page } = visitor;
    await signUp(here, visitor);
    await addEmail(here, visitor, 'other.channel@example.com');
    await growOld(here, visitor);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Six-digit code').fill('000000');
    await proof.getByText('The code is incorrect.').waitFor();
    await proof.getByRole('button', { name: 'Send the code to other.channel@example.com instead' }).click();
    await proof.getByText('the code that we sent to other.channel@example.com').waitFor();
    assert.equal(await proof.getByText('The code is incorrect.').count(), 0);
    await proof.getByLabel('Six-digit code').fill(await newestCode(here, 'other.channel@example.com', 2));
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    await visitor.context.close();
  });

  it('who signed in by e-mail is told that the number changes only after a wait', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByRole('button', { name: 'Change phone number' }).click();
    const wait = page.getByText('If you signed in by e-mail, the number changes only after a wait of 72 hours.');
    assert.equal(await wait.count(), 0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await addEmail(here, visitor, 'by.link@example.com');
    const elsewhere = await here.visit();
    const link = await askForLink(here, elsewhere, 'by.link@example.com');
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole('button', { name: 'Change phone number' }).click();
    await elsewhere.page
      .getByText('If you signed in by e-mail, the number changes only after a wait of 72 hours.')
      .waitFor();
    await eventually(async () => (await elsewhere.page.evaluate('document.activeElement?.name')) === 'phone');
    for (const { context } of [visitor, elsewhere]) await context.close();
  });
});
