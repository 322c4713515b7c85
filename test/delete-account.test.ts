// DELETE /api/auth/me: the account goes with all that could speak for it, and its number and address are free again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, logIn, newPhone, type Pair, type Reply, refresh } from './support/api.ts';
import { storeKinds } from './support/gatehouse.ts';
import { setStage } from './support/stage.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  me,
  messagesTo,
  newAddress,
  redeem,
  sendLink,
  told,
} from './support/users.ts';

for (const kind of storeKinds) {
  describe(`deleting one’s account, on ${kind}`, () => {
    const stage = setStage(kind);

    it('ends every session at once, on every device, and clears the cookies', async () => {
      const here = await enter(stage.url);
      const there = await enter(stage.url, here.phone);
      const stranger = await enter(stage.url);
      const reply = await remove(here);
      assert.equal(told(reply), '200');
      assert.equal(reply.body.data, null);
      assert.equal(reply.cookies.length, 2);
      for (const { JWT, RT } of [here, there]) {
        assert.equal(told(await me(stage.url, JWT)), '401 SESSION_REVOKED');
        assert.equal(told(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      }
      assert.equal(told(await me(stage.url, stranger.JWT)), '200');
      assert.equal(told(await remove(here)), '401 SESSION_REVOKED');
    });

    it('lets the number sign up again as a new user whom old tokens do not reach', async () => {
      const old = await enter(stage.url);
      const oldId = (await me(stage.url, old.JWT)).body.data.id;
      await remove(old);
      const fresh = await enter(stage.url, old.phone);
      assert.notEqual((await me(stage.url, fresh.JWT)).body.data.id, oldId);
      await stage.restart();
      assert.equal(told(await me(stage.url, old.JWT)), '401 SESSION_REVOKED');
      assert.equal(told(await refresh(stage.url, old.RT)), '401 SESSION_REVOKED');
      assert.equal(told(await refresh(stage.url, fresh.RT)), '200');
    });

    it('frees the address for others and kills the links that were sent to it', async () => {
      const address = newAddress();
      const old = await enter(stage.url);
      await bindAddress(stage.url, old.JWT, address);
      const link = await askForLink(stage.url, address);
      await remove(old);
      assert.equal(told(await redeem(stage.url, link)), '400 LINK_INVALID');
      const count = (await messagesTo(stage.url, address)).length;
      assert.equal(told(await sendLink(stage.url, address)), '200');
      const next = await enter(stage.url);
      await bindAddress(stage.url, next.JWT, address);
      assert.equal((await me(stage.url, next.JWT)).body.data.email, address);
      assert.equal((await messagesTo(stage.url, address)).length, count + 1);
      assert.equal(told(await redeem(stage.url, link)), '400 LINK_INVALID');
    });

    it('does not refill the guesses for that number', async () => {
      const phone = newPhone();
      for (let round = 0; round < 5; round++) await logIn(stage.url, phone, '123456');
      const code = await askForCode(stage.url, phone);
      const reply = await logIn(stage.url, phone, code);
      await remove(reply.body.data);
      for (let round = 0; round < 10; round++) await logIn(stage.url, phone, '123456');
      const next = await askForCode(stage.url, phone);
      for (let round = 0; round < 5; round++) await logIn(stage.url, phone, next === '123456' ? '123457' : '123456');
      assert.equal(
        told(await logIn(stage.url, phone, await askForCode(stage.url, phone))),
        '429 OTP_ATTEMPTS_EXCEEDED',
      );
    });

    it('is closed to strangers', async () => {
      assert.equal(told(await call(stage.url, 'DELETE', '/api/auth/me')), '401 ACCESS_TOKEN_MISSING');
    });

    function remove({ JWT }: Pair): Promise<Reply> {
      return call(stage.url, 'DELETE', '/api/auth/me', { token: JWT });
    }
  });
}
