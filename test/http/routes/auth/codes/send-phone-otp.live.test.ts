// POST /api/auth/phone/send/otp: which numbers are accepted, what is sent, and that known and new numbers are treated alike.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  askForCode,
  comparable,
  enter,
  messageAfter,
  messagesTo,
  outcomeOf,
} from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, sendOtp } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const path = '/api/auth/phone/send/otp';
const testPhone = '+15550100001';
const day = 86_400_000;
const inTwoDays = new Date(Date.now() + 2 * day).toISOString().slice(0, 10);

for (const kind of tierStoreKinds) {
  describe(`sending a code to a phone, on ${kind}`, () => {
    const stage = setStage(kind, { TEST_RECIPIENTS: `${testPhone}=000000@${inTwoDays}` });

    it('a code request answers with data null and sends one SMS segment with brand, code, life and host', async () => {
      const phone = newPhone();
      const message = await messageAfter(stage.url, phone, async () => {
        const reply = await sendOtp(stage.url, phone);
        assert.equal(reply.body.data, null);
        assert.equal(reply.headers.get('cache-control'), 'no-store');
        return reply;
      });
      assert.match(message.text, /^Gatehouse code: (\d{6})\. Valid 5 min\.\n\n@localhost #\1$/);
      assert.ok(message.text.length <= 160);
      assert.equal(message.channel, 'sms');
      assert.equal((await messagesTo(stage.url, phone)).length, 1);
    });

    it('another spelling of a number counts as that number', async () => {
      const code = await askForCode(stage.url, '+12025550199');
      const spelling = '\u200e+1 (202) 555.0199 ';
      const { to, text } = await messageAfter(stage.url, '+12025550199', () => sendOtp(stage.url, spelling));
      assert.equal(to, '+12025550199');
      assert.ok(text.endsWith(`#${code}`), spelling);
      assert.equal(outcomeOf(await logIn(stage.url, '+1-202-555-0199', code)), '200');
    });

    it('a code request refuses text that is not a phone number', async () => {
      for (const text of ['12025550123', '+１２０２５５５０１２３']) {
        assert.equal(outcomeOf(await sendOtp(stage.url, text)), '400 PHONE_INVALID', text);
      }
    });

    it('a code request refuses a premium number', async () => {
      assert.equal(outcomeOf(await sendOtp(stage.url, '+19002345678')), '422 PHONE_NOT_SUPPORTED');
    });

    it('a code request with a malformed body names the field and sends nothing', async () => {
      const bodies = [{}, { recipient: 12025550123 }, { recipient: null }, { recipient: ['+12025550123'] }];
      const texts = ['+1'.repeat(50), '+1202555\u00000123', '+1202555\ud8000123'];
      for (const body of [...bodies, ...texts.map((recipient) => ({ recipient }))]) {
        const reply = await call(stage.url, 'POST', path, { body, captcha: 'any' });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', JSON.stringify(body));
        assert.match(reply.body.message, /recipient/);
      }
    });

    it('a code request ignores unknown fields', async () => {
      const body = { recipient: newPhone(), otp: '000000', code: '000000', expiresAt: 0, userId: 'x' };
      assert.equal(outcomeOf(await call(stage.url, 'POST', path, { body, captcha: 'any' })), '200');
      assert.equal(outcomeOf(await logIn(stage.url, body.recipient, '000000')), '400 OTP_INVALID');
    });

    it('a code request needs the captcha header', async () => {
      const body = { recipient: newPhone() };
      assert.equal(outcomeOf(await call(stage.url, 'POST', path, { body })), '400 CAPTCHA_REQUIRED');
      assert.equal(outcomeOf(await call(stage.url, 'POST', path, { body, captcha: ' ' })), '400 CAPTCHA_REQUIRED');
      assert.deepEqual(await messagesTo(stage.url, body.recipient), []);
    });

    it('a resend repeats the code while it lives, counted from the latest message', async () => {
      const phone = newPhone();
      const first = await askForCode(stage.url, phone);
      stage.clock.advance(299);
      assert.equal(await askForCode(stage.url, phone), first);
      stage.clock.advance(299);
      assert.equal(await askForCode(stage.url, phone), first);
      assert.equal(outcomeOf(await logIn(stage.url, phone, first)), '200');
    });

    it('a code request answers with the same bytes for a known and a new number', async () => {
      const { phone } = await enter(stage.url);
      const [known, fresh] = [await sendOtp(stage.url, phone), await sendOtp(stage.url, newPhone())];
      assert.deepEqual(comparable(known), comparable(fresh));
    });

    it('the answer and the message of a code request are in the language of the caller', async () => {
      const phone = newPhone();
      const german = { 'accept-language': 'de-AT,de;q=0.9' };
      const { text } = await messageAfter(stage.url, phone, async () => {
        const reply = await sendOtp(stage.url, phone, german);
        assert.notEqual(reply.body.message, (await sendOtp(stage.url, newPhone())).body.message);
        return reply;
      });
      assert.doesNotMatch(text, /code: /);
      assert.match(text, /@localhost #\d{6}$/);
    });

    it('a test recipient gets no message, and its fixed code works until its date', async () => {
      assert.equal(outcomeOf(await sendOtp(stage.url, testPhone)), '200');
      assert.equal(outcomeOf(await logIn(stage.url, testPhone, '000001')), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, testPhone, '000000')), '200');
      assert.equal(outcomeOf(await logIn(stage.url, testPhone, '000000')), '400 OTP_INVALID');
      assert.equal(outcomeOf(await sendOtp(stage.url, testPhone)), '200');
      assert.deepEqual(await messagesTo(stage.url, testPhone), []);
      stage.clock.advance(2 * 86_400);
      assert.equal(outcomeOf(await logIn(stage.url, testPhone, '000000')), '400 PHONE_INVALID');
      assert.equal(outcomeOf(await sendOtp(stage.url, testPhone)), '400 PHONE_INVALID');
    });
  });
}
