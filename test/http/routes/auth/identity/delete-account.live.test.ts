// DELETE /api/auth/me: the account is deleted with all its credentials, and its number and e-mail address are free again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  me,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
  sendLink,
} from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, type Reply, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

for (const kind of tierStoreKinds) {
  describe(`deleting one’s account, on ${kind}`, () => {
    const stage = setStage(kind);

    it('deleting an account ends every session on every device at once and clears the cookies', async () => {
      const here = await enter(stage.url);
      const there = await enter(stage.url, here.phone);
      const stranger = await enter(stage.url);
      const reply = await remove(here);
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.body.data, null);
      assert.equal(reply.cookies.length, 3);
      for (const { JWT, RT } of [here, there]) {
        assert.equal(outcomeOf(await me(stage.url, JWT)), '401 SESSION_REVOKED');
        assert.equal(outcomeOf(await refresh(stage.url, RT)), '401 SESSION_REVOKED');
      }
      assert.equal(outcomeOf(await me(stage.url, stranger.JWT)), '200');
      assert.equal(outcomeOf(await remove(here)), '401 SESSION_REVOKED');
    });

    it('after a deletion the number signs up as a new user, which the old tokens cannot reach', async () => {
      const old = await enter(stage.url);
      const oldId = (await me(stage.url, old.JWT)).body.data.id;
      await remove(old);
      const fresh = await enter(stage.url, old.phone);
      assert.notEqual((await me(stage.url, fresh.JWT)).body.data.id, oldId);
      await stage.restart();
      assert.equal(outcomeOf(await me(stage.url, old.JWT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, old.RT)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await refresh(stage.url, fresh.RT)), '200');
    });

    it('deleting an account frees its e-mail address and revokes the links that were sent to it', async () => {
      const address = newAddress();
      const old = await enter(stage.url);
      await bindAddress(stage.url, old.JWT, address);
      const link = await askForLink(stage.url, address);
      await remove(old);
      assert.equal(outcomeOf(await redeem(stage.url, link)), '400 LINK_INVALID');
      const count = (await messagesTo(stage.url, address)).length;
      assert.equal(outcomeOf(await sendLink(stage.url, address)), '200');
      const next = await enter(stage.url);
      await bindAddress(stage.url, next.JWT, address);
      assert.equal((await me(stage.url, next.JWT)).body.data.email, address);
      assert.equal((await messagesTo(stage.url, address)).length, count + 1);
      assert.equal(outcomeOf(await redeem(stage.url, link)), '400 LINK_INVALID');
    });

    it('deleting an account does not reset the limit on wrong codes for its number', async () => {
      const phone = newPhone();
      for (let round = 0; round < 5; round++) await logIn(stage.url, phone, '123456');
      const code = await askForCode(stage.url, phone);
      const reply = await logIn(stage.url, phone, code);
      await remove(reply.body.data);
      for (let round = 0; round < 10; round++) await logIn(stage.url, phone, '123456');
      const next = await askForCode(stage.url, phone);
      for (let round = 0; round < 5; round++) await logIn(stage.url, phone, next === '123456' ? '123457' : '123456');
      assert.equal(
        outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))),
        '429 OTP_ATTEMPTS_EXCEEDED',
      );
    });

    it('deleting an account needs an access token', async () => {
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me')), '401 ACCESS_TOKEN_MISSING');
    });

    function remove({ JWT }: Pair): Promise<Reply> {
      return call(stage.url, 'DELETE', '/api/auth/me', { token: JWT });
    }
  });
}
