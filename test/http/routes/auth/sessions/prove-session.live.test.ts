// POST /api/auth/proof/send and /api/auth/proof: calls that need a recent sign-in, and how a user proves to be there again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../../../../helpers/people/sms-recorder.ts';
import {
  askForLink,
  bind,
  bindAddress,
  codeIn,
  enter,
  me,
  messageAfter,
  newAddress,
  otherThan,
  outcomeOf,
  redeem,
  sendBinding,
} from '../../../../helpers/people/users.ts';
import { call, logIn, type Pair, type Reply, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const tenMinutes = 600;
const day = 86_400;
const testPhone = '+15550100001';
/** More than the day and the minutes by which the tests before move the clock, at any time of day. */
const soon = new Date(Date.now() + 3 * day * 1000).toISOString().slice(0, 10);

for (const kind of tierStoreKinds) {
  describe(`proving a session again, on ${kind}`, () => {
    const stage = setStage(kind, { TEST_RECIPIENTS: `${testPhone}=000000@${soon}` });
    const send = (token: string, via: unknown, headers: Record<string, string> = {}) =>
      call(stage.url, 'POST', '/api/auth/proof/send', { body: { via }, token, captcha: 'any', headers });
    const prove = ({ JWT, RT }: Pair, otp: string, headers: Record<string, string> = {}) =>
      call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token: JWT, headers: { RT, ...headers } });
    const remove = ({ JWT }: Pair) => call(stage.url, 'DELETE', '/api/auth/me', { token: JWT });
    const codeBy = async (via: 'phone' | 'email', { JWT }: Pair, to: string) =>
      codeIn(await messageAfter(stage.url, to, () => send(JWT, via)));
    /** Signed in longer ago than a recent sign-in, with a token that still works. */
    const enterLongAgo = async () => {
      const user = await enter(stage.url);
      stage.clock.advance(tenMinutes + 1);
      return user;
    };

    it('an access token tells when and how its user was proved, and a refresh keeps both', async () => {
      const { JWT, RT } = await enter(stage.url);
      const signedInAt = Math.floor(stage.clock.now() / 1000);
      assert.deepEqual(proofIn(JWT), [signedInAt, ['otp', 'sms']]);
      stage.clock.advance(day);
      const refreshed = await refresh(stage.url, RT);
      assert.deepEqual(proofIn(refreshed.body.data.JWT), [signedInAt, ['otp', 'sms']]);
    });

    it('an account is deleted ten minutes after the sign-in without another code, and not a second later', async () => {
      const [prompt, late] = [await enter(stage.url), await enter(stage.url)];
      stage.clock.advance(tenMinutes - 1);
      assert.equal(outcomeOf(await remove(prompt)), '200');
      stage.clock.advance(2);
      const refused = await remove(late);
      assert.equal(outcomeOf(refused), '403 RECENT_SIGN_IN_REQUIRED');
      assert.match(refused.headers.get('link') ?? '', /#RECENT_SIGN_IN_REQUIRED>; rel="help"/);
      assert.equal(
        outcomeOf(await remove((await refresh(stage.url, late.RT)).body.data)),
        '403 RECENT_SIGN_IN_REQUIRED',
      );
      assert.equal(outcomeOf(await call(stage.url, 'POST', '/api/auth/logout', { token: late.JWT })), '200');
    });

    it('a code by SMS proves the session: the new pair deletes the account, and the old token keeps its grace period', async () => {
      const user = await enterLongAgo();
      const proved = await prove(user, await codeBy('phone', user, user.phone));
      assert.equal(outcomeOf(proved), '200');
      assert.equal(proved.headers.get('cache-control'), 'no-store');
      const pair: Pair = proved.body.data;
      assert.deepEqual(
        proved.cookies.map((cookie) => cookie.split(';')[0]),
        [`JWT=${pair.JWT}`, `RT=${pair.RT}`],
      );
      assert.deepEqual(proofIn(pair.JWT), [Math.floor(stage.clock.now() / 1000), ['otp', 'sms']]);
      assert.equal(claimsOf(pair.JWT).sid, claimsOf(user.JWT).sid);
      const repeated = await refresh(stage.url, user.RT);
      assert.equal(repeated.body.data.RT, pair.RT);
      assert.equal(outcomeOf(await remove(user)), '403 RECENT_SIGN_IN_REQUIRED', 'the old access token stays old');
      const next = await refresh(stage.url, pair.RT);
      assert.equal(outcomeOf(await remove(next.body.data)), '200');
    });

    it('a code by e-mail proves the session too, where an address is bound, and says so', async () => {
      const user = await enter(stage.url);
      const address = newAddress();
      await bindAddress(stage.url, user.JWT, address);
      stage.clock.advance(tenMinutes + 1);
      const message = await messageAfter(stage.url, address, () => send(user.JWT, 'email'));
      assert.match(message.text, /confirm that it is you/);
      const proved = await prove(user, codeIn(message));
      assert.deepEqual(proofIn(proved.body.data.JWT), [Math.floor(stage.clock.now() / 1000), ['otp', 'email']]);
      assert.equal(outcomeOf(await remove(proved.body.data)), '200');
    });

    it('without an ask token the code of the latest message counts, also where its code was sent before the other one', async () => {
      const user = await enter(stage.url);
      const address = newAddress();
      await bindAddress(stage.url, user.JWT, address);
      const first = await codeBy('phone', user, user.phone);
      stage.clock.advance(290);
      assert.equal(await codeBy('phone', user, user.phone), first, 'a message during the life of a code repeats it');
      stage.clock.advance(110);
      const byMail = await codeBy('email', user, address);
      stage.clock.advance(180);
      assert.equal(await codeBy('phone', user, user.phone), first);
      assert.equal(outcomeOf(await prove(user, byMail)), '400 OTP_INVALID', 'an attempt is compared with one code');
      assert.equal(outcomeOf(await prove(user, first)), '200');
    });

    it('a user who signed in by link is proved by the link', async () => {
      const user = await enter(stage.url);
      const address = newAddress();
      await bindAddress(stage.url, user.JWT, address);
      const reply = await redeem(stage.url, await askForLink(stage.url, address));
      assert.deepEqual(proofIn(reply.body.data.JWT), [Math.floor(stage.clock.now() / 1000), ['link', 'email']]);
      assert.equal(outcomeOf(await remove(reply.body.data)), '200');
    });

    it('a first address is bound at any time, and replaced only after a recent proof, without using up the code', async () => {
      const user = await enterLongAgo();
      const [first, second] = [newAddress(), newAddress()];
      await bindAddress(stage.url, user.JWT, first);
      assert.equal(outcomeOf(await sendBinding(stage.url, user.JWT, second)), '403 RECENT_SIGN_IN_REQUIRED');
      assert.equal(outcomeOf(await bind(stage.url, user.JWT, first, '000000')), '200', 'one’s own address as ever');
      const { JWT } = (await prove(user, await codeBy('phone', user, user.phone))).body.data;
      const otp = codeIn(await messageAfter(stage.url, second, () => sendBinding(stage.url, JWT, second)));
      assert.equal(outcomeOf(await bind(stage.url, user.JWT, second, otp)), '403 RECENT_SIGN_IN_REQUIRED');
      assert.equal(outcomeOf(await bind(stage.url, JWT, second, otp)), '200');
      assert.equal((await me(stage.url, JWT)).body.data.email, second);
    });

    it('a code without an address is refused by name, and so is any other channel', async () => {
      const { JWT } = await enter(stage.url);
      for (const via of ['email', 'pigeon', undefined]) {
        const refused = await send(JWT, via);
        assert.equal(outcomeOf(refused), '400 REQUEST_INVALID');
        assert.match(refused.body.message, /via/);
      }
    });

    it('a code proves only the session of its own user, only once, and signs nobody in', async () => {
      const [user, stranger] = [await enterLongAgo(), await enter(stage.url)];
      const otp = await codeBy('phone', user, user.phone);
      assert.equal(outcomeOf(await logIn(stage.url, user.phone, otp)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await prove(stranger, otp)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await prove(user, otp)), '200');
      assert.equal(outcomeOf(await prove(user, otp)), '400 OTP_INVALID');
    });

    it('the code of a sign-in proves no session', async () => {
      const user = await enterLongAgo();
      const sent = () =>
        call(stage.url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: user.phone }, captcha: 'any' });
      const otp = codeIn(await messageAfter(stage.url, user.phone, sent));
      assert.equal(outcomeOf(await prove(user, otp)), '400 OTP_INVALID');
    });

    it('five wrong codes end the code, and a late one has expired', async () => {
      const user = await enter(stage.url);
      const otp = await codeBy('phone', user, user.phone);
      for (let left = 4; left >= 0; left--) {
        const wrong = await prove(user, otherThan(otp));
        assert.equal(outcomeOf(wrong), '400 OTP_INVALID');
        assert.match(wrong.body.message, left === 0 ? /no attempts/ : new RegExp(`${left} attempt`));
      }
      assert.equal(outcomeOf(await prove(user, otp)), '429 OTP_ATTEMPTS_EXCEEDED');
      const other = await enter(stage.url);
      const late = await codeBy('phone', other, other.phone);
      stage.clock.advance(301);
      assert.equal(outcomeOf(await prove(other, late)), '400 OTP_EXPIRED');
    });

    it('a proof takes the refresh token of its own session only, in the header or the cookie', async () => {
      const [user, stranger] = [await enter(stage.url), await enter(stage.url)];
      const otp = await codeBy('phone', user, user.phone);
      for (const RT of ['x', stranger.RT])
        assert.equal(outcomeOf(await prove({ ...user, RT }, otp)), '401 REFRESH_TOKEN_INVALID');
      assert.equal(outcomeOf(await prove({ ...user, RT: '' }, otp, { cookie: `RT=${user.RT}` })), '200');
    });

    it('an old refresh token ends the session, as at a refresh', async () => {
      const user = await enter(stage.url);
      const otp = await codeBy('phone', user, user.phone);
      const { RT } = (await refresh(stage.url, user.RT)).body.data;
      await refresh(stage.url, RT);
      assert.equal(outcomeOf(await prove(user, otp)), '401 REFRESH_TOKEN_REUSED');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '401 SESSION_REVOKED');
    });

    it('an expired session is not proved', async () => {
      const user = await enter(stage.url);
      const otp = await codeBy('phone', user, user.phone);
      await askStore(stage.env, `update sessions set expires_at = 1 where id = '${claimsOf(user.JWT).sid}'`);
      assert.equal(outcomeOf(await prove(user, otp)), '401 REFRESH_TOKEN_EXPIRED');
    });

    it('a test recipient proves the session with the fixed code, until its date; then its number is not served', async () => {
      await call(stage.url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: testPhone }, captcha: 'any' });
      const pair: Pair = (await logIn(stage.url, testPhone, '000000')).body.data;
      assert.equal(outcomeOf(await send(pair.JWT, 'phone')), '200');
      const proved = await prove(pair, '000000');
      assert.equal(outcomeOf(proved), '200');
      stage.clock.advance(4 * day);
      const { JWT } = (await refresh(stage.url, proved.body.data.RT)).body.data;
      assert.equal(outcomeOf(await send(JWT, 'phone')), '422 PHONE_NOT_SUPPORTED');
    });

    it('the setting RECENT_SIGN_IN decides how long a sign-in is recent', async () => {
      await stage.restart({ RECENT_SIGN_IN: '1h' });
      const [prompt, late] = [await enter(stage.url), await enter(stage.url)];
      stage.clock.advance(3599);
      assert.equal(outcomeOf(await remove((await refresh(stage.url, prompt.RT)).body.data)), '200');
      stage.clock.advance(2);
      const { JWT, RT } = (await refresh(stage.url, late.RT)).body.data;
      assert.equal(outcomeOf(await remove({ JWT, RT })), '403 RECENT_SIGN_IN_REQUIRED');
    });
  });

  describe(`limits of codes that prove a session, on ${kind}`, () => {
    const recorder = setSmsRecorder();
    const stage = setStage(kind, () => ({
      SMS_URL: recorder.url,
      SMS_LIMIT_PER_PREFIX: 'off',
      SMS_UNUSED_SHARE: 'off',
    }));
    const send = (token: string): Promise<Reply> =>
      call(stage.url, 'POST', '/api/auth/proof/send', { body: { via: 'phone' }, token, captcha: 'any' });
    const phone = '+12025550199';
    const enterHere = async () => {
      await call(stage.url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: phone }, captcha: 'any' });
      const [{ text = '' } = {}] = (await recorder.expect(phone, 1)).slice(-1);
      return (await logIn(stage.url, phone, /#(\d{6})$/.exec(text)?.[1] ?? '')).body.data as Pair;
    };

    it('codes that prove a session have the pauses and share the limit of their number, and the spending brake', async () => {
      const { JWT } = await enterHere();
      assert.equal(outcomeOf(await send(JWT)), '200', 'the pause after a sign-in is another');
      assert.equal(outcomeOf(await send(JWT)), '429 OTP_RESEND_TOO_SOON');
      stage.clock.advance(30);
      assert.equal(outcomeOf(await send(JWT)), '200');
      stage.clock.advance(60);
      assert.equal(outcomeOf(await send(JWT)), '200');
      stage.clock.advance(120);
      assert.equal(outcomeOf(await send(JWT)), '200');
      stage.clock.advance(300);
      assert.equal(outcomeOf(await send(JWT)), '429 OTP_SEND_LIMIT', 'one code to sign in and four to prove it');
      await stage.restart({ SMS_DAILY_LIMIT: '1', LIMIT_SENDS_PER_RECIPIENT: 'off', OTP_RESEND_AFTER: 'off' });
      // Near midnight the clock has moved to a new day, in which one SMS is allowed.
      await send(JWT);
      assert.equal(outcomeOf(await send(JWT)), '503 SMS_SUSPENDED');
    });
  });
}

function claimsOf(token: string): { sid: string; auth_time: number; amr: string[] } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function proofIn(token: string): [at: number, how: string[]] {
  const { auth_time: at, amr } = claimsOf(token);
  return [at, amr];
}
