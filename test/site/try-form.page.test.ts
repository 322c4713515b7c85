// The API reference in a browser: its forms send requests, show the answers, and reuse the tokens of a sign-in.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { codeIn, eventually, newPhone, openPageStage } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage();

describe('the forms of the API reference', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the forms of the API reference send a code, sign in with it, and reuse the token of the answer', async () => {
    const { page, problems, forgive } = await here.visit();
    await page.goto(`${here.url}/docs/api/auth`);
    const send = async (id: string, body?: unknown) => {
      const form = page.locator(`#${id} form`);
      await page.locator(`#${id} details.try`).evaluate((details) => details.setAttribute('open', ''));
      if (body !== undefined) await form.locator('textarea').fill(JSON.stringify(body));
      await form.getByRole('button', { name: 'Send request' }).click();
      await eventually(async () => /\d ms$/.test((await form.locator('.outcome').textContent()) ?? ''));
      return {
        outcome: await form.locator('.outcome').textContent(),
        headers: await form.locator('.answer-headers').textContent(),
        answer: await form.locator('.answer-body').textContent(),
      };
    };
    const { phone } = newPhone();
    const sent = await send('sendPhoneOtp', { recipient: phone });
    assert.match(sent.outcome ?? '', /^200 .*· \d+ ms$/);
    assert.match(sent.headers ?? '', /^content-type: application\/json/);
    const [message] = await here.messages(phone);
    const otp = codeIn(message ?? assert.fail());
    assert.match((await send('signInWithPhone', { phone, otp })).outcome ?? '', /^200 /);
    assert.match(await page.locator('#me input[name="Authorization"]').inputValue(), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.ok((await send('me')).answer?.includes(`"phone": "${phone}"`));
    forgive(400);
    assert.match((await send('sendPhoneOtp', { recipient: '12' })).answer ?? '', /PHONE_INVALID/);
    assert.deepEqual(problems(), []);
  });
});
