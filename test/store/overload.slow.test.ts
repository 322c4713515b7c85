// Thousands of calls for a database that hangs: all are answered in five seconds, most at once, and few run after its recovery.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { newFileId } from '../../src/files/stored-file.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { forClient } from '../../src/kernel/work/waiting-client.ts';
import { callWaits, countedMilliseconds } from '../../src/store/engine/call-waits.ts';
import { createPorts, type Ports } from '../../src/store/ports.ts';
import { createMigratedDatabase } from '../helpers/databases/databases.ts';
import { detailOf } from '../helpers/detail-of.ts';
import { startTcpProxy } from '../helpers/requests/tcp-proxy.ts';
import { openNode } from '../helpers/store/open-node.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const calls = 4000;
/** As in the store. Two batches of an operation run at once. */
const perBatch = 256;
/** The five seconds of a call, a tick, and what a busy machine needs to notice. */
const longestMilliseconds = 6000;

type Answer = { readonly milliseconds: number; readonly outcome: string };

async function timed(call: () => Promise<unknown>): Promise<Answer> {
  const begin = performance.now();
  const outcome = await call().then(
    () => 'done',
    (error) => (error instanceof Failure ? `${error.code} ${detailOf(error).retryAfterSeconds}` : String(error)),
  );
  return { milliseconds: performance.now() - begin, outcome };
}

const note = ({ removals }: Ports, id = newFileId()) =>
  timed(() => removals.note({ ids: [id], until: Date.now() + 600_000, unused: [] }));

function quantile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

describe('a database whose connections hang', () => {
  it('answers 4,000 calls in five seconds, serves new ones at once when it is back, and runs nothing for clients that have left', async (t) => {
    const database = await createMigratedDatabase();
    const direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
    const ranOf = async (ids: readonly string[]) =>
      (await direct.query('select id from pending_files where id = any ($1)', [ids])).rows.length;
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const store = await openNode('postgres', url.href);
    const ports = createPorts(store);
    assert.equal((await note(ports)).outcome, 'done');

    proxy.hold(true);
    const before = process.memoryUsage().heapUsed;
    const ids = Array.from({ length: calls }, newFileId);
    // By the rule of the store: while this process has no processor, no call waits.
    let [lost, last] = [0, performance.now()];
    const ticks = setInterval(() => {
      const passed = performance.now() - last;
      lost += passed - countedMilliseconds(passed, callWaits);
      last += passed;
    }, callWaits.tickMilliseconds);
    const answers = await Promise.all(ids.map((id) => note(ports, id)));
    clearInterval(ticks);
    const grown = (process.memoryUsage().heapUsed - before) / 1024 ** 2;
    t.diagnostic(
      `p50 ${Math.round(quantile(answers, 0.5))} ms, p90 ${Math.round(quantile(answers, 0.9))} ms, max ${Math.round(quantile(answers, 1))} ms, heap + ${grown.toFixed(1)} MiB`,
    );
    assert.deepEqual([...new Set(answers.map(({ outcome }) => outcome))], ['SERVICE_UNAVAILABLE 1']);
    assert.ok(quantile(answers, 1) - lost < longestMilliseconds);
    assert.ok(quantile(answers, 0.5) - lost < 2500, 'most are refused early');
    assert.ok(grown < 64, 'bounded memory');

    // What comes first begins, and holds its place. What comes behind it waits, and its client leaves.
    const stayed = Array.from({ length: 2 * perBatch }, newFileId);
    const staying: Promise<Answer>[] = [];
    for (const some of [stayed.slice(perBatch), stayed.slice(0, perBatch)]) {
      staying.push(...some.map((id) => note(ports, id)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const client = { isGone: false };
    const left = Array.from({ length: 100 }, newFileId);
    const leaving = left.map((id) => forClient(client, note, ports, id));
    client.isGone = true;
    proxy.hold(false);
    const served = await waitUntil('a call to be served', async () => {
      const answer = await note(ports);
      return answer.outcome === 'done' ? answer : undefined;
    });
    t.diagnostic(`served in ${Math.round(served.milliseconds)} ms after the recovery`);
    await Promise.all([...staying, ...leaving]);
    assert.equal(await ranOf(left), 0, 'calls ran although their client had left');
    const ran = await ranOf(ids);
    t.diagnostic(`${ran} of ${calls} refused calls ran after the recovery`);
    assert.ok(ran <= 2 * perBatch, 'only what had begun');
    await store.close();
    await direct.end();
    await proxy.close();
    await database.drop();
  });
});
