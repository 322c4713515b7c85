// Wrong codes as an attack: strangers cannot lock out the user who asked for the code, one caller cannot try many numbers, and guesses stay few.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askForCode, codeIn, enter, messageAfter, newAddress, otherThan, outcomeOf } from '../helpers/people/users.ts';
import { call, newPhone, type Reply, sendOtp } from '../helpers/requests/api.ts';
import { tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { setStage } from '../helpers/services/stage.ts';

const times = async (count: number, act: (index: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index).then(outcomeOf)));

const tally = (replies: readonly string[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, (reply) => reply)).map(([reply, all]) => [reply, all?.length]),
  );

for (const kind of tierStoreKinds) {
  describe(`wrong codes of strangers, on ${kind}`, () => {
    const stage = setStage(kind, { TRUSTED_PROXIES: '127.0.0.1' });
    const logIn = (phone: string, otp: string, headers: Record<string, string> = {}) =>
      call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp }, headers });
    /** Asks for a code, and returns it with the token that identifies who asked. */
    const ask = async (phone: string) => {
      let reply: Reply | undefined;
      const message = await messageAfter(stage.url, phone, async () => {
        reply = await sendOtp(stage.url, phone, { 'ask-token': 'new' });
        return reply;
      });
      const asked = reply ?? assert.fail();
      return { code: codeIn(message), token: asked.headers.get('ask-token') ?? '', cookies: asked.cookies };
    };
    /** As an attacker does it: five wrong codes, a wait, five more, and again. */
    const lockOut = async (phone: string) => {
      for (let round = 0; round < 3; round++) {
        await times(6, () => logIn(phone, '000000'));
        stage.clock.advance(301);
      }
      assert.equal(outcomeOf(await logIn(phone, '000000')), '429 OTP_ATTEMPTS_EXCEEDED');
    };

    it('wrong codes from strangers do not lock out the user who asked, recognised by cookie or header', async () => {
      const phone = newPhone();
      await lockOut(phone);
      const { code, token, cookies } = await ask(phone);
      assert.deepEqual(cookies, [`ask=${token}; Max-Age=300; Path=/api/auth; HttpOnly; SameSite=Strict`]);
      assert.equal(
        outcomeOf(await logIn(phone, code)),
        '429 OTP_ATTEMPTS_EXCEEDED',
        'a stranger is refused even with the right code',
      );
      assert.equal(outcomeOf(await logIn(phone, otherThan(code), { 'ask-token': token })), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(phone, code, { cookie: `ask=${token}` })), '200');
      const again = await ask(phone);
      assert.equal(outcomeOf(await logIn(phone, again.code, { 'ask-token': again.token })), '200');
    });

    it('at most twenty wrong codes a day are judged for one number, strangers and users who asked together, even in parallel', async () => {
      const phone = newPhone();
      let judged = 0;
      for (let round = 0; round < 4; round++) {
        const asked = [await ask(phone), await ask(phone)];
        const code = asked[1]?.code ?? '';
        const replies = await times(24, (index) => {
          const token = asked[index % 3]?.token;
          return logIn(phone, otherThan(code), token === undefined ? {} : { 'ask-token': token });
        });
        judged += tally(replies)['400 OTP_INVALID'] ?? 0;
        assert.deepEqual(new Set(replies).size <= 2, true, [...new Set(replies)].join());
        stage.clock.advance(601);
      }
      assert.equal(judged, 20);
      const last = await ask(phone);
      assert.equal(outcomeOf(await logIn(phone, last.code, { 'ask-token': last.token })), '429 OTP_ATTEMPTS_EXCEEDED');
    });

    it('wrong codes from strangers do not lock a user out of binding an e-mail address', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress();
      let token = '';
      const message = await messageAfter(stage.url, email, async () => {
        const reply = await call(stage.url, 'POST', '/api/auth/email/send/otp', {
          body: { recipient: email },
          token: JWT,
          captcha: 'any',
          headers: { 'ask-token': '' },
        });
        token = reply.headers.get('ask-token') ?? '';
        assert.deepEqual(reply.cookies, [`ask=${token}; Max-Age=600; Path=/api/auth; HttpOnly; SameSite=Strict`]);
        return reply;
      });
      const bind = (otp: string, headers = {}) =>
        call(stage.url, 'PUT', '/api/auth/email/add', { body: { email, otp }, token: JWT, headers });
      const otp = codeIn(message);
      const strangers = await times(6, () => bind(otherThan(otp)));
      assert.deepEqual(tally(strangers), { '400 OTP_INVALID': 5, '429 OTP_ATTEMPTS_EXCEEDED': 1 });
      assert.equal(outcomeOf(await bind(otp, { 'ask-token': token })), '200');
    });

    it('wrong codes are limited for one caller over all numbers, and refused ones use up nothing of a number', async () => {
      await stage.restart({ LIMIT_ATTEMPTS_PER_IP: '3/1h,5/24h' });
      const from = (address: string) => ({ 'x-forwarded-for': address });
      const victims = Array.from({ length: 5 }, newPhone);
      const replies: Reply[] = [];
      for (const phone of victims) replies.push(await logIn(phone, '000000', from('198.51.100.9')));
      assert.deepEqual(replies.map(outcomeOf), [
        ...Array(3).fill('400 OTP_INVALID'),
        ...Array(2).fill('429 RATE_LIMITED'),
      ]);
      const refused = replies[4] ?? assert.fail();
      assert.equal(refused.headers.get('retry-after'), '3600');
      assert.equal(refused.headers.get('ratelimit-policy'), '"attempts-per-ip";q=3;w=3600');
      const [, , , untouched = ''] = victims;
      const others = await times(5, (index) => logIn(untouched, '000000', from(`203.0.113.${index}`)));
      assert.deepEqual(tally(others), { '400 OTP_INVALID': 5 });
      const phone = newPhone();
      const { code, token } = await ask(phone);
      assert.equal(outcomeOf(await logIn(phone, code, from('198.51.100.9'))), '429 RATE_LIMITED');
      assert.equal(outcomeOf(await logIn(phone, code, { ...from('198.51.100.9'), 'ask-token': token })), '200');
      await stage.restart({ LIMIT_ATTEMPTS_PER_IP: 'off' });
    });

    it('ask tokens look alike for known, new and test numbers, and a bad ask token is not an error', async () => {
      await stage.restart({ TEST_RECIPIENTS: '+15550100001=000000@2099-01-01' });
      const { phone: known } = await enter(stage.url);
      const shapes = await Promise.all(
        [known, newPhone(), '+15550100001'].map(async (phone) => {
          const { headers, cookies, body } = await sendOtp(stage.url, phone);
          assert.equal(body.data, null);
          assert.equal(headers.get('ask-token'), null, 'only for a client that asks for it');
          return [[...headers.keys()].sort().join(), cookies.join().replace(/ask=[\w-]{43}/, 'ask=…')].join();
        }),
      );
      assert.equal(new Set(shapes).size, 1, shapes.join('\n'));
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      for (const junk of ['x', '%00', 'A'.repeat(43), 'A'.repeat(4000)])
        assert.equal(outcomeOf(await logIn(phone, '1', { 'ask-token': junk })), '400 REQUEST_INVALID');
      assert.equal(outcomeOf(await logIn(phone, code, { 'ask-token': 'A'.repeat(43), cookie: 'ask=junk' })), '200');
    });
  });
}
