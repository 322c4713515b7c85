// A scheduled change of the phone number over HTTP: its user sees and cancels it, the old number cancels it, and it takes effect.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { phoneEvents, schedulePhone, userIdIn } from '../../../../helpers/people/scheduled-phones.ts';
import {
  askForLink,
  bindAddress,
  enter,
  me,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
} from '../../../../helpers/people/users.ts';
import { newSigningKey, setWebhookReceiver } from '../../../../helpers/people/webhook-receiver.ts';
import { call, newPhone } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const key = newSigningKey();
const path = '/api/auth/phone/change';

for (const kind of tierStoreKinds) {
  describe(`a scheduled change of the number, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);
    const stage = setStage(kind, () => ({ WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key }), {
      times: { loops: { phoneChangeMilliseconds: 25 }, webhooks: { pollMilliseconds: 25 } },
    });
    const show = (token: string) => call(stage.url, 'GET', path, { token });
    const cancel = (token: string) => call(stage.url, 'DELETE', path, { token });
    const noticeTo = (to: string, text: RegExp) =>
      waitUntil(`a notice to ${to}`, async () =>
        (await messagesTo(stage.url, to)).find((message) => text.test(message.subject ?? message.text)),
      );
    const signIn = (phone: string) => enter(stage.url, phone);
    /** A user with an address whose number changes after so many seconds. */
    const begin = async (seconds: number) => {
      const { JWT, phone } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const next = newPhone();
      const userId = userIdIn(JWT);
      const effectiveAt = stage.clock.now() + seconds * 1000;
      await schedulePhone(stage.env, userId, next, effectiveAt);
      return { JWT, phone, next, email, userId, effectiveAt: new Date(effectiveAt).toISOString() };
    };
    const isChanged = async (userId: string, phone: string) =>
      (await askStore(stage.env, `select id from users where id = '${userId}' and phone = '${phone}'`)).length === 1;

    it('a user sees the new number and its time, and null where no change is scheduled', async () => {
      const { JWT, next, effectiveAt } = await begin(3600);
      assert.deepEqual((await show(JWT)).body.data, { phone: next, effectiveAt });
      const other = await enter(stage.url);
      const nothing = await show(other.JWT);
      assert.deepEqual([outcomeOf(nothing), nothing.body.data], ['200', null]);
      assert.equal(outcomeOf(await call(stage.url, 'GET', path)), '401 ACCESS_TOKEN_MISSING');
    });

    it('a user cancels the change without a recent sign-in, the number and the address are notified, and a repeated call succeeds', async () => {
      const { JWT, phone, email, userId } = await begin(3600);
      stage.clock.advance(700);
      assert.equal(outcomeOf(await cancel(JWT)), '200');
      assert.equal((await show(JWT)).body.data, null);
      const sms = await noticeTo(phone, /change of your phone number was cancelled/);
      const mail = await noticeTo(email, /phone number was cancelled$/);
      assert.match(sms.text, /\/not-me#[\w-]{32}$/);
      assert.match(mail.text, /keeps its number/);
      assert.equal(outcomeOf(await cancel(JWT)), '200');
      const [event, ...others] = await phoneEvents(stage.env, userId);
      assert.deepEqual([event?.kind, event?.how, others], ['phone.change-cancelled', 'user', []]);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', path)), '401 ACCESS_TOKEN_MISSING');
      stage.clock.advance(3600);
      assert.equal((await me(stage.url, (await signIn(phone)).JWT)).body.data.phone, phone);
    });

    it('a sign-in with the old number cancels the change and is reported, and a sign-in by link does not', async () => {
      const { phone, next, email, userId } = await begin(3600);
      const byLink = await redeem(stage.url, await askForLink(stage.url, email));
      assert.equal((await show(byLink.body.data.JWT)).body.data.phone, next);
      const { JWT } = await signIn(phone);
      assert.equal((await show(JWT)).body.data, null);
      await noticeTo(phone, /change of your phone number was cancelled/);
      await noticeTo(email, /phone number was cancelled$/);
      const [event] = await phoneEvents(stage.env, userId);
      assert.deepEqual([event?.kind, event?.how], ['phone.change-cancelled', 'sign-in']);
    });

    it('a change takes effect by itself: sessions end, the new number signs in, and apps and both channels are notified once', async () => {
      const { JWT, phone, next, email, userId } = await begin(60);
      const before = new Set((await messagesTo(stage.url, phone)).map(({ id }) => id));
      stage.clock.advance(59);
      assert.equal(outcomeOf(await me(stage.url, JWT)), '200');
      stage.clock.advance(1);
      await waitUntil('the session ends', async () => outcomeOf(await me(stage.url, JWT)) === '401 SESSION_REVOKED');
      const sms = await noticeTo(phone, /phone number of your account was changed/);
      const mail = await noticeTo(email, /phone number was changed$/);
      for (const { text } of [sms, mail]) assert.match(text, /\/not-me#[\w-]{32}$/m);
      assert.ok(!mail.text.includes(next), 'the number is masked');
      const [event] = await receiver.expect(
        1,
        ({ type, data }) => type === 'user.phone_changed' && data.userId === userId,
      );
      assert.deepEqual(event?.data, { userId });
      const account = await me(stage.url, (await signIn(next)).JWT);
      assert.deepEqual([account.body.data.id, account.body.data.phone], [userId, next]);
      assert.equal((await messagesTo(stage.url, phone)).filter(({ id }) => !before.has(id)).length, 1);
      assert.notEqual(userIdIn((await signIn(phone)).JWT), userId, 'the old number is free');
    });

    it('a change whose number belongs to another account by then is dropped, and announced by mail', async () => {
      const { JWT, phone, next, email, userId } = await begin(60);
      await enter(stage.url, next);
      stage.clock.advance(60);
      await noticeTo(email, /phone number was not changed$/);
      assert.equal((await me(stage.url, JWT)).body.data.phone, phone);
      assert.equal((await show(JWT)).body.data, null);
      assert.deepEqual(
        (await phoneEvents(stage.env, userId)).map((event) => [event.kind, event.reason]),
        [['phone.change-failed', 'taken']],
      );
    });

    it('a change of a deleted account never happens', async () => {
      const { JWT, next, userId } = await begin(60);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token: JWT })), '200');
      stage.clock.advance(60);
      assert.notEqual(userIdIn((await signIn(next)).JWT), userId);
    });

    it('a change of a user whose address was removed takes effect all the same', async () => {
      const { JWT, next, userId } = await begin(60);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/email', { token: JWT })), '200');
      stage.clock.advance(60);
      await waitUntil('the number changes', () => isChanged(userId, next));
    });
  });

  describe(`a change that falls due while the service is down, on ${kind}`, () => {
    // One look at the start, and no other.
    const stage = setStage(kind, {}, { times: { loops: { phoneChangeMilliseconds: 3_600_000 } } });

    it('a change that fell due while the service was down takes effect at its start, once', async () => {
      const { JWT, phone } = await enter(stage.url);
      const next = newPhone();
      const userId = userIdIn(JWT);
      await schedulePhone(stage.env, userId, next, stage.clock.now() + 60_000);
      stage.clock.advance(600);
      assert.equal((await me(stage.url, JWT)).body.data.phone, phone, 'nobody has looked');
      for (let start = 0; start < 3; start++) await stage.restart();
      await waitUntil('the session ends', async () => outcomeOf(await me(stage.url, JWT)) === '401 SESSION_REVOKED');
      assert.equal((await phoneEvents(stage.env, userId)).length, 1);
      assert.equal(userIdIn((await enter(stage.url, next)).JWT), userId);
    });
  });
}
