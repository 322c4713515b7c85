// “This was not me” over HTTP: who is notified of a change of a way in, and what the link of the notice ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bindAddress,
  enter,
  me,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
  sendLink,
} from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

for (const kind of tierStoreKinds) {
  describe(`a notice of a changed way in, on ${kind}`, () => {
    const stage = setStage(kind, { NOTICES: 'mail+sms' });
    const noticeTo = (to: string, text: RegExp) =>
      waitUntil(`a notice to ${to}`, async () =>
        (await messagesTo(stage.url, to)).find((message) => text.test(message.subject ?? message.text)),
      );
    const tokenIn = ({ text }: { text: string }) => /\/not-me#([\w-]{32})$/m.exec(text)?.[1] ?? assert.fail(text);
    const reportNotMe = (token: string) => call(stage.url, 'POST', '/api/auth/not-me', { body: { token } });
    const removeEmail = (token: string) => call(stage.url, 'DELETE', '/api/auth/email', { token });

    it('a bound address is notified by mail, and the phone by text message', async () => {
      const { JWT, phone } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const mail = await noticeTo(email, /^This e-mail address was added/);
      const sms = await noticeTo(phone, /an e-mail address was added/);
      assert.notEqual(tokenIn(mail), tokenIn(sms), 'each message has a link of its own');
      assert.ok(!mail.text.includes(phone), 'the number is masked');
    });

    it('the link ends every session and every open sign-in link, once', async () => {
      const { JWT, phone } = await enter(stage.url);
      const other = await enter(stage.url, phone);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const token = tokenIn(await noticeTo(email, /^This e-mail address was added/));
      await sendLink(stage.url, email);
      const mail = await noticeTo(email, /^Sign in to/);
      const linkToken = /#([\w-]{43})$/m.exec(mail.text)?.[1] ?? assert.fail();
      const page = await fetch(`${stage.url}/not-me`);
      assert.equal(page.status, 200);
      assert.equal(outcomeOf(await me(stage.url, JWT)), '200', 'opening the page ends nothing');
      assert.equal(outcomeOf(await reportNotMe(token)), '200');
      for (const session of [JWT, other.JWT])
        assert.equal(outcomeOf(await me(stage.url, session)), '401 SESSION_REVOKED');
      assert.equal(outcomeOf(await redeem(stage.url, linkToken)), '400 LINK_INVALID');
      assert.equal(outcomeOf(await reportNotMe(token)), '400 LINK_INVALID', 'it works once');
      assert.equal(
        outcomeOf(await me(stage.url, (await enter(stage.url, phone)).JWT)),
        '200',
        'the owner signs in again',
      );
    });

    it('the link expires after 72 hours, and unknown ones are refused', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const token = tokenIn(await noticeTo(email, /^This e-mail address was added/));
      for (const junk of ['x', 'A'.repeat(32), 'A'.repeat(43)])
        assert.equal(outcomeOf(await reportNotMe(junk)), '400 LINK_INVALID');
      stage.clock.advance(72 * 3600);
      assert.equal(outcomeOf(await reportNotMe(token)), '410 LINK_EXPIRED');
    });

    it('a removed address no longer signs in, is notified, and is free again', async () => {
      const { JWT } = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      assert.equal(outcomeOf(await removeEmail(JWT)), '200');
      assert.equal((await me(stage.url, JWT)).body.data.email, null);
      assert.match((await noticeTo(email, /e-mail address was removed$/)).text, /not-me#/);
      assert.equal(outcomeOf(await removeEmail(JWT)), '200', 'a repeated call succeeds');
      await bindAddress(stage.url, (await enter(stage.url)).JWT, email);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/email')), '401 ACCESS_TOKEN_MISSING');
    });

    it('a replaced address is notified, and its link works although the new address has one too', async () => {
      const { JWT } = await enter(stage.url);
      const [old, fresh] = [newAddress(), newAddress()];
      await bindAddress(stage.url, JWT, old);
      await bindAddress(stage.url, JWT, fresh);
      const thief = tokenIn(await noticeTo(fresh, /^This e-mail address was added/));
      const owner = tokenIn(await noticeTo(old, /e-mail address was changed$/));
      assert.equal(outcomeOf(await reportNotMe(thief)), '200');
      assert.equal(outcomeOf(await reportNotMe(owner)), '200');
    });
  });
}
