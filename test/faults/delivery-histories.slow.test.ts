// Random histories of two nodes and two providers: refusals, cut and missing answers, and killed nodes, in any order. Every code that was
// acknowledged may have reached its user, no code went out more than twice, and where one provider lives each was accepted or, after
// two sends with an unknown end, parked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { createRandom, pickOne, type Random } from '../helpers/histories/record.ts';
import {
  type RecordedSms,
  type RecorderAnswer,
  type SmsRecorder,
  setSmsRecorder,
} from '../helpers/people/sms-recorder.ts';
import { newPhone, sendOtp } from '../helpers/requests/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';
import { noSendLimits } from '../helpers/services/no-send-limits.ts';
import { waitUntil } from '../helpers/wait-until.ts';

type Node = { process: GatehouseProcess; readonly env: TestEnv };

/** 200 is there twice, so that a history is not only faults. */
const answers: readonly RecorderAnswer[] = [200, 200, 500, 'cut', 'silence', 'busy'];
/** After these, the provider may have sent the message. */
const mayHaveSent = new Set<RecorderAnswer>([200, 'cut', 'silence']);
const stepsPerHistory = 24;

type Providers = readonly [SmsRecorder, SmsRecorder];

// They mostly wait.
describe('delivery in random histories', { concurrency: true }, () => {
  for (const aliveToo of [true, false])
    for (let round = 0; round < rounds(1); round++) {
      const providers: Providers = [setSmsRecorder(), setSmsRecorder()];
      const start = seed * 1000 + round * 2 + (aliveToo ? 1 : 0);
      it(`${aliveToo ? 'one provider lives' : 'both fail sometimes'}, seed ${start}`, async (context) => {
        const random = createRandom(start);
        // Without limits on sends, because one machine asks for all codes.
        const settings = { SMS_URL: providers.map(({ url }) => url).join(' '), ...noSendLimits };
        const { env, dispose } = await isolatedEnv('postgres', settings);
        const nodes: Node[] = [];
        context.after(async () => {
          await Promise.all(nodes.map(({ process }) => process.stop('SIGKILL')));
          await dispose();
        });
        for (const PORT of [String(env.PORT), String(await freePort())]) {
          const own = { ...env, PORT };
          nodes.push({ process: await spawnGatehouse(own), env: own });
        }
        const answering = tellAnswers(providers);
        const acknowledged = await play(nodes, random, (answer) => {
          answering.answerBy(0, answer);
          if (!aliveToo) answering.answerBy(1, pickOne(random, answers) ?? 200);
        });
        answering.answerBy(0, 200);
        answering.answerBy(1, 200);
        const waiting = "select id from outbox where state <> 'parked'";
        await waitUntil('nothing waits', async () => (await askStore(env, waiting)).length === 0);
        assert.ok(acknowledged.length > stepsPerHistory, 'there were codes');
        // A kill, or a connection that is lost, after the note that a send begins and before its arrival is a doubt that no provider
        // knows of. After two doubts the code is parked.
        const parked = await askStore(
          env,
          "select payload, doubts, tries, last_error from outbox where state = 'parked'",
        );
        const parkedTo = new Map(parked.map((row) => [(JSON.parse(String(row.payload)) as { to: string }).to, row]));
        for (const phone of acknowledged) {
          const outcomes = answering.outcomes.get(phone) ?? [];
          const doubtful = outcomes.filter((outcome) => mayHaveSent.has(outcome)).length;
          const row = parkedTo.get(phone);
          const seen = `seed ${start}: ${phone} got ${outcomes.join(', ') || 'nothing'}; ${JSON.stringify(row)}`;
          assert.ok(doubtful <= 2, seen);
          const isUnseen = Number(row?.doubts) === 2 && doubtful < 2;
          assert.ok(doubtful >= 1 || isUnseen, seen);
          // What was cut had arrived.
          const arrived = outcomes.some((outcome) => outcome === 200 || outcome === 'cut');
          if (aliveToo) assert.ok(arrived || isUnseen, seen);
        }
      });
    }
});

/** Sends codes through both nodes all the time, while the first provider changes and a node is killed now and then. */
async function play(
  nodes: readonly Node[],
  random: Random,
  change: (answer: RecorderAnswer) => void,
): Promise<string[]> {
  const acknowledged: string[] = [];
  let isOver = false;
  const sender = async (node: Node) => {
    while (!isOver) {
      const phone = newPhone();
      const answer = await sendOtp(node.process.url, phone).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(phone);
      await sleep(random() * 100);
    }
  };
  const senders = [...nodes, ...nodes].map(sender);
  try {
    for (let step = 0; step < stepsPerHistory; step++) {
      change(pickOne(random, answers) ?? 200);
      await sleep(50 + random() * 400);
      const node = random() > 0.2 ? undefined : pickOne(random, nodes);
      if (node === undefined) continue;
      await node.process.stop('SIGKILL');
      node.process = await spawnGatehouse(node.env);
    }
  } finally {
    isOver = true;
    await Promise.all(senders);
  }
  return acknowledged;
}

/** What each provider answered for each phone. */
function tellAnswers(providers: Providers) {
  const outcomes = new Map<string, RecorderAnswer[]>();
  const answerBy = (index: 0 | 1, answer: RecorderAnswer) =>
    providers[index].answer(({ to }: RecordedSms) => {
      outcomes.set(to, [...(outcomes.get(to) ?? []), answer]);
      return answer;
    });
  answerBy(0, 200);
  answerBy(1, 200);
  return { outcomes, answerBy };
}
