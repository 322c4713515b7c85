// Clients call two nodes on one database at the same time: their answers are those of the calls in some order, one after the other.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { findOrder, type HistoryCall, type Model } from '../helpers/histories/linearizability.ts';
import { createRandom, createRecorder, pickOne } from '../helpers/histories/record.ts';
import { askForLink, bindAddress, newAddress } from '../helpers/people/users.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { setTwoNodes } from '../helpers/services/stage.ts';
import { playFiles } from './histories/file-clients.ts';
import { fileModel } from './histories/file-model.ts';
import {
  createFileNode,
  createUserNode,
  mostSends,
  nodeSettings,
  requestCode,
  Unavailable,
  type Wallet,
} from './histories/http-nodes.ts';
import { playUser } from './histories/user-clients.ts';
import { userModel } from './histories/user-model.ts';

const now = () => performance.now();
/** Histories of users who sign in with codes, with links, who upload, and requests for codes. */
const amounts = { codes: rounds(60), links: rounds(20), files: rounds(40), sends: rounds(30) };
const atOnce = 4;
const linksOfUser = 3;
const phones = Array.from(
  { length: 2 * (amounts.codes + amounts.links + amounts.files) },
  (_, at) => `+1555${1_000_000 + at}`,
);
const busy = { clients: 4, callsEach: 10 };

/** Every answer that the calls can give. Histories that missed one would prove little. */
const answers = [
  ...['200', '201', '400 LINK_INVALID', '400 OTP_INVALID', '401 REFRESH_TOKEN_REUSED', '401 SESSION_REVOKED'],
  ...['403 FILE_QUOTA_EXCEEDED', '404 FILE_NOT_FOUND', '404 NOT_FOUND', '429 OTP_ATTEMPTS_EXCEEDED'],
  '429 OTP_SEND_LIMIT',
];

for (const kind of storeKinds) {
  describe(`histories of two nodes, on ${kind}`, () => {
    const nodes = setTwoNodes(kind, nodeSettings(phones));
    const unused = [...phones];
    const nextPhone = () => unused.pop() ?? assert.fail('no phone is left');
    const random = createRandom(seed);
    const given = new Set<string>();

    /** A user who has signed in once. */
    const enter = async () => {
      const phone = nextPhone();
      const wallet: Wallet = new Map();
      const userNodes = nodes.urls.map((url) => createUserNode(url, phone, wallet));
      const [node = assert.fail()] = userNodes;
      assert.equal((await node({ act: 'send' })).outcome, '200');
      const { sessions: [id = ''] = [], token = '' } = await node({ act: 'guess right' });
      return { first: { id, token, tokens: [token] }, userNodes, JWT: wallet.get(id) ?? assert.fail('not signed in') };
    };

    it(`${amounts.codes} users with codes`, async (context) => {
      await search(context, amounts.codes, given, async () => {
        const phone = nextPhone();
        const wallet: Wallet = new Map();
        const userNodes = nodes.urls.map((url) => createUserNode(url, phone, wallet));
        return [userModel(), await playUser({ ...busy, nodes: userNodes, random, now })];
      });
    });

    it(`${amounts.links} users with links`, async (context) => {
      await search(context, amounts.links, given, async () => {
        const { first, userNodes, JWT } = await enter();
        const address = newAddress();
        await bindAddress(nodes.urls[0], JWT, address);
        const links: string[] = [];
        while (links.length < linksOfUser) links.push(await askForLink(nodes.urls[links.length % 2] ?? '', address));
        return [userModel(links, first), await playUser({ ...busy, nodes: userNodes, links, first, random, now })];
      });
    });

    it(`${amounts.files} users with files`, async (context) => {
      await search(context, amounts.files, given, async () => {
        const { JWT } = await enter();
        const fileNodes = nodes.urls.map((url) => createFileNode(url, JWT));
        return [fileModel, await playFiles({ ...busy, nodes: fileNodes, random, now })];
      });
    });

    it(`${amounts.sends} recipients of codes`, async (context) => {
      let recipient = 0;
      await search(context, amounts.sends, given, async () => {
        const phone = `+1202555${String(++recipient).padStart(4, '0')}`;
        const recorder = createRecorder<'send', Answered>(now);
        const client = async () => {
          for (let count = 0; count < 3; count++)
            await recorder.record('send', () => requestCode(pickOne(random, nodes.urls) ?? '', phone));
        };
        await Promise.all(Array.from({ length: busy.clients }, client));
        return [sendModel, recorder.calls];
      });
    });

    it('the histories have every answer', () => assert.deepEqual([...given].sort(), answers));
  });
}

const sendModel: Model<number, 'send', Answered> = {
  initial: 0,
  step: (count, _, { outcome }) => {
    if (count === mostSends) return outcome === '429 OTP_SEND_LIMIT' ? count : undefined;
    return outcome === '200' ? count + 1 : undefined;
  },
};

type Answered = { readonly outcome: string };

type Played<State, Input, Output> = [Model<State, Input, Output>, readonly HistoryCall<Input, Output>[]];

/** Some histories at once, each on its own user. One with an unknown outcome is played again, on another. */
async function search<State, Input, Output extends Answered>(
  context: TestContext,
  count: number,
  given: Set<string>,
  play: () => Promise<Played<State, Input, Output>>,
): Promise<void> {
  let left = count;
  let calls = 0;
  let mostAtOnce = 0;
  let unknown = 0;
  const player = async () => {
    while (left > 0) {
      left -= 1;
      const played = await play().catch((error: unknown) => {
        if (!(error instanceof Unavailable) || ++unknown > count) throw error;
        left += 1;
      });
      if (played === undefined) continue;
      const [model, history] = played;
      const { isLinearizable, order } = findOrder(model, history);
      assert.ok(isLinearizable, `no order of\n${show(history)}\nThe longest beginning of one:\n${show(order)}`);
      calls += history.length;
      for (const { output } of history) given.add(output.outcome);
      mostAtOnce = Math.max(mostAtOnce, overlap(history));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, player));
  assert.ok(mostAtOnce > 1, 'no two calls were under way at once');
  context.diagnostic(`${count} histories, ${calls} calls, up to ${mostAtOnce} at once, ${unknown} played again`);
}

function overlap(history: readonly HistoryCall<unknown, unknown>[]): number {
  return Math.max(
    ...history.map(
      ({ calledAt }) => history.filter((one) => one.calledAt <= calledAt && one.returnedAt > calledAt).length,
    ),
  );
}

function show(history: readonly HistoryCall<unknown, unknown>[]): string {
  return history
    .map((call) => `${call.calledAt} to ${call.returnedAt}: ${JSON.stringify([call.input, call.output])}`)
    .join('\n');
}
