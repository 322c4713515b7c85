// Thousands of wrong codes from 100 IP addresses against one number and one e-mail address: their owner gets in, and at most 25 are compared.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindAddress, codeIn, enter, messageAfter, newAddress, otherThan, outcomeOf } from '../helpers/people/users.ts';
import { call, newPhone, type Reply } from '../helpers/requests/api.ts';
import { ask, type LeanReply } from '../helpers/requests/lean-client.ts';
import { type StoreKind, storeKinds } from '../helpers/services/gatehouse.ts';
import { setStage } from '../helpers/services/stage.ts';

/** The rules are the same on both databases. */
const wrongCodesOn: Readonly<Record<StoreKind, number>> = { sqlite: 10_000, postgres: 2500 };
const addresses = 100;
const atOnce = 25;

type Kept = { readonly code: string; readonly askToken: string };

/** A guess that was refused without a comparison says so, whatever its code. Only these answers depend on the code. */
const compared: ReadonlySet<string> = new Set(['400 OTP_INVALID', '400 OTP_EXPIRED', '200']);

for (const kind of storeKinds) {
  const wrongCodes = wrongCodesOn[kind];
  describe(`${wrongCodes} wrong codes, on ${kind}`, () => {
    const stage = setStage(kind, { TRUSTED_PROXIES: '127.0.0.1', LIMIT_ATTEMPTS_PER_IP: '30/1h,100/24h' });

    /** Requests a code, and keeps it with the token of the client that asked. */
    const askFor = async (to: string, path: string, body: unknown, token?: string): Promise<Kept> => {
      let askToken = '';
      const message = await messageAfter(stage.url, to, async () => {
        const sender = { body, captcha: 'any', headers: { 'ask-token': 'new' }, ...(token !== undefined && { token }) };
        const reply = await call(stage.url, 'POST', path, sender);
        askToken = reply.headers.get('ask-token') ?? '';
        return reply;
      });
      return { code: codeIn(message), askToken };
    };
    const sendCode = (phone: string) => askFor(phone, '/api/auth/phone/send/otp', { recipient: phone });
    const logIn = (phone: string, otp: string, headers: Record<string, string> = {}): Promise<Reply> =>
      call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp }, headers });

    /** Wrong codes of strangers, each from the next IP address. Gives how many of them were compared. */
    const attack = async (count: number, guess: (headers: Record<string, string>) => Promise<LeanReply>) => {
      const answers: string[] = [];
      for (let at = 0; at < count; at += atOnce) {
        const from = (index: number) => ({ 'x-forwarded-for': `198.51.100.${(at + index) % addresses}` });
        const replies = await Promise.all(Array.from({ length: atOnce }, (_, index) => guess(from(index))));
        answers.push(...replies.map(({ status, body }) => `${status} ${body.codeError}`));
      }
      assert.deepEqual(
        new Set(answers).difference(new Set(['400 OTP_INVALID', '429 OTP_ATTEMPTS_EXCEEDED', '429 RATE_LIMITED'])),
        new Set(),
      );
      return answers.filter((answer) => compared.has(answer)).length;
    };

    it('the owner on a known device, and whoever asked for the code, sign in and prove their session', async () => {
      const phone = newPhone();
      const email = newAddress();
      const first = await sendCode(phone);
      const entered = await logIn(phone, first.code);
      const device = entered.headers.get('device-token') ?? assert.fail();
      await bindAddress(stage.url, entered.body.data.JWT, email);
      let stranger = '';
      let code = '000000';
      const guesses = {
        'the code of a sign-in': (headers: Record<string, string>) =>
          ask(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: otherThan(code) }, headers }),
        'the code that changes a number to this one': (headers: Record<string, string>) =>
          ask(stage.url, 'PUT', '/api/auth/phone/change', { body: { phone, otp: '000000' }, token: stranger, headers }),
        'the code that binds the address': (headers: Record<string, string>) =>
          ask(stage.url, 'PUT', '/api/auth/email/add', { body: { email, otp: '000000' }, token: stranger, headers }),
      };
      const judged = { phone: 0, email: 0 };
      const rounds = 4;
      const part = wrongCodes / rounds / 5;
      for (let round = 0; round < rounds; round++) {
        // Another account each time: a change of the number needs a recent sign-in.
        stranger = (await enter(stage.url)).JWT;
        judged.phone += await attack(part, guesses['the code that changes a number to this one']);
        judged.phone += await attack(part, guesses['the code of a sign-in']);
        judged.email += await attack(part, guesses['the code that binds the address']);
        const asked = await sendCode(phone);
        ({ code } = asked);
        judged.phone += await attack(2 * part, guesses['the code of a sign-in']);
        if (round > 0) assert.equal(outcomeOf(await logIn(phone, code)), '429 OTP_ATTEMPTS_EXCEEDED', 'a stranger');
        const owner = round % 2 === 0 ? { 'device-token': device } : { 'ask-token': asked.askToken };
        const signedIn = await logIn(phone, code, owner);
        assert.equal(outcomeOf(signedIn), '200', `round ${round}: ${Object.keys(owner)}`);
        const via = round % 2 === 0 ? 'phone' : 'email';
        const { JWT: token, RT } = signedIn.body.data;
        const proof = await askFor(via === 'phone' ? phone : email, '/api/auth/proof/send', { via }, token);
        const headers = { RT, 'ask-token': proof.askToken };
        const proved = await call(stage.url, 'POST', '/api/auth/proof', { body: { otp: proof.code }, token, headers });
        assert.equal(outcomeOf(proved), '200', `round ${round}: a proof by ${via}`);
        stage.clock.advance(200);
      }
      assert.deepEqual(judged, { phone: 15, email: 15 }, 'of a million codes each');
    });

    it('the user who asked for it changes the number while strangers guess at the new one', async () => {
      const phone = newPhone();
      const guess = (headers: Record<string, string>) =>
        ask(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: '000000' }, headers });
      let judged = 0;
      for (let round = 0; round < 3; round++) {
        judged += await attack(4 * atOnce, guess);
        stage.clock.advance(round < 2 ? 301 : 0);
      }
      assert.equal(judged, 15);
      const { JWT: fresh } = await enter(stage.url);
      const asked = await askFor(phone, '/api/auth/phone/change/send', { recipient: phone }, fresh);
      const change = (headers: Record<string, string>) =>
        call(stage.url, 'PUT', '/api/auth/phone/change', { body: { phone, otp: asked.code }, token: fresh, headers });
      assert.equal(outcomeOf(await change({})), '429 OTP_ATTEMPTS_EXCEEDED', 'a stranger');
      assert.equal(outcomeOf(await change({ 'ask-token': asked.askToken })), '200');
    });

    it('with every token that an attacker can get, 25 codes of a million are compared in a day', async () => {
      const phone = newPhone();
      const first = await sendCode(phone);
      const device = (await logIn(phone, first.code)).headers.get('device-token') ?? '';
      let judged = 0;
      for (let round = 0; round < 12; round++) {
        const { code, askToken } = await sendCode(phone);
        for (const headers of [{}, { 'ask-token': askToken }, { 'device-token': device }]) {
          const guess = (from: Record<string, string>) =>
            ask(stage.url, 'POST', '/api/auth/phone/login', {
              body: { phone, otp: otherThan(code) },
              headers: { ...from, ...headers },
            });
          judged += await attack(atOnce, guess);
        }
        stage.clock.advance(601);
      }
      assert.equal(judged, 25);
    });
  });
}
