// A recycled number over HTTP: what its new holder and the owner of the old account see, and the life of an account without a number.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  codeIn,
  comparable,
  enter,
  guess,
  me,
  messageAfter,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
} from '../../../../helpers/people/users.ts';
import { call, logIn, newPhone, refresh } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const halfYear = 181 * 86_400;
const app = 'https://app.example.com';

for (const kind of tierStoreKinds) {
  describe(`a recycled number, on ${kind}`, () => {
    const stage = setStage(kind, { NOTICES: 'off', CORS_ORIGINS: app });
    const account = async () => {
      const phone = newPhone();
      const { JWT } = await enter(stage.url, phone);
      const email = newAddress();
      await bindAddress(stage.url, JWT, email);
      const { id } = (await me(stage.url, JWT)).body.data;
      return { phone, email, id: String(id) };
    };
    const needProof = async (phone: string) => {
      const reply = await logIn(stage.url, phone, await askForCode(stage.url, phone));
      assert.equal(outcomeOf(reply), '409 PHONE_NEEDS_PROOF');
      return reply.headers.get('proof-ticket') ?? assert.fail('no ticket');
    };
    const claim = (ticket: string, headers: Record<string, string> = {}) =>
      call(stage.url, 'POST', '/api/auth/phone/claim', { body: { ticket }, headers });
    const noticeTo = (email: string) =>
      waitUntil('the notice', async () =>
        (await messagesTo(stage.url, email)).find(({ subject }) => /now belongs to somebody else$/.test(subject ?? '')),
      );
    const eventsOf = async (userId: string) =>
      (await askStore(stage.env, `select kind, detail from audit_events where user_id = '${userId}' order by id`)).map(
        ({ kind, detail }) => ({ kind: String(kind), detail: JSON.parse(String(detail)) }),
      );

    it('the right code of an account unused for long is used up, and answers a ticket that browsers of other origins may read', async () => {
      const { phone, id } = await account();
      stage.clock.advance(halfYear);
      const code = await askForCode(stage.url, phone);
      const body = { phone, otp: code };
      const reply = await call(stage.url, 'POST', '/api/auth/phone/login', { body, headers: { origin: app } });
      assert.equal(outcomeOf(reply), '409 PHONE_NEEDS_PROOF');
      assert.match(reply.headers.get('access-control-expose-headers') ?? '', /\bproof-ticket\b/);
      assert.match(reply.headers.get('proof-ticket') ?? '', /^[\w.-]{100,512}$/);
      assert.deepEqual(reply.cookies, []);
      assert.equal(outcomeOf(await logIn(stage.url, phone, code)), '400 OTP_INVALID', 'the code is used up');
      assert.deepEqual((await eventsOf(id)).at(-1), {
        kind: 'login.refused',
        detail: { reason: 'needs proof', method: 'sms', ip: '127.0.0.1' },
      });
    });

    it('a wrong code answers the same for an account unused for long, for one in use and for a free number', async () => {
      const old = await account();
      stage.clock.advance(halfYear);
      const fresh = await account();
      const replies = [];
      for (const phone of [old.phone, fresh.phone, newPhone()]) {
        const code = await askForCode(stage.url, phone);
        replies.push(comparable(await guess(stage.url, phone, code)));
      }
      assert.equal(replies[0]?.body.codeError, 'OTP_INVALID');
      assert.deepEqual(replies[1], replies[0]);
      assert.deepEqual(replies[2], replies[0]);
    });

    it('a claim signs in a new user with the number, once, and marks the device', async () => {
      const { phone, id, email } = await account();
      stage.clock.advance(halfYear);
      const ticket = await needProof(phone);
      const reply = await claim(ticket);
      assert.equal(outcomeOf(reply), '200');
      const { JWT, RT } = reply.body.data;
      assert.deepEqual(
        reply.cookies.map((cookie) => cookie.slice(0, cookie.indexOf('='))),
        ['JWT', 'RT', 'DV'],
      );
      assert.match(reply.headers.get('device-token') ?? '', /^[\w-]{75}$/);
      const mine = (await me(stage.url, JWT)).body.data;
      assert.deepEqual([mine.phone, mine.email], [phone, null]);
      assert.notEqual(mine.id, id);
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
      assert.equal(outcomeOf(await claim(ticket)), '400 PROOF_TICKET_INVALID', 'a ticket works once');
      const lost = (await eventsOf(id)).filter(({ kind }) => kind.startsWith('phone.'));
      assert.deepEqual(lost, [{ kind: 'phone.lost', detail: { old: `${phone.slice(0, 3)}•••${phone.slice(-2)}` } }]);
      assert.deepEqual(
        (await eventsOf(mine.id)).map((event) => event.kind),
        ['user.created', 'login.succeeded'],
      );
      const notice = await noticeTo(email);
      assert.match(notice.text, /sign in by e-mail and add a number/);
      assert.match(notice.text, /\/not-me#[\w-]{32}$/m);
      assert.ok(!notice.text.includes(phone), 'the number is masked');
      assert.equal(outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))), '200');
    });

    it('a ticket that is forged, expired or overtaken by the owner is refused', async () => {
      const { phone, email } = await account();
      stage.clock.advance(halfYear);
      const first = await needProof(phone);
      for (const forged of ['x', `${first.slice(0, -2)}${first.endsWith('AA') ? 'QA' : 'AA'}`, 'a.b.c'])
        assert.equal(outcomeOf(await claim(forged)), '400 PROOF_TICKET_INVALID');
      stage.clock.advance(600);
      assert.equal(outcomeOf(await claim(first)), '400 PROOF_TICKET_INVALID', 'after ten minutes');
      const second = await needProof(phone);
      const owner = await redeem(stage.url, await askForLink(stage.url, email));
      assert.equal(outcomeOf(owner), '200', 'the owner proves the account by its link');
      assert.equal(outcomeOf(await claim(second)), '400 PROOF_TICKET_INVALID');
      assert.equal((await me(stage.url, owner.body.data.JWT)).body.data.phone, phone);
      assert.equal(
        outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))),
        '200',
        'it is in use again',
      );
    });

    it('a blocked account is reported as blocked before anything else, also to a claim', async () => {
      const { phone, id } = await account();
      stage.clock.advance(halfYear);
      const ticket = await needProof(phone);
      await askStore(stage.env, `update users set blocked_at = 1 where id = '${id}' returning id`);
      assert.equal(outcomeOf(await claim(ticket)), '403 USER_BLOCKED');
      assert.equal(outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))), '403 USER_BLOCKED');
    });

    it('an account without a number signs in by link, proves by e-mail, keeps its address, and can be deleted', async () => {
      const { phone, email, id } = await account();
      stage.clock.advance(halfYear);
      assert.equal(outcomeOf(await claim(await needProof(phone))), '200');
      await noticeTo(email);
      const signedIn = await redeem(stage.url, await askForLink(stage.url, email));
      assert.equal(outcomeOf(signedIn), '200');
      assert.match(signedIn.cookies.at(-1) ?? '', /^DV=[\w-]{75};/);
      const { JWT: token, RT } = signedIn.body.data;
      const { data } = (await me(stage.url, token)).body;
      assert.deepEqual([data.id, data.phone, data.email], [id, null, email]);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/email', { token })), '409 LAST_WAY_IN');
      const sessions = await call(stage.url, 'GET', '/api/auth/sessions', { token });
      assert.equal(outcomeOf(sessions), '200');
      assert.equal(outcomeOf(await call(stage.url, 'GET', '/api/file', { token })), '200');
      const send = (via: string) =>
        call(stage.url, 'POST', '/api/auth/proof/send', { body: { via }, token, captcha: 'any' });
      assert.equal(outcomeOf(await send('phone')), '400 REQUEST_INVALID', 'there is no number to send a code to');
      const otp = codeIn(await messageAfter(stage.url, email, () => send('email')));
      const headers = { RT };
      const proof = await call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token, headers });
      assert.equal(outcomeOf(proof), '200');
      const other = newAddress();
      await bindAddress(stage.url, proof.body.data.JWT, other);
      const gone = await call(stage.url, 'DELETE', '/api/auth/me', { token: proof.body.data.JWT });
      assert.equal(outcomeOf(gone), '200');
      assert.equal(outcomeOf(await logIn(stage.url, phone, await askForCode(stage.url, phone))), '200');
    });

    it('while sign-up is closed, a claim changes nothing', async () => {
      const { phone, id } = await account();
      stage.clock.advance(halfYear);
      await stage.restart({ SIGNUP: 'closed' });
      const ticket = await needProof(phone);
      assert.equal(outcomeOf(await claim(ticket)), '403 SIGNUP_CLOSED');
      const [row] = await askStore(stage.env, `select phone from users where id = '${id}'`);
      assert.equal(row?.phone, phone);
      await stage.restart({ SIGNUP: 'open' });
      assert.equal(outcomeOf(await claim(ticket)), '200', 'the ticket is not used up');
    });
  });
}
