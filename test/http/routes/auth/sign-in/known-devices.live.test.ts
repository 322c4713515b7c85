// Known devices over HTTP: the device token, a sign-in on a known device during an attack, and the notice of a sign-in on a new one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  askForCode,
  askForLink,
  bindAddress,
  codeIn,
  enter,
  messageAfter,
  messagesTo,
  newAddress,
  otherThan,
  outcomeOf,
} from '../../../../helpers/people/users.ts';
import { call, newPhone } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

for (const kind of tierStoreKinds) {
  describe(`a known device, on ${kind}`, () => {
    const stage = setStage(kind, { NOTICES: 'mail' });
    const logIn = (phone: string, otp: string, headers: Record<string, string> = {}) =>
      call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp }, headers });
    const reports = async (email: string) =>
      (await messagesTo(stage.url, email)).filter(({ subject }) => subject === 'New sign-in to Gatehouse');

    it('a sign-in by phone and one by link mark the device, by cookie and by header, also for an app that has no token yet', async () => {
      const phone = newPhone();
      const first = await logIn(phone, await askForCode(stage.url, phone));
      const token = first.headers.get('device-token') ?? '';
      assert.match(token, /^[\w-]{75}$/);
      assert.equal(first.cookies.at(-1), `DV=${token}; Max-Age=31536000; Path=/api/auth; HttpOnly; SameSite=Strict`);
      const email = newAddress();
      await bindAddress(stage.url, first.body.data.JWT, email);
      const link = await askForLinkAfterNotice(email);
      const second = await call(stage.url, 'POST', '/api/auth/email/login', { body: { token: link } });
      assert.equal(outcomeOf(second), '200');
      const again = second.headers.get('device-token') ?? '';
      assert.match(again, /^[\w-]{75}$/);
      assert.ok(second.cookies.at(-1)?.startsWith(`DV=${again}; Max-Age=31536000;`));
    });

    /** A notice of the binding may arrive after the code. */
    async function askForLinkAfterNotice(email: string): Promise<string> {
      await waitUntil('the notice of the binding', async () => (await messagesTo(stage.url, email))[1]);
      return askForLink(stage.url, email);
    }

    it('an owner on a known device signs in while strangers have used up every attempt of the day', async () => {
      const phone = newPhone();
      const first = await logIn(phone, await askForCode(stage.url, phone));
      const device = first.headers.get('device-token') ?? '';
      await useUpAttempts(phone);
      const code = await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await logIn(phone, code)), '429 OTP_ATTEMPTS_EXCEEDED', 'a stranger is locked out');
      for (const junk of ['junk', 'A'.repeat(75), `${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`])
        assert.equal(outcomeOf(await logIn(phone, code, { 'device-token': junk })), '429 OTP_ATTEMPTS_EXCEEDED', junk);
      const { device: other } = await enterWithDevice();
      assert.equal(
        outcomeOf(await logIn(phone, code, { 'device-token': other })),
        '429 OTP_ATTEMPTS_EXCEEDED',
        'another user',
      );
      assert.equal(outcomeOf(await logIn(phone, otherThan(code), { cookie: `DV=${device}` })), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(phone, code, { cookie: `DV=${device}` })), '200');
    });

    it('an owner on a known device proves the session while strangers have used up every attempt of the day', async () => {
      const phone = newPhone();
      const first = await logIn(phone, await askForCode(stage.url, phone));
      const device = first.headers.get('device-token') ?? '';
      await useUpAttempts(phone);
      const token = first.body.data.JWT;
      const proof = { token, captcha: 'any', body: { via: 'phone' } };
      const otp = codeIn(
        await messageAfter(stage.url, phone, () => call(stage.url, 'POST', '/api/auth/proof/send', proof)),
      );
      const prove = (headers: Record<string, string>) =>
        call(stage.url, 'POST', '/api/auth/proof', { token, headers, body: { otp } });
      assert.equal(outcomeOf(await prove({})), '429 OTP_ATTEMPTS_EXCEEDED', 'a stranger is locked out');
      assert.equal(outcomeOf(await prove({ 'device-token': device })), '200');
    });

    it('a device stays known when its user changes the number', async () => {
      const { JWT: token, device } = await enterWithDevice();
      const phone = newPhone();
      const sent = { token, captcha: 'any', body: { recipient: phone } };
      const otp = codeIn(
        await messageAfter(stage.url, phone, () => call(stage.url, 'POST', '/api/auth/phone/change/send', sent)),
      );
      const change = { token, body: { phone, otp }, headers: { cookie: `DV=${device}` } };
      const changed = await call(stage.url, 'PUT', '/api/auth/phone/change', change);
      const renewed = changed.headers.get('device-token') ?? '';
      assert.equal(
        changed.cookies.at(-1),
        `DV=${renewed}; Max-Age=31536000; Path=/api/auth; HttpOnly; SameSite=Strict`,
      );
      await useUpAttempts(phone);
      const code = await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await logIn(phone, code, { cookie: `DV=${device}` })), '429 OTP_ATTEMPTS_EXCEEDED');
      assert.equal(outcomeOf(await logIn(phone, code, { cookie: `DV=${renewed}` })), '200');
    });

    async function useUpAttempts(phone: string): Promise<void> {
      for (let round = 0; round < 3; round++) {
        for (let count = 0; count < 6; count++) await logIn(phone, '000000');
        stage.clock.advance(301);
      }
    }

    async function enterWithDevice(): Promise<{ JWT: string; device: string }> {
      const phone = newPhone();
      const reply = await logIn(phone, await askForCode(stage.url, phone));
      return { JWT: reply.body.data.JWT, device: reply.headers.get('device-token') ?? assert.fail() };
    }

    it('a sign-in on a new device is reported to the bound address, and one on a known device is not', async () => {
      const phone = newPhone();
      const email = newAddress();
      const first = await logIn(phone, await askForCode(stage.url, phone));
      const device = first.headers.get('device-token') ?? '';
      await bindAddress(stage.url, first.body.data.JWT, email);
      assert.equal(
        outcomeOf(await logIn(phone, await askForCode(stage.url, phone), { 'device-token': device })),
        '200',
      );
      const headers = { 'user-agent': firefox, 'accept-language': 'de' };
      assert.equal(outcomeOf(await logIn(phone, await askForCode(stage.url, phone), headers)), '200');
      const german = await waitUntil('the notice', async () =>
        (await messagesTo(stage.url, email)).find(({ subject }) => subject === 'Neue Anmeldung bei Gatehouse'),
      );
      assert.match(german.text, /Firefox · Linux/);
      assert.ok(!german.text.includes(phone), 'the number is masked');
      assert.match(german.text, /\/not-me#[\w-]{32}\n/);
      assert.deepEqual(await reports(email), [], 'the sign-in on the known device was not reported');
    });

    it('deleting the account forgets the device, and signing out does not', async () => {
      const { JWT } = await enter(stage.url);
      const out = await call(stage.url, 'POST', '/api/auth/logout', { token: JWT });
      assert.ok(!out.cookies.some((cookie) => cookie.startsWith('DV=')));
      const again = await enter(stage.url);
      const gone = await call(stage.url, 'DELETE', '/api/auth/me', { token: again.JWT });
      assert.equal(gone.cookies.at(-1), 'DV=; Max-Age=0; Path=/api/auth; HttpOnly; SameSite=Strict');
    });
  });
}
