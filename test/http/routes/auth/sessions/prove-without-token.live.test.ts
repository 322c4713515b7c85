// POST /api/auth/proof with the access token alone: the session continues with a new refresh token.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeIn, enter, me, messageAfter, otherThan, outcomeOf } from '../../../../helpers/people/users.ts';
import { call, type Pair, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

for (const kind of tierStoreKinds) {
  describe(`proving a session without its refresh token, on ${kind}`, () => {
    const stage = setStage(kind);
    const enterLongAgo = async () => {
      const user = await enter(stage.url);
      stage.clock.advance(601);
      return user;
    };
    const codeFor = async ({ JWT, phone }: { JWT: string; phone: string }) => {
      const send = { body: { via: 'phone' }, token: JWT, captcha: 'any' } as const;
      return codeIn(await messageAfter(stage.url, phone, () => call(stage.url, 'POST', '/api/auth/proof/send', send)));
    };
    const prove = (token: string, otp: string) => call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token });
    const remove = ({ JWT }: Pair) => call(stage.url, 'DELETE', '/api/auth/me', { token: JWT });

    it('a proof without a refresh token answers a new pair of the same session, and the old refresh token is refused', async () => {
      const user = await enterLongAgo();
      const otp = await codeFor(user);
      const proved = await prove(user.JWT, otp);
      assert.equal(outcomeOf(proved), '200');
      const pair: Pair = proved.body.data;
      const { sid, auth_time: provedAt } = claimsOf(pair.JWT);
      assert.deepEqual([sid, provedAt], [claimsOf(user.JWT).sid, Math.floor(stage.clock.now() / 1000)]);
      assert.equal(outcomeOf(await refresh(stage.url, user.RT)), '401 REFRESH_TOKEN_INVALID');
      assert.equal(outcomeOf(await me(stage.url, user.JWT)), '200', 'the session goes on, with both access tokens');
      const next = await refresh(stage.url, pair.RT);
      assert.equal(outcomeOf(next), '200');
      assert.equal(outcomeOf(await remove(next.body.data)), '200');
    });

    it('a wrong code without a refresh token changes nothing', async () => {
      const user = await enter(stage.url);
      const otp = await codeFor(user);
      assert.equal(outcomeOf(await prove(user.JWT, otherThan(otp))), '400 OTP_INVALID');
      assert.equal(outcomeOf(await refresh(stage.url, user.RT)), '200');
    });
  });
}

function claimsOf(token: string): { sid: string; auth_time: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
