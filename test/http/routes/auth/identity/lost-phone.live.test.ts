// A user who lost the phone, from the sign-in by link to the new number: announced, waited for, cancelled, or undone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneEvents, userIdIn } from '../../../../helpers/people/scheduled-phones.ts';
import {
  askForLink,
  bindAddress,
  codeIn,
  enter,
  me,
  messageAfter,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
} from '../../../../helpers/people/users.ts';
import { call, newPhone, type Pair } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const path = '/api/auth/phone/change';
const waitSeconds = 72 * 3600;

for (const kind of tierStoreKinds) {
  describe(`a lost phone, on ${kind}`, () => {
    const stage = setStage(kind, {}, { times: { loops: { phoneChangeMilliseconds: 25 } } });
    const noticeTo = (to: string, text: RegExp) =>
      waitUntil(`a notice to ${to}`, async () =>
        (await messagesTo(stage.url, to)).find((message) => text.test(message.subject ?? message.text)),
      );
    const tokenIn = ({ text }: { text: string }) => /\/not-me#([\w-]{32})$/m.exec(text)?.[1] ?? assert.fail(text);
    const reportNotMe = (token: string) => call(stage.url, 'POST', '/api/auth/not-me', { body: { token } });
    const scheduledFor = async (token: string) => (await call(stage.url, 'GET', path, { token })).body.data;
    /** Signs in by link, and gives a new number. */
    const begin = async () => {
      const owner = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, owner.JWT, email);
      const { body } = await redeem(stage.url, await askForLink(stage.url, email));
      const { JWT: token, RT }: Pair = body.data;
      const next = newPhone();
      const send = () => call(stage.url, 'POST', `${path}/send`, { body: { recipient: next }, token, captcha: 'any' });
      const otp = codeIn(await messageAfter(stage.url, next, send));
      const reply = await call(stage.url, 'PUT', path, { body: { phone: next, otp }, token });
      const effectiveAt = new Date(stage.clock.now() + waitSeconds * 1000).toISOString();
      assert.deepEqual([outcomeOf(reply), reply.body.data], ['202', { phone: next, effectiveAt }]);
      return { ...owner, token, RT, email, next, effectiveAt, userId: userIdIn(token) };
    };

    it('a user who signed in by link gets the new number after the wait, and the old number undoes it by its notice', async () => {
      const { phone, next, email, token, userId, effectiveAt } = await begin();
      await noticeTo(phone, /will change soon/);
      await noticeTo(email, /phone number will change$/);
      assert.deepEqual(await scheduledFor(token), { phone: next, effectiveAt });
      assert.equal((await me(stage.url, token)).body.data.phone, phone);
      stage.clock.advance(waitSeconds);
      const undo = await noticeTo(phone, /was changed/);
      const fresh = await enter(stage.url, next);
      assert.equal(userIdIn(fresh.JWT), userId);
      assert.equal(outcomeOf(await reportNotMe(tokenIn(undo))), '200');
      assert.equal(userIdIn((await enter(stage.url, phone)).JWT), userId, 'the old number is back');
      const kinds = (await phoneEvents(stage.env, userId)).map((event) => [event.kind, event.how]);
      assert.deepEqual(kinds, [
        ['phone.change-scheduled', undefined],
        ['phone.changed', 'wait'],
        ['phone.changed', 'undo'],
      ]);
    });

    it('the link of a notice cancels the change and ends all sessions, and the number and the address are notified', async () => {
      const { phone, email, token, userId } = await begin();
      assert.equal(outcomeOf(await reportNotMe(tokenIn(await noticeTo(phone, /will change soon/)))), '200');
      await noticeTo(phone, /change of your phone number was cancelled/);
      await noticeTo(email, /phone number was cancelled$/);
      assert.equal(outcomeOf(await me(stage.url, token)), '401 SESSION_REVOKED');
      stage.clock.advance(waitSeconds);
      assert.equal(userIdIn((await enter(stage.url, phone)).JWT), userId);
      const [, event] = await phoneEvents(stage.env, userId);
      assert.deepEqual([event?.kind, event?.how], ['phone.change-cancelled', 'link']);
    });

    it('a proof by a code to the e-mail address leaves the change as it is', async () => {
      const { email, token, RT, next } = await begin();
      const send = () =>
        call(stage.url, 'POST', '/api/auth/proof/send', { body: { via: 'email' }, token, captcha: 'any' });
      await noticeTo(email, /phone number will change$/);
      await noticeTo(next, /code/);
      const otp = codeIn(await messageAfter(stage.url, email, send));
      const proved = await call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token, headers: { RT } });
      assert.equal(outcomeOf(proved), '200');
      assert.equal((await scheduledFor(proved.body.data.JWT))?.phone, next);
    });

    it('whoever schedules and cancels again and again cannot silence the old number: each scheduled change is announced, and the fourth in a day is refused', async () => {
      const { phone, email, token } = await begin();
      const cancel = () => call(stage.url, 'DELETE', path, { token });
      const schedule = async () => {
        const next = newPhone();
        const send = () =>
          call(stage.url, 'POST', `${path}/send`, { body: { recipient: next }, token, captcha: 'any' });
        const otp = codeIn(await messageAfter(stage.url, next, send));
        return call(stage.url, 'PUT', path, { body: { phone: next, otp }, token });
      };
      const countTo = async (to: string, text: RegExp) =>
        (await messagesTo(stage.url, to)).filter((message) => text.test(message.text)).length;
      const gets = (to: string, text: RegExp, count: number) =>
        waitUntil(`${count} messages to ${to}`, async () => (await countTo(to, text)) === count);
      assert.equal(outcomeOf(await cancel()), '200');
      assert.equal(outcomeOf(await schedule()), '202');
      assert.equal(outcomeOf(await cancel()), '200');
      await gets(phone, /was cancelled/, 2);
      assert.equal(outcomeOf(await schedule()), '202');
      await gets(phone, /will change soon/, 3);
      const scheduled = await scheduledFor(token);
      const fourth = await schedule();
      assert.equal(outcomeOf(fourth), '429 RATE_LIMITED');
      assert.equal(fourth.headers.get('retry-after'), '86400');
      assert.equal(fourth.headers.get('ratelimit-policy'), '"phone-changes";q=3;w=86400');
      assert.deepEqual(await scheduledFor(token), scheduled);
      await gets(email, /will change to/, 3);
      const [last] = await messagesTo(stage.url, phone);
      assert.match(last?.text ?? '', /will change soon/);
    });

    it('another number replaces the scheduled one, and waits anew', async () => {
      const { token, userId } = await begin();
      stage.clock.advance(60);
      const next = newPhone();
      const send = () => call(stage.url, 'POST', `${path}/send`, { body: { recipient: next }, token, captcha: 'any' });
      const otp = codeIn(await messageAfter(stage.url, next, send));
      assert.equal(outcomeOf(await call(stage.url, 'PUT', path, { body: { phone: next, otp }, token })), '202');
      const effectiveAt = new Date(stage.clock.now() + waitSeconds * 1000).toISOString();
      assert.deepEqual(await scheduledFor(token), { phone: next, effectiveAt });
      stage.clock.advance(waitSeconds);
      await waitUntil('the change takes effect', async () => (await phoneEvents(stage.env, userId)).length === 3);
      assert.equal(userIdIn((await enter(stage.url, next)).JWT), userId);
    });
  });
}
