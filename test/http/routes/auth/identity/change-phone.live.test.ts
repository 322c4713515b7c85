// PUT /api/auth/phone/change and its code: free, taken and own numbers look alike, other sessions end, and the link of the notice undoes it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../../../../helpers/people/sms-recorder.ts';
import {
  askForCode,
  askForLink,
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
  redeem,
} from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, type Reply, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage, startTwoNodes } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const sendTo = (url: string, token: string, recipient: string, headers: Record<string, string> = {}) =>
  call(url, 'POST', '/api/auth/phone/change/send', { body: { recipient }, token, captcha: 'any', headers });
const changeTo = (url: string, token: string, phone: string, otp: string, headers: Record<string, string> = {}) =>
  call(url, 'PUT', '/api/auth/phone/change', { body: { phone, otp }, token, headers });
const codeFor = async (url: string, token: string, phone: string) =>
  codeIn(await messageAfter(url, phone, () => sendTo(url, token, phone)));

for (const kind of tierStoreKinds) {
  describe(`changing the number, on ${kind}`, () => {
    const stage = setStage(kind, { NOTICES: 'off' });
    const change = async (token: string, phone: string) =>
      changeTo(stage.url, token, phone, await codeFor(stage.url, token, phone));
    const noticeTo = (to: string, text: RegExp) =>
      waitUntil(`a notice to ${to}`, async () =>
        (await messagesTo(stage.url, to)).find((message) => text.test(message.subject ?? message.text)),
      );
    const tokenIn = ({ text }: { text: string }) => /\/not-me#([\w-]{32})$/m.exec(text)?.[1] ?? assert.fail(text);
    const reportNotMe = (token: string) => call(stage.url, 'POST', '/api/auth/not-me', { body: { token } });
    /** Signed in by link, so the phone may be lost. */
    const enterByLink = async () => {
      const user = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, user.JWT, email);
      const reply = await redeem(stage.url, await askForLink(stage.url, email));
      return { user, email, pair: reply.body.data as Pair };
    };
    const eventsOf = (token: string) =>
      askStore(stage.env, `select kind from audit_events where user_id = '${sub(token)}'`);

    it('a code to the new number changes it at once: other sessions end, this one goes on, and the old number is free', async () => {
      const user = await enter(stage.url);
      const other = await enter(stage.url, user.phone);
      const phone = newPhone();
      const reply = await change(user.JWT, phone);
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.deepEqual(reply.body.data, (await me(stage.url, user.JWT)).body.data, 'the answer is the account');
      assert.equal(reply.body.data.phone, phone);
      assert.equal(outcomeOf(await me(stage.url, other.JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, other.RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, user.RT)), '200');
      const again = await enter(stage.url, phone);
      assert.equal((await me(stage.url, again.JWT)).body.data.id, reply.body.data.id);
      const stranger = await enter(stage.url, user.phone);
      assert.notEqual((await me(stage.url, stranger.JWT)).body.data.id, reply.body.data.id);
    });

    it('a request for a code answers alike for a free, a taken and the own number, sends the code to each, and writes the same', async () => {
      const [user, owner] = [await enter(stage.url), await enter(stage.url)];
      const written = async () =>
        (await eventsOf(user.JWT)).filter((event) => String(event.kind).startsWith('otp.')).length;
      const replies: Reply[] = [];
      const texts: string[] = [];
      for (const phone of [newPhone(), owner.phone, user.phone]) {
        const before = await written();
        const message = await messageAfter(stage.url, phone, async () => {
          const reply = await sendTo(stage.url, user.JWT, phone);
          replies.push(reply);
          return reply;
        });
        texts.push(message.text.replaceAll(/\d{6}/g, 'code'));
        assert.equal(await written(), before + 1);
      }
      const [first, ...others] = replies.map(comparable);
      for (const reply of others) assert.deepEqual(reply, first);
      assert.equal(new Set(texts).size, 1, 'the messages say the same');
    });

    it('wrong codes for a free, a taken, the own and a never asked number are counted and locked with the same bytes', async () => {
      const [user, owner] = [await enter(stage.url), await enter(stage.url)];
      const [free, never] = [newPhone(), newPhone()];
      const wrong = otherThan(await codeFor(stage.url, user.JWT, free));
      for (const phone of [owner.phone, user.phone]) await sendTo(stage.url, user.JWT, phone);
      for (let round = 0; round < 7; round++) {
        const replies = [];
        for (const phone of [free, owner.phone, user.phone, never])
          replies.push(await changeTo(stage.url, user.JWT, phone, wrong));
        const [first, ...others] = replies.map(comparable);
        for (const reply of others) assert.deepEqual(reply, first);
        assert.equal(first?.body.codeError, round < 5 ? 'OTP_INVALID' : 'OTP_ATTEMPTS_EXCEEDED');
      }
    });

    it('a taken number is reported only after the right code, which is used up', async () => {
      const [user, owner] = [await enter(stage.url), await enter(stage.url)];
      const otp = await codeFor(stage.url, user.JWT, owner.phone);
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, owner.phone, otherThan(otp))), '400 OTP_INVALID');
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, owner.phone, otp)), '409 PHONE_TAKEN');
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, owner.phone, otp)), '400 OTP_INVALID');
      assert.equal((await me(stage.url, user.JWT)).body.data.phone, user.phone);
      assert.equal((await me(stage.url, owner.JWT)).body.data.phone, owner.phone);
    });

    it('the own number succeeds with the right code, and changes nothing', async () => {
      const user = await enter(stage.url);
      const other = await enter(stage.url, user.phone);
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, user.phone, '000000')), '400 OTP_INVALID');
      const reply = await change(user.JWT, user.phone);
      assert.deepEqual([outcomeOf(reply), reply.body.data.phone], ['200', user.phone]);
      assert.equal(outcomeOf(await me(stage.url, other.JWT)), '200');
    });

    it('the code of a change belongs to one user, one number and one purpose, and expires', async () => {
      const [user, stranger] = [await enter(stage.url), await enter(stage.url)];
      const [phone, elsewhere] = [newPhone(), newPhone()];
      const otp = await codeFor(stage.url, user.JWT, phone);
      const signInCode = await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await logIn(stage.url, phone, otp)), '400 OTP_INVALID', 'it signs nobody in');
      assert.equal(outcomeOf(await changeTo(stage.url, stranger.JWT, phone, otp)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, elsewhere, otp)), '400 OTP_INVALID');
      if (signInCode !== otp)
        assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, phone, signInCode)), '400 OTP_INVALID');
      stage.clock.advance(300);
      assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, phone, otp)), '400 OTP_EXPIRED');
    });

    it('the old number and the address are notified although notices are off, and each link restores the number once', async () => {
      const user = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, user.JWT, email);
      const phone = newPhone();
      assert.equal(outcomeOf(await change(user.JWT, phone)), '200');
      const sms = await noticeTo(user.phone, /phone number of your account was changed/);
      const mail = await noticeTo(email, /phone number was changed$/);
      assert.notEqual(tokenIn(sms), tokenIn(mail));
      assert.ok(!mail.text.includes(phone) && !mail.text.includes(user.phone), 'both numbers are masked');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '200');
      assert.equal(outcomeOf(await reportNotMe(tokenIn(sms))), '200');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '401 SESSION_REVOKED', 'every session ends');
      for (const used of [sms, mail]) assert.equal(outcomeOf(await reportNotMe(tokenIn(used))), '400 LINK_INVALID');
      const back = await enter(stage.url, user.phone);
      assert.deepEqual([(await me(stage.url, back.JWT)).body.data.email], [email]);
      const kinds = (await eventsOf(back.JWT)).map((event) => event.kind);
      assert.equal(kinds.filter((name) => name === 'phone.changed').length, 2);
    });

    it('an undo answers PHONE_TAKEN while another account has the old number, ends the sessions, and works later', async () => {
      const user = await enter(stage.url);
      assert.equal(outcomeOf(await change(user.JWT, newPhone())), '200');
      const token = tokenIn(await noticeTo(user.phone, /phone number of your account was changed/));
      const squatter = await enter(stage.url, user.phone);
      assert.equal(outcomeOf(await reportNotMe(token)), '409 PHONE_TAKEN');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token: squatter.JWT })), '200');
      assert.equal(outcomeOf(await reportNotMe(token)), '200');
      const back = await enter(stage.url, user.phone);
      assert.equal(sub(back.JWT), sub(user.JWT));
    });

    it('a user who signed in by link must wait: the change is scheduled and announced, and the link of the notice cancels it', async () => {
      const { user, email, pair } = await enterByLink();
      const phone = newPhone();
      const reply = await change(pair.JWT, phone);
      assert.equal(outcomeOf(reply), '202');
      const effectiveAt = new Date(stage.clock.now() + 72 * 3600 * 1000).toISOString();
      assert.deepEqual(reply.body.data, { phone, effectiveAt });
      assert.equal((await me(stage.url, pair.JWT)).body.data.phone, user.phone);
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '200', 'no session ends yet');
      const sms = await noticeTo(user.phone, /phone number of your account will change/);
      const mail = await noticeTo(email, /phone number will change$/);
      assert.equal(outcomeOf(await reportNotMe(tokenIn(sms))), '200');
      for (const { JWT } of [user, pair]) assert.equal(outcomeOf(await me(stage.url, JWT)), '401 SESSION_REVOKED');
      const waiting = await askStore(stage.env, `select next_phone from users where id = '${sub(user.JWT)}'`);
      assert.deepEqual(
        waiting.map((row) => row.next_phone),
        [null],
      );
      assert.equal(outcomeOf(await reportNotMe(tokenIn(mail))), '200', 'the other link still ends sessions');
    });

    it('an account without a number gets one at once, although its user signed in by link', async () => {
      const { user, pair } = await enterByLink();
      await askStore(stage.env, `update users set phone = null where id = '${sub(user.JWT)}'`);
      const phone = newPhone();
      const reply = await change(pair.JWT, phone);
      assert.deepEqual([outcomeOf(reply), reply.body.data.phone], ['200', phone]);
    });

    it('a change needs a recent sign-in, a session that goes on, a captcha and a valid body', async () => {
      const user = await enter(stage.url);
      const phone = newPhone();
      const otp = await codeFor(stage.url, user.JWT, phone);
      const sending = ['POST', '/api/auth/phone/change/send', { recipient: phone }] as const;
      const changing = ['PUT', '/api/auth/phone/change', { phone, otp }] as const;
      const cookie = { cookie: `JWT=${user.JWT}`, origin: 'https://evil.example' };
      for (const [method, path, body] of [sending, changing]) {
        assert.equal(
          outcomeOf(await call(stage.url, method, path, { body, captcha: 'x' })),
          '401 ACCESS_TOKEN_MISSING',
        );
        assert.equal(outcomeOf(await call(stage.url, method, path, { body, token: 'x' })), '401 ACCESS_TOKEN_INVALID');
        const forged = await call(stage.url, method, path, { body, captcha: 'x', headers: cookie });
        assert.equal(outcomeOf(forged), '403 CSRF_REJECTED');
        for (const broken of [{}, { phone: 1, recipient: 1, otp }])
          assert.equal(
            outcomeOf(await call(stage.url, method, path, { body: broken, token: user.JWT, captcha: 'x' })),
            '400 REQUEST_INVALID',
          );
      }
      const [method, path, body] = sending;
      assert.equal(outcomeOf(await call(stage.url, method, path, { body, token: user.JWT })), '400 CAPTCHA_REQUIRED');
      for (const [bad, code] of [
        ['12025550123', '400 PHONE_INVALID'],
        ['+448001111111', '422 PHONE_NOT_SUPPORTED'],
      ] as const) {
        assert.equal(outcomeOf(await sendTo(stage.url, user.JWT, bad)), code);
        assert.equal(outcomeOf(await changeTo(stage.url, user.JWT, bad, otp)), code);
      }
      stage.clock.advance(601);
      for (const reply of [await sendTo(stage.url, user.JWT, phone), await changeTo(stage.url, user.JWT, phone, otp)])
        assert.equal(outcomeOf(reply), '403 RECENT_SIGN_IN_REQUIRED');
      stage.clock.advance(331);
      for (const reply of [await sendTo(stage.url, user.JWT, phone), await changeTo(stage.url, user.JWT, phone, otp)])
        assert.equal(outcomeOf(reply), '401 ACCESS_TOKEN_EXPIRED');
      const gone = await enter(stage.url);
      await call(stage.url, 'POST', '/api/auth/logout', { token: gone.JWT });
      for (const reply of [await sendTo(stage.url, gone.JWT, phone), await changeTo(stage.url, gone.JWT, phone, otp)])
        assert.equal(outcomeOf(reply), '401 SESSION_REVOKED');
    });

    it('when two users race for one number on two nodes, exactly one gets it, and the other node refuses its ended sessions', async (context) => {
      const { urls } = await startTwoNodes(context, kind);
      const [here, there] = urls;
      const users = await Promise.all([enter(here), enter(there)]);
      const elsewhere = await Promise.all(users.map(({ phone }) => enter(here, phone)));
      for (let round = 0; round < 6; round++) {
        const phone = newPhone();
        const codes: string[] = [];
        for (const { JWT } of users) codes.push(await codeFor(here, JWT, phone));
        const answers = await Promise.all(
          users.map(({ JWT }, index) => changeTo(urls[index] ?? '', JWT, phone, codes[index] ?? '')),
        );
        assert.deepEqual(answers.map(outcomeOf).sort(), ['200', '409 PHONE_TAKEN']);
        const owners = await Promise.all(users.map(async ({ JWT }) => (await me(here, JWT)).body.data.phone === phone));
        assert.deepEqual(
          owners,
          answers.map(({ status }) => status === 200),
        );
        for (const [index, { status }] of answers.entries()) {
          if (status !== 200) continue;
          const ended = elsewhere[index]?.JWT ?? '';
          for (const url of urls)
            await waitUntil('the session to end on both nodes', async () =>
              outcomeOf(await me(url, ended)) === '401 SESSION_REVOKED' ? true : undefined,
            );
        }
      }
    });
  });

  describe(`limits of codes for a new number, on ${kind}`, () => {
    const recorder = setSmsRecorder();
    const stage = setStage(kind, () => ({
      SMS_URL: recorder.url,
      SMS_LIMIT_PER_PREFIX: 'off',
      SMS_UNUSED_SHARE: 'off',
      RECENT_SIGN_IN: '1h',
      ACCESS_TOKEN_LIFE: '1h',
    }));

    it('codes for a new number have a pause of their own, share the limit of their number, and obey the spending brake', async () => {
      const [own, phone] = ['+12025550197', '+12025550198'];
      await call(stage.url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: own }, captcha: 'any' });
      const [{ text = '' } = {}] = await recorder.expect(own, 1);
      const { JWT } = (await logIn(stage.url, own, /#(\d{6})$/.exec(text)?.[1] ?? '')).body.data as Pair;
      assert.equal(outcomeOf(await sendTo(stage.url, JWT, phone)), '200');
      assert.equal(outcomeOf(await sendTo(stage.url, JWT, phone)), '429 OTP_RESEND_TOO_SOON');
      for (const pause of [30, 60, 120, 300]) {
        stage.clock.advance(pause);
        assert.equal(outcomeOf(await sendTo(stage.url, JWT, phone)), '200');
      }
      stage.clock.advance(300);
      assert.equal(outcomeOf(await sendTo(stage.url, JWT, phone)), '429 OTP_SEND_LIMIT');
      await stage.restart({ SMS_DAILY_LIMIT: '1', LIMIT_SENDS_PER_RECIPIENT: 'off', OTP_RESEND_AFTER: 'off' });
      // Near midnight the clock has moved to a new day, in which one SMS is allowed.
      await sendTo(stage.url, JWT, phone);
      assert.equal(outcomeOf(await sendTo(stage.url, JWT, phone)), '503 SMS_SUSPENDED');
    });
  });
}

function sub(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;
}
