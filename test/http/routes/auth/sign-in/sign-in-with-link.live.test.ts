// Sign-in links: requested without revealing who has an account, and redeemed once, by a POST only.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import {
  askForLink,
  bindAddress,
  comparable,
  enter,
  linkTokenIn,
  me,
  messageAfter,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
  sendLink,
} from '../../../../helpers/people/users.ts';
import { call, type Pair, type Reply } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

const sendPath = '/api/auth/email/send/login-link';
const checkPath = '/api/auth/email/link/check';

for (const kind of tierStoreKinds) {
  describe(`sign-in links, on ${kind}`, () => {
    const stage = setStage(kind);
    const address = newAddress().replace('user', 'Ann.User');
    let owner: Pair & { phone: string };
    /** Each link is later than the one before, because their time decides which are the newest. */
    const ask = () => {
      stage.clock.advance(1);
      return askForLink(stage.url, address);
    };
    const check = (token: string, headers = {}) => call(stage.url, 'POST', checkPath, { body: { token }, headers });

    before(async () => {
      owner = await enter(stage.url);
      await bindAddress(stage.url, owner.JWT, address);
    });

    it('a sign-in link goes to the e-mail address as it was bound, in any case, with the token in the fragment', async () => {
      const mail = await messageAfter(stage.url, address, () => sendLink(stage.url, ` ${address.toUpperCase()} `));
      assert.equal(mail.to, address);
      assert.equal(mail.channel, 'mail');
      const link = `http://localhost:${stage.env.PORT}/login/link#${linkTokenIn(mail)}`;
      assert.ok(mail.text.includes(`\n${link}\n`));
      assert.ok(mail.html?.includes(`href="${link}"`));
      assert.match(mail.text, /15 minutes/);
      assert.equal(mail.subject, 'Sign in to Gatehouse');
    });

    it('a request for a sign-in link is answered alike whether or not the account exists, and an unknown address gets no mail', async () => {
      const unknown = newAddress();
      const replies: Reply[] = [];
      const sendTo = async (to: string) => {
        const reply = await sendLink(stage.url, to);
        replies.push(reply);
        return reply;
      };
      for (let round = 0; round < 2; round++) {
        await messageAfter(stage.url, address, () => sendTo(address));
        await sendTo(unknown);
      }
      const [first, ...others] = replies.map(comparable);
      for (const other of others) assert.deepEqual(other, first);
      assert.equal(outcomeOf(replies[0] as Reply), '200');
      await ask();
      assert.deepEqual(await messagesTo(stage.url, unknown), []);
    });

    it('a sign-in link signs in the owner of the e-mail address once, with tokens in data and as cookies', async () => {
      const token = await ask();
      const reply = await redeem(stage.url, token);
      assert.equal(outcomeOf(reply), '200');
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      const { JWT, RT } = reply.body.data;
      assert.deepEqual(
        reply.cookies.slice(0, 2).map((cookie) => cookie.split(';')[0]),
        [`JWT=${JWT}`, `RT=${RT}`],
      );
      assert.equal((await me(stage.url, JWT)).body.data.phone, owner.phone);
      const claims = JSON.parse(Buffer.from(JWT.split('.')[1], 'base64url').toString());
      assert.deepEqual(claims.amr, ['link', 'email']);
      assert.equal(outcomeOf(await redeem(stage.url, token)), '400 LINK_INVALID');
      assert.equal(outcomeOf(await check(token)), '400 LINK_INVALID');
    });

    it('one of fifty racing requests redeems a sign-in link', async () => {
      const token = await ask();
      const answers = (await Promise.all(Array.from({ length: 50 }, () => redeem(stage.url, token)))).map(outcomeOf);
      assert.equal(answers.filter((answer) => answer === '200').length, 1);
      assert.equal(answers.filter((answer) => answer === '400 LINK_INVALID').length, 49);
    });

    it('a sign-in link works for fifteen minutes and is then reported as expired', async () => {
      const [early, late] = [await ask(), await ask()];
      stage.clock.advance(899);
      assert.equal(outcomeOf(await check(late)), '200');
      stage.clock.advance(1);
      assert.equal(outcomeOf(await redeem(stage.url, late)), '410 LINK_EXPIRED');
      assert.equal(outcomeOf(await redeem(stage.url, early)), '410 LINK_EXPIRED');
      assert.notEqual((await check(late)).status, 200);
      const next = await ask();
      stage.clock.advance(899);
      assert.equal(outcomeOf(await redeem(stage.url, next)), '200');
    });

    it('the newest three sign-in links stay valid, and using one revokes the others', async () => {
      const tokens: string[] = [];
      for (let count = 0; count < 4; count++) tokens.push(await ask());
      const [first, second, third, fourth] = tokens as [string, string, string, string];
      assert.equal(outcomeOf(await redeem(stage.url, first)), '400 LINK_INVALID');
      assert.equal(outcomeOf(await check(second)), '200');
      assert.equal(outcomeOf(await redeem(stage.url, third)), '200');
      for (const token of [second, fourth]) assert.equal(outcomeOf(await redeem(stage.url, token)), '400 LINK_INVALID');
    });

    it('a sign-in link is revoked when its e-mail address is replaced', async () => {
      const user = await enter(stage.url);
      const [old, fresh] = [newAddress(), newAddress()];
      await bindAddress(stage.url, user.JWT, old);
      const token = await askForLink(stage.url, old);
      await bindAddress(stage.url, user.JWT, fresh);
      assert.equal(outcomeOf(await check(token)), '400 LINK_INVALID');
      assert.equal(outcomeOf(await redeem(stage.url, token)), '400 LINK_INVALID');
    });

    it('a sign-in link opened a hundred times by scanners still signs in once', async () => {
      const token = await ask();
      for (let round = 0; round < 100; round++) {
        const method = ['GET', 'HEAD', 'OPTIONS'][round % 3] ?? 'GET';
        const place =
          ['/login/link', '/api/auth/email/login', `/api/auth/email/login?token=${token}`][round % 4] ?? checkPath;
        const headers = { 'sec-purpose': 'prefetch', 'user-agent': 'SafeLinks' };
        await (await fetch(`${stage.url}${place}`, { method, headers })).arrayBuffer();
      }
      assert.equal(outcomeOf(await redeem(stage.url, token)), '200');
    });

    it('checking a sign-in link does not use it up and recognises the browser that requested it', async () => {
      stage.clock.advance(1);
      const asked = await sendLink(stage.url, newAddress());
      const cookie = asked.cookies[0]?.split(';')[0] ?? '';
      const token = linkTokenIn(await messageAfter(stage.url, address, () => sendLink(stage.url, address, { cookie })));
      const account = `A•••@example.com`;
      for (let round = 0; round < 3; round++) {
        assert.deepEqual((await check(token)).body.data, { account, sameBrowser: false, continueTo: null, app: null });
        assert.deepEqual((await check(token, { cookie: 'lb=someone-else' })).body.data, {
          account,
          sameBrowser: false,
          continueTo: null,
          app: null,
        });
        assert.deepEqual((await check(token, { cookie })).body.data, {
          account,
          sameBrowser: true,
          continueTo: null,
          app: null,
        });
      }
      assert.equal(outcomeOf(await redeem(stage.url, token)), '200');
    });

    it('junk and altered sign-in link tokens are refused', async () => {
      const token = await ask();
      for (const text of ['x', `#${token}`, 'A'.repeat(43)]) {
        assert.equal(outcomeOf(await redeem(stage.url, text)), '400 LINK_INVALID', text);
        assert.equal(outcomeOf(await check(text)), '400 LINK_INVALID', text);
      }
      for (const other of [undefined, null, 1, [token], { token }, 'x'.repeat(300)]) {
        const reply = await call(stage.url, 'POST', '/api/auth/email/login', { body: { token: other } });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID');
      }
      assert.equal(outcomeOf(await redeem(stage.url, token)), '200');
    });

    it('a sign-in link is not sent to an invalid e-mail address', async () => {
      for (const recipient of ['ann@example', 'ann@example.com\r\nBcc: x']) {
        assert.equal(outcomeOf(await sendLink(stage.url, recipient)), '400 EMAIL_INVALID', recipient);
      }
      for (const recipient of [1, null, ['ann@example.com'], `a@${'x'.repeat(400)}.com`]) {
        const reply = await call(stage.url, 'POST', sendPath, { body: { recipient }, captcha: 'x' });
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', JSON.stringify(recipient));
      }
      const bare = await call(stage.url, 'POST', sendPath, { body: { recipient: address } });
      assert.equal(outcomeOf(bare), '400 CAPTCHA_REQUIRED');
    });

    it('a sign-in link carries the configured host, whatever the request claims', async () => {
      const mail = await messageAfter(stage.url, address, async () => {
        const poison = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
        const headers = { ...poison, 'x-forwarded-proto': 'https' };
        const status = await postToHost(`${stage.url}${sendPath}`, headers, { recipient: address });
        return { status, body: { message: '' } } as Reply;
      });
      assert.ok(mail.text.includes(`http://localhost:${stage.env.PORT}/login/link#`));
      assert.doesNotMatch(`${mail.text}${mail.html}`, /evil/);
      await stage.restart({ LOGIN_LINK_URL: 'https://app.example.com/enter?from=mail' });
      const { text } = await messageAfter(stage.url, address, () => sendLink(stage.url, address));
      assert.match(text, /^https:\/\/app\.example\.com\/enter\?from=mail#[\w-]{43}$/m);
      await stage.restart();
    });

    it('a sign-in link is stored as a hash only and does not sign in a blocked user', async () => {
      const token = await ask();
      const rows = await Promise.all(
        ['login_links', 'outbox', 'audit_events', 'limits'].map((name) => askStore(stage.env, `select * from ${name}`)),
      );
      assert.ok(!JSON.stringify(rows).includes(token));
      await askStore(stage.env, `update users set blocked_at = 1 where phone = '${owner.phone}' returning id`);
      assert.equal(outcomeOf(await redeem(stage.url, token)), '403 USER_BLOCKED');
    });
  });
}

/** fetch does not allow a Host header. */
async function postToHost(url: string, headers: Record<string, string>, body: unknown): Promise<number | undefined> {
  const own = { 'content-type': 'application/json', 'captcha-token': 'x' };
  const sent = request(url, { method: 'POST', headers: { ...headers, ...own } }).end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
