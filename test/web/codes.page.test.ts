// Codes on the pages: one that is not complete, one that is dead or has expired, and one for an address of another account.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, newPhone, openPageStage, signUp } from '../helpers/browser/page-stage.ts';
import { addEmail, newestCode } from './account-pages.ts';

const stage = await openPageStage({ OTP_RESEND_AFTER: '1s' });

describe('a code on the pages', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  const askForCode = async (page: Page) => {
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    const field = page.getByLabel('Six-digit code');
    await field.waitFor();
    return { field, phone, code: await newestCode(here, phone) };
  };
  const focused = (page: Page) => page.evaluate('document.activeElement?.name');

  it('a code that is not complete is refused with the number of its digits, and the focus stays in the field', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const { field, code } = await askForCode(page);
    await field.fill(code.slice(0, 5));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code has 6 digits. Enter all of them.').waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await focused(page), 'code');
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.equal(await focused(page), 'code');
    await page.keyboard.type(code.slice(5));
    await page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a code without attempts left takes no more digits: the page says why, and sending a new one is the main action', async () => {
    const visitor = await here.visit();
    visitor.forgive(400);
    const { page } = visitor;
    const { field, phone, code } = await askForCode(page);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const left of ['4 attempts', '3 attempts', '2 attempts', '1 attempt', 'no attempts']) {
      await field.fill(wrong);
      await page.getByRole('alert').getByText(`You have ${left} left`).waitFor();
    }
    // The field is emptied and closed after the message is painted.
    const fresh = page.getByRole('button', { name: 'Send a new code', exact: true });
    await fresh.waitFor();
    assert.equal(await field.inputValue(), '');
    assert.equal(await field.getAttribute('aria-disabled'), 'true');
    assert.equal(await focused(page), 'code');
    await page.keyboard.type('12');
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: /from the inbox/ }).count(), 0);
    await fresh.click();
    await page.getByRole('status').getByText('Sent again.').waitFor();
    assert.equal(await page.getByText('no attempts left').count(), 0);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await eventually(async () => (await focused(page)) === 'code');
    await page.keyboard.type(await newestCode(here, phone, 2));
    await page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('an expired code makes sending a new one the main action, by click and by Enter', async () => {
    const visitor = await here.visit();
    visitor.forgive(400);
    const { page } = visitor;
    const { field, code } = await askForCode(page);
    const expired = { success: false, message: 'The code has expired.', codeError: 'OTP_EXPIRED', data: null };
    await page.route('**/api/auth/phone/login', (route) => route.fulfill({ status: 400, json: expired }));
    await field.fill(code);
    await page.getByRole('alert').getByText('The code has expired.').waitFor();
    const fresh = page.locator('.button.primary', { hasText: 'Send a new code' });
    await fresh.waitFor();
    assert.equal(await page.locator('.button.primary').count(), 1);
    await page.locator('.button.primary:enabled').waitFor();
    await field.press('Enter');
    await page.getByText('Sent again.').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the words after an e-mail address are the same whether or not it belongs to another account, and name a way on', async () => {
    const owner = await here.visit();
    await signUp(here, owner);
    await addEmail(here, owner, 'taken@example.com');
    const visitor = await here.visit();
    // The code to the owner may have been sent a moment ago: the page goes on all the same.
    visitor.forgive(429);
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByRole('button', { name: 'Add e-mail address' }).click();
    const words: string[] = [];
    for (const email of ['taken@example.com', 'nobody-has@example.com']) {
      await page.getByLabel('New e-mail address').fill(email);
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByText(`If ${email} can be added to your account`).waitFor();
      await page.getByText('sign in with that address instead, or use a different one').waitFor();
      const parts = page.locator('.way form :is(label, .hint, .actions > p)');
      words.push((await parts.allInnerTexts()).join(' ').replace(email, ''));
      await page.getByRole('button', { name: 'Use a different address' }).click();
    }
    assert.equal(words[0], words[1]);
    assert.deepEqual(visitor.problems(), []);
    for (const { context } of [owner, visitor]) await context.close();
  });
});
