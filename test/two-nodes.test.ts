// Races through two processes on one database: a code opens once, a token has one successor, guesses are counted exactly.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, logIn, newPhone, type Pair, type Reply, refresh, sendOtp } from './support/api.ts';
import { storeKinds } from './support/gatehouse.ts';
import { setTwoNodes } from './support/stage.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  me,
  messagesTo,
  newAddress,
  otherThan,
  redeem,
  told,
} from './support/users.ts';

for (const kind of storeKinds) {
  describe(`races on two nodes, on ${kind}`, () => {
    const nodes = setTwoNodes(kind);
    /** Half of the calls to each node, all at once. */
    const race = (count: number, act: (url: string, index: number) => Promise<Reply>) =>
      Promise.all(Array.from({ length: count }, (_, index) => act(nodes.urls[index % 2] ?? '', index)));

    it('let one of a hundred uses of a code in', async () => {
      for (let round = 0; round < 3; round++) {
        const phone = newPhone();
        const code = await askForCode(nodes.urls[0], phone);
        const replies = await race(100, (url) => logIn(url, phone, code));
        const answers = tally(replies);
        assert.equal(answers['200'], 1);
        const refused = (answers['400 OTP_INVALID'] ?? 0) + (answers['429 OTP_ATTEMPTS_EXCEEDED'] ?? 0);
        assert.equal(refused, 99, JSON.stringify(answers));
        const winner = replies.find(({ status }) => status === 200);
        const { body } = await call(nodes.urls[1], 'GET', '/api/auth/sessions', { token: winner?.body.data.JWT });
        assert.equal(body.data.sessions.length, 1);
      }
    });

    it('let one of a hundred uses of a link in', async () => {
      const owner = await enter(nodes.urls[0]);
      const address = newAddress();
      await bindAddress(nodes.urls[0], owner.JWT, address);
      const token = await askForLink(nodes.urls[1], address);
      assert.deepEqual(tally(await race(100, (url) => redeem(url, token))), { '200': 1, '400 LINK_INVALID': 99 });
    });

    it('give a hundred refreshes of one token one successor, with which the session goes on', async () => {
      let { RT } = await enter(nodes.urls[0]);
      for (let round = 0; round < 5; round++) {
        const replies = await race(100, (url) => refresh(url, RT));
        assert.deepEqual(tally(replies), { '200': 100 });
        const successors = new Set(replies.map((reply) => reply.body.data.RT));
        assert.equal(successors.size, 1);
        for (const { body } of replies.slice(0, 4)) assert.equal(told(await me(nodes.urls[1], body.data.JWT)), '200');
        [RT = ''] = successors;
      }
    });

    it('evaluate exactly five of twenty wrong codes, and then not the right one', async () => {
      for (let round = 0; round < 3; round++) {
        const phone = newPhone();
        const code = await askForCode(nodes.urls[0], phone);
        const replies = await race(20, (url) => logIn(url, phone, otherThan(code)));
        assert.deepEqual(tally(replies), { '400 OTP_INVALID': 5, '429 OTP_ATTEMPTS_EXCEEDED': 15 });
        for (const url of nodes.urls) assert.equal(told(await logIn(url, phone, code)), '429 OTP_ATTEMPTS_EXCEEDED');
      }
    });

    it('count guesses for a phone that nobody sent a code to just as exactly', async () => {
      const phone = newPhone();
      const replies = await race(20, (url) => logIn(url, phone, '123456'));
      assert.deepEqual(tally(replies), { '400 OTP_INVALID': 5, '429 OTP_ATTEMPTS_EXCEEDED': 15 });
    });

    it('never let more than fifteen wrong codes through, however codes and nodes alternate', async () => {
      const phone = newPhone();
      let evaluated = 0;
      for (let round = 0; round < 5; round++) {
        const code = await askForCode(nodes.urls[round % 2] ?? '', phone);
        const replies = await race(20, (url) => logIn(url, phone, otherThan(code)));
        evaluated += tally(replies)['400 OTP_INVALID'] ?? 0;
      }
      assert.equal(evaluated, 15);
    });

    it('open one code for a phone that both are asked about at once', async () => {
      const phone = newPhone();
      assert.deepEqual(tally(await race(20, (url) => sendOtp(url, phone))), { '200': 20 });
      let texts: string[] = [];
      while (texts.length < 20) texts = (await messagesTo(nodes.urls[0], phone)).map(({ text }) => text);
      assert.equal(new Set(texts).size, 1);
    });

    it('keep no more than twenty sessions when both sign the same user in', async () => {
      const phone = newPhone();
      const pairs: Pair[] = [];
      for (let count = 0; count < 24; count++) pairs.push(await enter(nodes.urls[count % 2] ?? '', phone));
      const { body } = await call(nodes.urls[0], 'GET', '/api/auth/sessions', { token: pairs.at(-1)?.JWT ?? '' });
      assert.equal(body.data.sessions.length, 20);
    });
  });
}

function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of replies.map(told).sort()) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
