// Two nodes on one database act on one account or one number at the same moment: the result is that of one act after the other.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { askStore } from '../helpers/databases/raw-store.ts';
import { rounds } from '../helpers/faults/rounds.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  codeAfter,
  enter,
  me,
  messagesTo,
  newAddress,
  outcomeOf,
  redeem,
} from '../helpers/people/users.ts';
import { call, newPhone, type Reply } from '../helpers/requests/api.ts';
import { tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { startTwoNodes } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const count = rounds(3);
const hour = 3600;

for (const kind of tierStoreKinds) {
  describe(`races about an identity on two nodes, on ${kind}`, () => {
    const start = async (context: TestContext) => {
      const options = { times: { loops: { phoneChangeMilliseconds: 5 } } };
      const nodes = await startTwoNodes(context, kind, 0, { settings: { PHONE_RECYCLED_AFTER: '20d' }, options });
      const { urls, clock } = nodes;
      const [here] = urls;
      const logIn = (url: string, phone: string, otp: string) =>
        call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp } });
      const askToChange = (token: string, recipient: string) =>
        codeAfter(here, recipient, () =>
          call(here, 'POST', '/api/auth/phone/change/send', { token, captcha: 'x', body: { recipient } }),
        );
      const change = (url: string, token: string, phone: string, otp: string) =>
        call(url, 'PUT', '/api/auth/phone/change', { token, body: { phone, otp } });
      const notMe = (url: string, token: string) => call(url, 'POST', '/api/auth/not-me', { body: { token } });
      /** The token of the link in the newest notice to a recipient. */
      const noticeTo = (to: string) =>
        waitUntil(`a notice to ${to}`, async () => {
          const texts = (await messagesTo(here, to)).map(({ text }) => text);
          return texts
            .map((text) => /\/not-me#([\w-]{32})(?![\w-])/.exec(text)?.[1])
            .find((token) => token !== undefined);
        });
      const phoneOf = async (token: string) => (await me(here, token)).body.data?.phone;
      /** A user with an address who signed in by link, so that a change of the number must wait. */
      const enterByLink = async () => {
        const email = newAddress();
        const { phone, JWT } = await enter(here);
        await bindAddress(here, JWT, email);
        const byLink = await redeem(here, await askForLink(here, email));
        return { email, phone, JWT, link: byLink.body.data.JWT as string, id: (await me(here, JWT)).body.data.id };
      };
      /** How the scheduled change of a user ended. Undefined while it is scheduled. */
      const endOfChange = async (id: string): Promise<string[] | undefined> => {
        const left = await askStore(nodes.env, `select id from users where id = '${id}' and next_phone is not null`);
        if (left.length > 0) return undefined;
        const kinds = "('phone.changed', 'phone.change-cancelled')";
        const sql = `select kind from audit_events where user_id = '${id}' and kind in ${kinds}`;
        return (await askStore(nodes.env, sql)).map((row) => String(row.kind));
      };
      return { urls, here, clock, logIn, askToChange, change, notMe, noticeTo, phoneOf, enterByLink, endOfChange };
    };

    /** Both at once. The first act is on the other node every second time. */
    const race = (
      [here, there]: readonly [string, string],
      round: number,
      acts: readonly ((url: string) => Promise<Reply>)[],
    ) => Promise.all(acts.map((act, index) => act((round + index) % 2 === 0 ? here : there)));

    const repeat = async (act: (round: number) => Promise<void>) => {
      for (let round = 0; round < count; round++) await act(round);
    };

    /**
     * For rounds that move the clock by days. Nodes of its own for each: moved again and again, the clock would pass the time in which
     * nodes publish and use their next signing key, and one that has not looked yet would sign with a key that the other has retired.
     */
    const repeatAnew = async (
      context: TestContext,
      act: (round: number, stage: Awaited<ReturnType<typeof start>>) => Promise<void>,
    ) => {
      for (let round = 0; round < count; round++)
        await context.test(`round ${round + 1}`, async (own) => act(round, await start(own)));
    };

    it('one of two users who change to one number gets it, and the other keeps the old one', async (context) => {
      const { urls, here, askToChange, change, phoneOf } = await start(context);
      await repeat(async (round) => {
        const users = [await enter(here), await enter(here)];
        const number = newPhone();
        const codes: string[] = [];
        for (const { JWT } of users) codes.push(await askToChange(JWT, number));
        const acts = users.map(
          ({ JWT }, index) =>
            (url: string) =>
              change(url, JWT, number, codes[index] ?? ''),
        );
        const answers = (await race(urls, round, acts)).map(outcomeOf);
        assert.deepEqual(answers.toSorted(), ['200', '409 PHONE_TAKEN']);
        for (const [index, { JWT, phone }] of users.entries())
          assert.equal(await phoneOf(JWT), answers[index] === '200' ? number : phone);
      });
    });

    it('a sign-in with the old number enters the account before its change and ends with it, or starts a new account', async (context) => {
      const { urls, here, askToChange, change, logIn, phoneOf } = await start(context);
      await repeat(async (round) => {
        const user = await enter(here);
        const number = newPhone();
        const code = await askToChange(user.JWT, number);
        const otp = await askForCode(here, user.phone);
        const [changed, entered] = await race(urls, round, [
          (url) => change(url, user.JWT, number, code),
          (url) => logIn(url, user.phone, otp),
        ]);
        assert.deepEqual([outcomeOf(changed ?? assert.fail()), outcomeOf(entered ?? assert.fail())], ['200', '200']);
        assert.equal(await phoneOf(user.JWT), number);
        // The other node learns of ended sessions within a second.
        const seen = await waitUntil('a settled session', async () => {
          const reply = await me(here, entered?.body.data.JWT);
          if (outcomeOf(reply) === '401 SESSION_REVOKED') return 'ended';
          return reply.body.data?.phone === user.phone && reply.body.data.id !== changed?.body.data.id && 'new';
        });
        assert.ok(seen === 'ended' || seen === 'new');
      });
    });

    it('a scheduled change is cancelled or takes effect, never both', async (context) => {
      await repeatAnew(context, async (round, stage) => {
        const { urls, here, clock, askToChange, change, enterByLink, logIn, endOfChange } = stage;
        const { phone, email, link, id } = await enterByLink();
        const number = newPhone();
        const scheduled = await change(here, link, number, await askToChange(link, number));
        assert.equal(outcomeOf(scheduled), '202');
        clock.advance(72 * hour - 60);
        const { JWT: token } = (await redeem(here, await askForLink(here, email))).body.data;
        const otp = await askForCode(here, phone);
        const cancel = (url: string) => call(url, 'DELETE', '/api/auth/phone/change', { token });
        const isSignIn = round % 2 === 1;
        // The change is due from this moment on, and both nodes look for it.
        clock.advance(60);
        const [reply] = await race(urls, round >> 1, [isSignIn ? (url) => logIn(url, phone, otp) : cancel]);
        const verdict = outcomeOf(reply ?? assert.fail());
        const ends = await waitUntil('the end of the change', () => endOfChange(id));
        assert.equal(ends.length, 1, ends.join());
        const isCancelled = ends[0] === 'phone.change-cancelled';
        if (!isSignIn)
          assert.ok(isCancelled ? verdict === '200' : ['200', '401 SESSION_REVOKED'].includes(verdict), verdict);
        else assert.equal((await me(here, reply?.body.data.JWT)).body.data.id === id, isCancelled);
      });
    });

    it('of a claim and the link of the owner, the claim takes the number only if it comes first', async (context) => {
      await repeatAnew(context, async (round, stage) => {
        const { urls, here, clock, logIn, enterByLink, phoneOf } = stage;
        const { email, phone, id } = await enterByLink();
        clock.advance(21 * 24 * hour);
        const needs = await logIn(here, phone, await askForCode(here, phone));
        assert.equal(outcomeOf(needs), '409 PHONE_NEEDS_PROOF');
        const ticket = needs.headers.get('proof-ticket') ?? '';
        const token = await askForLink(here, email);
        const claim = (url: string) => call(url, 'POST', '/api/auth/phone/claim', { body: { ticket } });
        const [owner, ...claims] = await race(urls, round, [(url) => redeem(url, token), claim, claim]);
        assert.equal(outcomeOf(owner ?? assert.fail()), '200', 'the owner always gets in');
        const won = claims.filter((reply) => outcomeOf(reply) === '200');
        assert.ok(won.length <= 1);
        for (const reply of claims)
          assert.ok(['200', '400 PROOF_TICKET_INVALID'].includes(outcomeOf(reply)), outcomeOf(reply));
        const account = (await me(here, owner?.body.data.JWT)).body.data;
        assert.deepEqual([account.id, account.phone], [id, won.length === 1 ? null : phone]);
        for (const { body } of won) assert.equal(await phoneOf(body.data.JWT), phone);
      });
    });

    it('the owner who undoes a change gets the number back, whatever the thief changes meanwhile', async (context) => {
      const { urls, here, askToChange, change, notMe, noticeTo, logIn } = await start(context);
      await repeat(async (round) => {
        const { phone, JWT } = await enter(here);
        const [second, third] = [newPhone(), newPhone()];
        const { id } = (await change(here, JWT, second, await askToChange(JWT, second))).body.data;
        const token = await noticeTo(phone);
        const code = await askToChange(JWT, third);
        const [undone, changed] = await race(urls, round, [
          (url) => notMe(url, token),
          (url) => change(url, JWT, third, code),
        ]);
        assert.equal(outcomeOf(undone ?? assert.fail()), '200');
        const isChanged = outcomeOf(changed ?? assert.fail()) === '200';
        if (!isChanged) assert.equal(outcomeOf(changed ?? assert.fail()), '401 SESSION_REVOKED');
        const back = await logIn(here, phone, await askForCode(here, phone));
        assert.equal((await me(here, back.body.data.JWT)).body.data.id, id);
        if (isChanged)
          assert.equal(outcomeOf(await notMe(here, await noticeTo(second))), '400 LINK_INVALID', 'of the thief');
      });
    });

    it('of an undo and a sign-up with the old number, one gets the number', async (context) => {
      const { urls, here, askToChange, change, notMe, noticeTo, logIn } = await start(context);
      await repeat(async (round) => {
        const { phone, JWT } = await enter(here);
        const next = newPhone();
        const { id } = (await change(here, JWT, next, await askToChange(JWT, next))).body.data;
        const token = await noticeTo(phone);
        const otp = await askForCode(here, phone);
        const [undone, entered] = await race(urls, round, [
          (url) => notMe(url, token),
          (url) => logIn(url, phone, otp),
        ]);
        assert.equal(outcomeOf(entered ?? assert.fail()), '200');
        const account = (await me(here, entered?.body.data.JWT)).body.data;
        const verdict = outcomeOf(undone ?? assert.fail());
        assert.ok(verdict === '200' || verdict === '409 PHONE_TAKEN', verdict);
        assert.equal(account.id === id, verdict === '200');
        assert.equal(account.phone, phone);
      });
    });
  });
}
