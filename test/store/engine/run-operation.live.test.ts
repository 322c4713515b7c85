// An operation may await only its transaction. One that awaits anything else fails, writes nothing, and affects no other call.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { insert } from '../../../src/store/engine/rows.ts';
import { createStoreMeter } from '../../../src/store/engine/store-meter.ts';
import type { Transaction } from '../../../src/store/engine/transaction.ts';
import { operations } from '../../../src/store/operations/all.ts';
import { createSqliteClient } from '../../../src/store/sqlite/sqlite-client.ts';
import { serveDatabase } from '../../../src/store/sqlite/sqlite-server.ts';
import type { Store } from '../../../src/store/store.ts';
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import { type EmptyDatabase, openTestStore } from '../../helpers/store/test-store.ts';

type Call = Store['call'];

/** Real waits of each kind: a turn of the event loop, a timer, input and output, a tick. */
const waits: Readonly<Record<string, () => Promise<unknown>>> = {
  'a turn of the event loop': () => nextTurn(),
  'a timer': () => sleep(20),
  'a file': () => import('node:fs/promises').then(({ stat }) => stat(import.meta.filename)),
  'a tick': () => new Promise((resolve) => process.nextTick(resolve)),
};

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`an operation on ${kind} that awaits more than its transaction`, () => {
    for (const [what, wait] of Object.entries(waits)) {
      it(`an operation that awaits ${what} fails with its name, writes nothing, and other calls succeed`, async (test) => {
        const { call, receipts } = await openHere(test, kind);
        const late: unknown[] = [];
        breakRule(test, wait, late);
        const broken = call('installations.claim', { id: 'first', now: 1 });
        // One in the same batch, and one that arrives while the broken operation waits.
        const beside = call('journal.tryWriting', null);
        await Promise.resolve();
        const meanwhile = nextTurn().then(() => call('audit.record', { kind: 'storage.adopted', detail: {}, now: 1 }));
        await assert.rejects(broken, /installations\.claim.*awaits only its transaction/s);
        await Promise.all([beside, meanwhile]);
        while (late.length === 0) await sleep(1);
        assert.match(String(late[0]), /transaction has ended/);
        assert.deepEqual(await receipts(), []);
        assert.equal(await call('installations.find', null), undefined);
        await call('journal.tryWriting', null);
      });
    }

    it('in a batch, only the operation that awaits more than its transaction fails', async (test) => {
      const { call, receipts } = await openHere(test, kind);
      breakRule(test, () => nextTurn(), []);
      const calls = ['first', 'good', 'fine'].map((id) => call('installations.claim', { id, now: 1 }));
      const all = await Promise.allSettled(calls);
      assert.deepEqual(
        all.map(({ status }) => status),
        ['rejected', 'fulfilled', 'fulfilled'],
      );
      assert.deepEqual(await receipts(), ['fine 1', 'fine 2', 'good 1', 'good 2']);
    });
  });
}

/** Writes before and after it waits if its input is `first`, and records the result of the late write. */
function breakRule({ mock }: TestContext, wait: () => Promise<unknown>, late: unknown[]): void {
  const run = async (transaction: Transaction, inputs: readonly { id: string }[]) => {
    for (const { id } of inputs) {
      await insert(transaction, 'receipts', [{ id: `${id} 1`, sweep_at: kept }]);
      if (id === 'first') await wait();
      await insert(transaction, 'receipts', [{ id: `${id} 2`, sweep_at: kept }]).catch((error: unknown) => {
        late.push(error);
        throw error;
      });
    }
    if (inputs.some(({ id }) => id === 'first')) late.push('written');
    return inputs.map(({ id }) => id);
  };
  mock.method(operations['installations.claim'], 'run', run);
}

/** Marks the receipts of this suite: PostgreSQL has one for each transaction. */
const kept = 4_000_000_000_000;

/** A store whose operations run on this thread, where a test can change them. */
async function openHere(test: TestContext, kind: StoreKind) {
  const opened = await openTestStore(kind);
  const { call, end } = kind === 'sqlite' ? serveHere(opened) : { call: opened.store.call, end: async () => undefined };
  test.after(async () => {
    await end();
    await opened.end();
  });
  const chosen = `select id from receipts where sweep_at = ${kept} order by id`;
  return { call, receipts: async () => (await opened.query(chosen)).map(({ id }) => id) };
}

function serveHere({ address }: EmptyDatabase): { call: Call; end(): Promise<void> } {
  const { port1, port2 } = new MessageChannel();
  serveDatabase(port2, address, [], createStoreMeter());
  const { send } = createSqliteClient(port1, () => undefined);
  return {
    call: send as Call,
    end: async () => {
      await send('$close', null);
      port1.close();
    },
  };
}
