// Binding an e-mail address: a code proves it, it never reveals who owns it, one of two racing users gets it, and the old address is notified.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bind,
  bindAddress,
  codeIn,
  comparable,
  enter,
  me,
  messageAfter,
  messagesTo,
  newAddress,
  otherThan,
  outcomeOf,
  sendBinding,
} from '../../../../helpers/people/users.ts';
import { call, type Reply } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage, startTwoNodes } from '../../../../helpers/services/stage.ts';

for (const kind of tierStoreKinds) {
  describe(`binding an e-mail address, on ${kind}`, () => {
    const stage = setStage(kind, { RECENT_SIGN_IN: '1h' });
    const askForCode = async (token: string, email: string, url = stage.url) =>
      codeIn(await messageAfter(url, email, () => sendBinding(url, token, email)));
    const emailOf = async (token: string) => (await me(stage.url, token)).body.data.email;

    it('binding sends a code to the e-mail address and stores the address as it was written', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress().replace('user', 'Bob.User');
      const mail = await messageAfter(stage.url, email, async () => {
        const reply = await sendBinding(stage.url, JWT, ` ${email} `);
        assert.equal(reply.body.data, null);
        return reply;
      });
      assert.equal(mail.to, email);
      const code = codeIn(mail);
      assert.ok(mail.text.includes(`\n${code}\n`) && mail.html?.includes(code));
      assert.match(mail.text, /10 minutes/);
      assert.equal(await emailOf(JWT), null);
      const reply = await bind(stage.url, JWT, email.toUpperCase(), `${code.slice(0, 3)} ${code.slice(3)}`);
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.body.data, null);
      assert.equal(await emailOf(JWT), email.toUpperCase());
    });

    it('a binding request answers alike for a free, an own, a taken and a pending address, and sends mail only to the free one', async () => {
      const [owner, other] = [await enter(stage.url), await enter(stage.url)];
      const [own, taken, free] = [newAddress(), newAddress(), newAddress()];
      await bindAddress(stage.url, owner.JWT, own);
      await bindAddress(stage.url, other.JWT, taken);
      const before = await Promise.all([own, taken].map((email) => messagesTo(stage.url, email)));
      const replies: Reply[] = [];
      for (const email of [own, taken, free, free]) replies.push(await sendBinding(stage.url, owner.JWT, email));
      const [first, ...others] = replies.map(comparable);
      for (const reply of others) assert.deepEqual(reply, first);
      await askForCode(owner.JWT, free);
      assert.deepEqual(await Promise.all([own, taken].map((email) => messagesTo(stage.url, email))), before);
    });

    it('binding one’s own e-mail address again answers 200 whatever the code', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      for (const otp of ['123456', '000000']) assert.equal(outcomeOf(await bind(stage.url, JWT, email, otp)), '200');
      assert.equal(await emailOf(JWT), email);
    });

    it('wrong codes for a taken e-mail address are counted and locked out with the same bytes as for a free one', async () => {
      const [owner, stranger] = [await enter(stage.url), await enter(stage.url)];
      const [taken, free, never] = [newAddress(), newAddress(), newAddress()];
      await bindAddress(stage.url, owner.JWT, taken);
      const wrong = otherThan(await askForCode(stranger.JWT, free));
      await sendBinding(stage.url, stranger.JWT, taken);
      for (let round = 0; round < 7; round++) {
        const replies = [];
        for (const email of [free, taken, never]) replies.push(await bind(stage.url, stranger.JWT, email, wrong));
        const [first, ...others] = replies.map(comparable);
        for (const reply of others) assert.deepEqual(reply, first);
        assert.equal(first?.body.codeError, round < 5 ? 'OTP_INVALID' : 'OTP_ATTEMPTS_EXCEEDED');
      }
    });

    it('an e-mail address taken in the meantime is reported only after the right code', async () => {
      const [quick, slow] = [await enter(stage.url), await enter(stage.url)];
      const email = newAddress();
      const code = await askForCode(slow.JWT, email);
      await bindAddress(stage.url, quick.JWT, email);
      assert.equal(outcomeOf(await bind(stage.url, slow.JWT, email, otherThan(code))), '400 OTP_INVALID');
      assert.equal(outcomeOf(await bind(stage.url, slow.JWT, email, code)), '409 EMAIL_TAKEN');
      assert.equal(outcomeOf(await bind(stage.url, slow.JWT, email, code)), '400 OTP_INVALID');
      assert.deepEqual([await emailOf(quick.JWT), await emailOf(slow.JWT)], [email, null]);
    });

    it('when two users race for one e-mail address on two nodes, exactly one gets it', async (context) => {
      const { urls } = await startTwoNodes(context, kind);
      const [here, there] = urls;
      const users = await Promise.all([enter(here), enter(there)]);
      for (let round = 0; round < 15; round++) {
        const email = newAddress();
        const codes: string[] = [];
        for (const { JWT } of users) codes.push(await askForCode(JWT, email, here));
        const answers = await Promise.all(
          users.map(({ JWT }, index) => bind(urls[index] ?? '', JWT, email, codes[index] ?? '')),
        );
        assert.deepEqual(answers.map(outcomeOf).sort(), ['200', '409 EMAIL_TAKEN']);
        const owners = await Promise.all(users.map(async ({ JWT }) => (await me(here, JWT)).body.data.email === email));
        assert.deepEqual(
          owners,
          answers.map(({ status }) => status === 200),
        );
      }
    });

    it('a binding code works for one user and one e-mail address, once', async () => {
      const [one, other] = [await enter(stage.url), await enter(stage.url)];
      const [email, elsewhere] = [newAddress(), newAddress()];
      const code = await askForCode(one.JWT, email);
      await sendBinding(stage.url, other.JWT, email);
      const refused = [await bind(stage.url, other.JWT, email, code), await bind(stage.url, one.JWT, elsewhere, code)];
      for (const reply of refused) assert.equal(outcomeOf(reply), '400 OTP_INVALID');
      assert.equal(outcomeOf(await bind(stage.url, one.JWT, email, code)), '200');
      await bindAddress(stage.url, one.JWT, elsewhere);
      assert.equal(outcomeOf(await bind(stage.url, one.JWT, email, code)), '400 OTP_INVALID');
      assert.equal(await emailOf(one.JWT), elsewhere);
    });

    it('a new e-mail address replaces the old one, which gets a notice and becomes free', async () => {
      const [user, other] = [await enter(stage.url), await enter(stage.url)];
      const [old, fresh] = [newAddress(), newAddress()];
      await bindAddress(stage.url, user.JWT, old);
      const code = await askForCode(user.JWT, fresh);
      const notice = await messageAfter(stage.url, old, () => bind(stage.url, user.JWT, fresh, code));
      assert.equal(notice.subject, 'Your Gatehouse e-mail address was changed');
      assert.doesNotMatch(`${notice.text}${notice.html}`, new RegExp(`${fresh}|\\d{6}|#[\\w-]{43}`));
      assert.equal(await emailOf(user.JWT), fresh);
      await bindAddress(stage.url, other.JWT, old);
      assert.equal(await emailOf(other.JWT), old);
    });

    it('a binding code lives ten minutes from the latest mail and fifteen from the first', async () => {
      const { JWT } = await enter(stage.url);
      const [early, late, capped] = [newAddress(), newAddress(), newAddress()];
      const codes = [await askForCode(JWT, early), await askForCode(JWT, late), await askForCode(JWT, capped)];
      stage.clock.advance(599);
      assert.equal(outcomeOf(await bind(stage.url, JWT, early, codes[0] ?? '')), '200');
      assert.equal(await askForCode(JWT, capped), codes[2]);
      stage.clock.advance(1);
      assert.equal(outcomeOf(await bind(stage.url, JWT, late, codes[1] ?? '')), '400 OTP_EXPIRED');
      stage.clock.advance(299);
      assert.equal(await askForCode(JWT, capped), codes[2]);
      stage.clock.advance(1);
      assert.equal(outcomeOf(await bind(stage.url, JWT, capped, codes[2] ?? '')), '400 OTP_EXPIRED');
      assert.equal(await emailOf(JWT), early);
    });

    it('binding an e-mail address needs a session, a captcha and a valid body', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress();
      const sending = ['POST', '/api/auth/email/send/otp', { recipient: email }] as const;
      const adding = ['PUT', '/api/auth/email/add', { email, otp: '123456' }] as const;
      for (const [method, path, body] of [sending, adding]) {
        assert.equal(
          outcomeOf(await call(stage.url, method, path, { body, captcha: 'x' })),
          '401 ACCESS_TOKEN_MISSING',
        );
      }
      const [method, path, body] = sending;
      assert.equal(outcomeOf(await call(stage.url, method, path, { body, token: JWT })), '400 CAPTCHA_REQUIRED');
      assert.equal(outcomeOf(await sendBinding(stage.url, JWT, 'ann@nowhere')), '400 EMAIL_INVALID');
      assert.equal(outcomeOf(await bind(stage.url, JWT, 'ann@nowhere', '123456')), '400 EMAIL_INVALID');
      for (const otp of ['12345', 'abcdef', '1234567']) {
        assert.equal((await bind(stage.url, JWT, email, otp)).status, 400);
      }
      for (const broken of [{}, { email }, { otp: '123456' }, { email: 1, otp: '123456' }, { email, otp: 123456 }]) {
        const reply = await call(stage.url, 'PUT', '/api/auth/email/add', { body: broken, token: JWT });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', JSON.stringify(broken));
      }
    });
  });
}
