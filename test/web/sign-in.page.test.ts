// The sign-in page in a real browser: sign-up, sign-in, wrong code, resend, back button, languages.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  codeIn,
  eventually,
  newPhone,
  openPageStage,
  shownPhone,
  signOut,
  signUp,
} from '../helpers/browser/page-stage.ts';

const resendAfterSeconds = 5;
const stage = await openPageStage({ OTP_RESEND_AFTER: `${resendAfterSeconds}s` });

describe('the sign-in page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the sign-in page signs up a new user with a guessed country, who can sign in again', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const phone = await signUp(here, visitor);
    await signOut(here, visitor);
    await page.waitForTimeout(resendAfterSeconds * 1000);
    await page.getByLabel('Phone number').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /from the inbox/ }).click();
    await page.waitForURL('**/account');
    await page.getByText(shownPhone(phone)).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page redirects a signed-in user to the account or to the next page on this host', async () => {
    const visitor = await here.visit();
    await signUp(here, visitor);
    await visitor.page.goto(`${here.url}/`);
    await visitor.page.waitForURL('**/account');
    for (const [next, place] of [
      ['/docs', '/docs'],
      ['//example.com/', '/account'],
      ['/\\example.com', '/account'],
      ['/.//example.com/', '/account'],
      ['https://example.com/', '/account'],
    ] as const) {
      await visitor.page.goto(`${here.url}/?next=${encodeURIComponent(next)}`);
      await visitor.page.waitForURL(`${here.url}${place}`);
    }
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page accepts phone numbers in any form and selects their country', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await page.goto(here.url);
    const number = page.getByLabel('Phone number');
    const country = page.getByLabel('Country');
    assert.equal(await country.inputValue(), 'GB');
    await number.fill('+49 (0)1512 3456 789');
    assert.equal(await country.inputValue(), 'DE');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('+49 1512 3456789').waitFor();
    await page.getByRole('button', { name: 'Change number' }).click();
    for (const [typed, code, international] of [
      ['0041 78 123 45 67', 'CH', '+41781234567'],
      ['tel:+1-212-555-2368', 'US', '+12125552368'],
      ['8 (912) 345-67-89', 'RU', '+79123456789'],
      ['347 123 4567', 'IT', '+393471234567'],
    ] as const) {
      await number.fill(typed);
      if (!/^(00|tel)/.test(typed)) await country.selectOption(code);
      assert.equal(await country.inputValue(), code, typed);
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByText(`${shownPhone(international)}.`).waitFor();
      await page.getByRole('button', { name: 'Change number' }).click();
    }
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page says that a phone number is invalid and accepts another one', async () => {
    const visitor = await here.visit();
    visitor.forgive(400);
    const { page } = visitor;
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill('12');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').getByText('not a valid phone number').waitFor();
    await signUp(here, visitor);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page shows the attempts left after a wrong code, then accepts the right one', async () => {
    const visitor = await here.visit();
    visitor.forgive(400);
    const { page } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(typed);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Six-digit code');
    await field.waitFor();
    const [message] = await here.messages(phone);
    const code = codeIn(message ?? assert.fail());
    await field.fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('alert').getByText(/4/).waitFor();
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.evaluate('document.activeElement.name'), 'code');
    await field.fill(`Your code: ${code.slice(0, 3)} ${code.slice(3)}.`);
    await page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page sends the code again after the countdown', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(typed);
    // The page waits for it from before the click: the countdown is short, and this process may be busy.
    const counted = page.getByRole('button', { name: /Send again in \d seconds?/, disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Send code' }).click();
    await counted;
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByRole('status').getByText('Sent again.').waitFor();
    await eventually(async () => (await here.messages(phone)).length === 2);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page keeps its step over a reload and goes one step back with the back button', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    await page.reload();
    await page.getByText(`We sent a code to ${shownPhone(phone)}`).waitFor();
    await page.goBack();
    assert.equal(await page.getByLabel('Phone number').inputValue(), phone);
    await page.goForward();
    const [message] = await here.messages(phone);
    await page.getByLabel('Six-digit code').fill(codeIn(message ?? assert.fail()));
    await page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a user who lost the sign-in page can still enter the code that was sent', async (test) => {
    // However slow the browser is, the second request is too soon.
    const strict = (await openPageStage({ OTP_RESEND_AFTER: '5m' })) ?? assert.fail();
    test.after(strict.close);
    const visitor = await strict.visit();
    visitor.forgive(429);
    const { page } = visitor;
    const { typed, phone } = newPhone();
    for (const round of ['first', 'second']) {
      await page.goto(`${strict.url}/?${round}`);
      await page.getByLabel('Phone number').fill(typed);
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByRole('button', { name: /Send again in \d+ / }).waitFor();
    }
    const messages = await strict.messages(phone);
    assert.equal(messages.length, 1);
    await page.getByLabel('Six-digit code').fill(codeIn(messages[0] ?? assert.fail()));
    await page.waitForURL('**/account');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page shows one message at a time for a wrong, resent or refused code', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 429);
    const { page } = visitor;
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(newPhone().typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    const said = async () => (await page.locator('form .notice:not(.empty)').allInnerTexts()).join('|');
    await page.getByLabel('Six-digit code').fill('000000');
    await page.getByRole('alert').getByText(/4/).waitFor();
    const again = page.getByRole('button', { name: 'Send again', exact: true });
    await again.click();
    await page.getByText('Sent again.').waitFor();
    assert.equal(await said(), 'Sent again.');
    const refusal = { success: false, message: 'No more for today.', codeError: 'OTP_SEND_LIMIT', data: null };
    await page.route('**/send/otp', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: refusal }),
    );
    await again.click();
    await page.getByText('No more for today.').waitFor();
    assert.equal(await said(), 'No more for today.');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the countdown of the sign-in page does not move the focus', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await page.goto(`${here.url}/#email`);
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('nobody@example.com').waitFor();
    await eventually(async () => (await page.evaluate('document.activeElement.tagName')) === 'H1');
    const other = page.getByRole('button', { name: /another|different/i });
    await other.focus();
    await page.waitForTimeout(1000);
    assert.ok(await other.evaluate((button) => button === button.ownerDocument.activeElement));
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the sign-in page has one numeric one-time-code input', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(newPhone().typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const inputs = await page
      .locator('form input')
      .evaluateAll((all) =>
        all.map((one) => ({ autocomplete: one.getAttribute('autocomplete'), mode: one.getAttribute('inputmode') })),
      );
    assert.deepEqual(inputs, [{ autocomplete: 'one-time-code', mode: 'numeric' }]);
    await visitor.context.close();
  });

  it('the sign-in page takes a code that the inbox page fills in', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    const { typed, phone } = newPhone();
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const inbox = await context.newPage();
    await inbox.goto(`${here.url}/inbox`);
    await inbox.getByRole('button', { name: shownPhone(phone) }).click();
    await inbox.getByRole('button', { name: 'Fill in the code' }).click();
    await page.waitForURL('**/account');
    await inbox.getByText('Filled in on the page').waitFor();
    await inbox.getByRole('button', { name: 'Fill in the code' }).click();
    await inbox.getByText('No page in this browser').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await context.close();
  });

  it('the sign-in page uses the language of the browser', async () => {
    for (const [locale, title] of [
      ['de-DE', 'Anmelden'],
      ['fr-CA', 'Se connecter'],
      ['zh-CN', '登录'],
      ['ja-JP', 'Sign in'],
    ] as const) {
      const visitor = await here.visit({ locale });
      await visitor.page.goto(here.url);
      await visitor.page.getByRole('heading', { level: 1, name: title }).waitFor();
      const language = await visitor.page.getAttribute('html', 'lang');
      assert.equal(language, title === 'Sign in' ? 'en' : locale.slice(0, 2));
      await visitor.context.close();
    }
  });

  it('the sign-in page says that the service cannot be reached and works afterwards', async () => {
    const visitor = await here.visit();
    const { page, context } = visitor;
    await page.goto(here.url);
    await page.getByLabel('Phone number').fill(newPhone().typed);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    await context.close();
  });
});
