// The connection to PostgreSQL is lost at every byte around a commit, in both directions: the answer is true, and nothing is done twice.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askStore } from '../helpers/databases/raw-store.ts';
import { factor } from '../helpers/faults/rounds.ts';
import type { Undo } from '../helpers/faults/undo.ts';
import { enter, me, outcomeOf } from '../helpers/people/users.ts';
import type { Reply } from '../helpers/requests/api.ts';
import { isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { type CommitCut, type CutOutcome, startCommitCutter } from './rig/commit-cutter.ts';
import { type Deed, deeds, type UserRecord } from './rig/deeds.ts';
import { matchFiles, settle } from './rig/settle.ts';

/** The short form: one byte of each region. The long form takes every byte. */
const some: readonly CommitCut[] = [
  { side: 'question', bytes: 1 },
  { side: 'question', bytes: 60 },
  { side: 'answer', bytes: 0 },
  { side: 'answer', bytes: 40 },
];

/** The time in which the service must recover. In the long form the machine does nothing else. */
const recoveryMilliseconds = factor === 1 ? 40_000 : 2000;

describe('a connection to PostgreSQL that is lost around a commit', () => {
  const undone: (() => unknown)[] = [];
  let stage: Stage;
  before(async () => {
    stage = await openStage((step) => void undone.unshift(step));
  });
  after(async () => {
    for (const step of undone) await step();
  });

  for (const [name, prepare] of Object.entries(deeds)) {
    it(`a connection to PostgreSQL lost at any byte around the commit leaves ${name} done once`, async (test) => {
      const count = { lost: 0, refused: 0, longest: 0 };
      const lose = async (cut: CommitCut): Promise<CutOutcome> => {
        const { outcome, isRefused, milliseconds } = await loseOne(stage, await prepare(stage.user), cut);
        if (outcome === 'cut') count.lost += 1;
        if (isRefused) count.refused += 1;
        count.longest = Math.max(count.longest, milliseconds);
        return outcome;
      };
      if (factor === 1) for (const cut of some) await lose(cut);
      else for (const side of ['question', 'answer'] as const) await loseAtEach(side, lose);
      assert.ok(count.lost > 0);
      test.diagnostic(
        `${name}: lost at ${count.lost} bytes, ${count.refused} refused and done when repeated, the others acknowledged; 0 lost, 0 doubled; recovered after ${Math.round(count.longest)} ms at most`,
      );
    });
  }

  describe('a connection lost around a commit, in the long form', {
    skip: factor === 1 && 'takes ten seconds: npm run faults',
  }, () => {
    it('an upload whose commit arrives late keeps its bytes', async (test) => {
      const deed = (await deeds.uploads?.(stage.user)) ?? assert.fail();
      const stored = async () => Number((await askStore(stage.env, 'select count(*) as n from files'))[0]?.n);
      const before = await stored();
      // By then the store has timed out, but the database has not.
      const readCut = stage.arm(deed.mark, { side: 'late', milliseconds: 3500 });
      const reply = await deed.act();
      assert.equal(readCut(), 'cut');
      assert.match(outcomeOf(reply), /^201$|^503 SERVICE_UNAVAILABLE$/);
      const repeated = await untilServed(deed.act);
      assert.equal(outcomeOf(repeated), '201');
      if (reply.status === 201) assert.deepEqual(repeated.body.data, reply.body.data);
      assert.equal(await stored(), before + 1);
      test.diagnostic(`an upload whose commit came 3.5 s late: ${outcomeOf(reply)}, then the same file again`);
    });

    it('lost connections leave a consistent store and matching files', async () => {
      await settle(stage.env);
      await matchFiles(stage.env);
    });
  });
});

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A service behind a proxy that cuts its database connection, and a signed-in user. */
async function openStage(undo: Undo) {
  const { env, dispose } = await isolatedEnv('postgres', { LIMIT_UPLOADS_PER_USER: 'off' });
  undo(dispose);
  const address = new URL(env.DATABASE_URL ?? '');
  const proxy = await startCommitCutter({ host: address.hostname, port: Number(address.port) });
  undo(proxy.close);
  address.port = String(proxy.port);
  const service = await startGatehouse({ ...env, DATABASE_URL: address.href });
  undo(service.stop);
  const user: UserRecord = { url: service.url, pair: await enter(service.url) };
  return { env, user, arm: proxy.arm };
}

/** Returns whether the byte existed, whether the caller was refused, and how long the recovery took. */
async function loseOne({ env, user, arm }: Stage, { mark, traces, act, answers }: Deed, cut: CommitCut) {
  const why = JSON.stringify(cut);
  const sum = `select ${traces.map((text, index) => `(${text}) as n${index}`).join()}`;
  const read = async () => Object.values((await askStore(env, sum))[0] ?? {}).map(Number);
  const before = await read();
  const readCut = arm(mark, cut);
  const reply = await act();
  const outcome = readCut();
  const begin = performance.now();
  const isRefused = outcomeOf(reply) !== answers[0];
  if (isRefused) {
    assert.equal(outcomeOf(reply), '503 SERVICE_UNAVAILABLE', why);
    const repeated = outcomeOf(await untilServed(act));
    assert.ok(answers.includes(repeated), `${why}: repeated, ${repeated}`);
  }
  const well = outcomeOf(await untilServed(() => me(user.url, user.pair.JWT)));
  const milliseconds = performance.now() - begin;
  assert.equal(well, '200', why);
  assert.ok(milliseconds < recoveryMilliseconds, `${why}: recovered after ${milliseconds} ms`);
  const raised = (await read()).map((value, index) => value - (before[index] ?? 0));
  const once = traces.map(() => 1);
  assert.deepEqual(raised, once, why);
  return { outcome, isRefused, milliseconds };
}

async function loseAtEach(side: 'question' | 'answer', lose: (cut: CommitCut) => Promise<CutOutcome>): Promise<void> {
  for (let bytes = side === 'question' ? 1 : 0; ; ) {
    const outcome = await lose({ side, bytes });
    if (outcome === 'beyond') return;
    if (outcome === 'cut') bytes += 1;
  }
}

/** Repeats the call while it is refused with 503, as clients do. */
async function untilServed(act: () => Promise<Reply>): Promise<Reply> {
  for (let round = 0; ; round++) {
    const reply = await act();
    if (reply.status !== 503 || round > 400) return reply;
    await sleep(50);
  }
}
