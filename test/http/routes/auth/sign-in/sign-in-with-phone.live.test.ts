// POST /api/auth/phone/login: what a code grants, how often it may be guessed, and that all wrong codes look alike.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { askForCode, comparable, enter, guess, me, otherThan, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const path = '/api/auth/phone/login';

for (const kind of tierStoreKinds) {
  describe(`signing in with a phone, on ${kind}`, () => {
    const stage = setStage(kind);

    it('a sign-in by phone returns a token pair in data and as cookies, and creates the user once', async () => {
      const phone = newPhone();
      const reply = await logIn(stage.url, phone, await askForCode(stage.url, phone));
      assert.equal(outcomeOf(reply), '200');
      assert.deepEqual(Object.keys(reply.body.data), ['JWT', 'RT']);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.deepEqual(
        reply.cookies.slice(0, 2).map((cookie) => cookie.split(';')[0]),
        [`JWT=${reply.body.data.JWT}`, `RT=${reply.body.data.RT}`],
      );
      const again = await enter(stage.url, phone);
      const [first, second] = await Promise.all([me(stage.url, reply.body.data.JWT), me(stage.url, again.JWT)]);
      assert.equal(first.body.data.id, second.body.data.id);
    });

    it('a code is accepted with blanks and dashes, in the digits of another script', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      const arabic = [...code].map((digit) => String.fromCodePoint(0x660 + Number(digit)));
      assert.equal(outcomeOf(await logIn(stage.url, phone, ` ${arabic.join('-')}\n`)), '200');
    });

    it('a code that is not text, or too long, is refused by field name and counts as no attempt', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      const others: unknown[] = [Number(code), [code], { code }, true, null, undefined];
      for (const otp of [...others, code.repeat(6), `${code}\0`, `${code}\ud800`]) {
        const reply = await call(stage.url, 'POST', path, { body: { phone, otp } });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', JSON.stringify(otp));
        assert.match(reply.body.message, /otp/);
      }
      assert.equal(outcomeOf(await call(stage.url, 'POST', path, { body: { otp: code } })), '400 REQUEST_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, '12025550123', code)), '400 PHONE_INVALID');
      const next = await guess(stage.url, phone, code);
      assert.match(next.body.message, /\b4\b/);
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '200');
    });

    it('a number of a type that gets no codes is refused', async () => {
      assert.equal(outcomeOf(await logIn(stage.url, '+19005550123', '123456')), '422 PHONE_NOT_SUPPORTED');
    });

    it('a code works once', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '200');
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '400 OTP_INVALID');
    });

    it('five wrong codes count down, and then even the right code is refused', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      assert.deepEqual(await leftAfterGuesses(phone, code), [4, 3, 2, 1, 0]);
      const sixth = await logIn(stage.url, phone, code);
      assert.equal(outcomeOf(sixth), '429 OTP_ATTEMPTS_EXCEEDED');
      assert.equal(sixth.headers.get('retry-after'), '300');
      assert.equal(outcomeOf(await guess(stage.url, phone, code)), '429 OTP_ATTEMPTS_EXCEEDED');
    });

    it('the count of wrong codes survives a restart', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      for (let round = 0; round < 4; round++) await guess(stage.url, phone, code);
      await stage.restart();
      assert.equal(outcomeOf(await guess(stage.url, phone, code)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '429 OTP_ATTEMPTS_EXCEEDED');
    });

    it('only the right code is reported as expired', async () => {
      const phone = newPhone();
      const code = await askForCode(stage.url, phone);
      stage.clock.advance(300);
      assert.equal(outcomeOf(await guess(stage.url, phone, code)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '400 OTP_EXPIRED');
    });

    it('a wrong, a used and a foreign code, and one that was never requested, get the same bytes', async () => {
      const [wrong, used, foreign] = [newPhone(), newPhone(), newPhone()];
      const codes = new Map<string, string>();
      for (const phone of [wrong, used, foreign]) codes.set(phone, await askForCode(stage.url, phone));
      await logIn(stage.url, used, codes.get(used) ?? '');
      const replies = [
        await guess(stage.url, wrong, codes.get(wrong) ?? ''),
        await logIn(stage.url, used, codes.get(used) ?? ''),
        await logIn(stage.url, foreign, different(codes.get(wrong), codes.get(foreign))),
        await logIn(stage.url, newPhone(), '123456'),
      ];
      const [first, ...others] = replies.map(comparable);
      for (const other of others) assert.deepEqual(other, first);
    });

    it('wrong codes for one phone do not use up the attempts of another', async () => {
      const [attacked, quiet] = [newPhone(), newPhone()];
      const code = await askForCode(stage.url, quiet);
      for (let round = 0; round < 6; round++) await guess(stage.url, attacked, '123456');
      assert.equal(outcomeOf(await logIn(stage.url, quiet, code)), '200');
    });

    it('with sign-up closed known phones sign in, and new ones are refused only after the right code', async () => {
      const { phone } = await enter(stage.url);
      await stage.restart({ SIGNUP: 'closed' });
      await enter(stage.url, phone);
      const stranger = newPhone();
      const code = await askForCode(stage.url, stranger);
      assert.equal(outcomeOf(await guess(stage.url, stranger, code)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, stranger, code)), '403 SIGNUP_CLOSED');
      assert.equal(outcomeOf(await logIn(stage.url, stranger, code)), '400 OTP_INVALID');
      await stage.restart();
    });

    it('a blocked user gets USER_BLOCKED only after the right code', async () => {
      const { phone } = await enter(stage.url);
      await askStore(stage.env, `update users set blocked_at = 1 where phone = '${phone}' returning id`);
      const code = await askForCode(stage.url, phone);
      assert.equal(outcomeOf(await guess(stage.url, phone, code)), '400 OTP_INVALID');
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '403 USER_BLOCKED');
    });

    async function leftAfterGuesses(phone: string, right: string): Promise<number[]> {
      const left: number[] = [];
      for (let round = 0; round < 5; round++) {
        const reply = await guess(stage.url, phone, right);
        assert.equal(outcomeOf(reply), '400 OTP_INVALID');
        left.push(Number(/\d+/.exec(reply.body.message)?.[0] ?? 0));
      }
      return left;
    }
  });
}

function different(code: string | undefined, right: string | undefined): string {
  return code === undefined || code === right ? otherThan(right ?? '000000') : code;
}
