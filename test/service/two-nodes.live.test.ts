// Races through two processes on one database: a code works once, a token has one successor, guesses are counted exactly.
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
  otherThan,
  outcomeOf,
  redeem,
} from '../helpers/people/users.ts';
import { call, logIn, newPhone, type Pair, type Reply, refresh, sendOtp } from '../helpers/requests/api.ts';
import { storeFile } from '../helpers/requests/upload.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { setTwoNodes } from '../helpers/services/stage.ts';

for (const kind of storeKinds) {
  describe(`races on two nodes, on ${kind}`, () => {
    const nodes = setTwoNodes(kind);
    /** Sends half of the calls to each node, all at once. */
    const race = (count: number, act: (url: string, index: number) => Promise<Reply>) =>
      Promise.all(Array.from({ length: count }, (_, index) => act(nodes.urls[index % 2] ?? '', index)));

    it('one of a hundred uses of a code on two nodes succeeds', async () => {
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

    it('one of a hundred uses of a sign-in link on two nodes succeeds', async () => {
      const owner = await enter(nodes.urls[0]);
      const address = newAddress();
      await bindAddress(nodes.urls[0], owner.JWT, address);
      const token = await askForLink(nodes.urls[1], address);
      assert.deepEqual(tally(await race(100, (url) => redeem(url, token))), { '200': 1, '400 LINK_INVALID': 99 });
    });

    it('a hundred refreshes of one token on two nodes return one successor, and the session continues', async () => {
      let { RT } = await enter(nodes.urls[0]);
      for (let round = 0; round < 5; round++) {
        const replies = await race(100, (url) => refresh(url, RT));
        assert.deepEqual(tally(replies), { '200': 100 });
        const successors = new Set(replies.map((reply) => reply.body.data.RT));
        assert.equal(successors.size, 1);
        for (const { body } of replies.slice(0, 4))
          assert.equal(outcomeOf(await me(nodes.urls[1], body.data.JWT)), '200');
        [RT = ''] = successors;
      }
    });

    it('exactly five of twenty wrong codes on two nodes are judged, and then the right code is refused', async () => {
      for (let round = 0; round < 3; round++) {
        const phone = newPhone();
        const code = await askForCode(nodes.urls[0], phone);
        const replies = await race(20, (url) => logIn(url, phone, otherThan(code)));
        assert.deepEqual(tally(replies), { '400 OTP_INVALID': 5, '429 OTP_ATTEMPTS_EXCEEDED': 15 });
        for (const url of nodes.urls)
          assert.equal(outcomeOf(await logIn(url, phone, code)), '429 OTP_ATTEMPTS_EXCEEDED');
      }
    });

    it('wrong codes on two nodes are counted exactly even for a phone that has no code', async () => {
      const phone = newPhone();
      const replies = await race(20, (url) => logIn(url, phone, '123456'));
      assert.deepEqual(tally(replies), { '400 OTP_INVALID': 5, '429 OTP_ATTEMPTS_EXCEEDED': 15 });
    });

    it('no more than fifteen wrong codes are judged on two nodes, however codes and nodes alternate', async () => {
      const phone = newPhone();
      let evaluated = 0;
      for (let round = 0; round < 5; round++) {
        const code = await askForCode(nodes.urls[round % 2] ?? '', phone);
        const replies = await race(20, (url) => logIn(url, phone, otherThan(code)));
        evaluated += tally(replies)['400 OTP_INVALID'] ?? 0;
      }
      assert.equal(evaluated, 15);
    });

    it('two nodes that get requests for one phone at once open one code', async () => {
      const phone = newPhone();
      assert.deepEqual(tally(await race(20, (url) => sendOtp(url, phone))), { '200': 20 });
      let texts: string[] = [];
      while (texts.length < 20) texts = (await messagesTo(nodes.urls[0], phone)).map(({ text }) => text);
      assert.equal(new Set(texts).size, 1);
    });

    it('ten uses of a link give ten downloads on two nodes, and a link that one node revokes opens nothing on the other', async () => {
      const { JWT: token } = await enter(nodes.urls[0]);
      const text = { purpose: 'document', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a text') };
      const { id } = await storeFile(nodes.urls[0], { ...text, token });
      const share = async (wish: object) => {
        const { data } = (await call(nodes.urls[0], 'POST', `/api/file/${id}/links`, { token, body: wish })).body;
        return { linkId: data.id, path: new URL(data.url).pathname + new URL(data.url).search };
      };
      const statusOf = async (url: string, path: string) => (await fetch(`${url}${path}`)).status;
      const counted = await share({ uses: 10 });
      const openings = Array.from({ length: 40 }, (_, index) => statusOf(nodes.urls[index % 2] ?? '', counted.path));
      assert.equal((await Promise.all(openings)).filter((status) => status === 200).length, 10);
      const [one, all] = [await share({}), await share({})];
      for (const url of nodes.urls) assert.equal(await statusOf(url, one.path), 200);
      await call(nodes.urls[1], 'DELETE', `/api/file/${id}/links/${one.linkId}`, { token });
      assert.deepEqual([await statusOf(nodes.urls[0], one.path), await statusOf(nodes.urls[0], all.path)], [404, 200]);
      await call(nodes.urls[0], 'DELETE', `/api/file/${id}/links`, { token });
      for (const url of nodes.urls) assert.equal(await statusOf(url, all.path), 404);
    });

    it('a user has at most twenty sessions when two nodes sign the user in', async () => {
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
  for (const answer of replies.map(outcomeOf).sort()) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
