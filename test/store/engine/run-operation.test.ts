// An operation awaits only its transaction: anything else ends it by name, and its transaction serves it no more.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runOperation } from '../../../src/store/engine/run-operation.ts';
import { sql } from '../../../src/store/engine/sql.ts';
import { statement } from '../../../src/store/engine/statement.ts';
import type { Transaction } from '../../../src/store/engine/transaction.ts';

const select = statement<never>(() => sql`select 1`);

/** Answers after a turn of the event loop, as a database does. */
function createTransaction() {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const transaction: Transaction = {
    dialect: 'sqlite',
    reads: false,
    endpoints: ['endpoint'],
    all: async () => {
      await answer();
      return [];
    },
    run: answer,
  };
  return { transaction, asked: () => asked };
}

type Run = (transaction: Transaction, inputs: readonly unknown[]) => Promise<unknown[]>;

const go = (run: Run, inputs: readonly unknown[] = [1]) => {
  const { transaction, asked } = createTransaction();
  return { result: runOperation('name', { run }, transaction, inputs), asked };
};

describe('an operation', () => {
  it('gets its inputs and what else the transaction says, and returns its outputs', async () => {
    const { result } = go(async ({ endpoints, dialect }, inputs) => [inputs, endpoints, dialect], [1, 2]);
    assert.deepEqual(await result, [[1, 2], ['endpoint'], 'sqlite']);
  });

  it('may await statements one after the other and together, and promises of its own between them', async () => {
    const { result, asked } = go(async (transaction) => {
      await transaction.run(select, {});
      await Promise.resolve();
      await Promise.all([transaction.all(select, {}), transaction.run(select, {})]);
      for (let step = 0; step < 50; step++) await Promise.resolve();
      await transaction.run(select, {});
      return ['done'];
    });
    assert.deepEqual(await result, ['done']);
    assert.equal(asked(), 4);
  });

  for (const [what, wait] of [
    ['a turn of the event loop', () => new Promise((resolve) => setImmediate(resolve))],
    ['a timer', () => new Promise((resolve) => setTimeout(resolve, 1))],
    ['a tick', () => new Promise((resolve) => process.nextTick(resolve))],
    ['nothing that ever comes', () => new Promise(() => undefined)],
  ] as [string, () => Promise<unknown>][]) {
    it(`that awaits ${what} fails by name, at its start and between statements`, async () => {
      const broken = /operation name broke the rule/;
      await assert.rejects(go(async () => [await wait()]).result, broken);
      const between = go(async (transaction) => {
        await transaction.run(select, {});
        return [await wait()];
      });
      await assert.rejects(between.result, broken);
    });
  }

  it('that broke the rule cannot use its transaction afterwards', async () => {
    const late = Promise.withResolvers<unknown>();
    const { result, asked } = go(async (transaction) => {
      await new Promise((resolve) => setImmediate(resolve));
      transaction.run(select, {}).then(() => late.resolve('written'), late.resolve);
      return [];
    });
    await assert.rejects(result, /broke the rule/);
    assert.match(String(await late.promise), /the transaction has ended/);
    assert.equal(asked(), 0);
  });

  it('that has returned cannot use its transaction afterwards', async () => {
    let kept: Transaction | undefined;
    await go(async (transaction) => {
      kept = transaction;
      return [];
    }).result;
    await assert.rejects(kept?.run(select, {}) ?? assert.fail(), /the transaction has ended/);
  });

  it('that throws passes its error on', async () => {
    await assert.rejects(go(async () => Promise.reject(new Error('mine'))).result, /mine/);
    const later = go(async (transaction) => {
      await transaction.run(select, {});
      throw new Error('later');
    });
    await assert.rejects(later.result, /later/);
  });

  it('may await a statement while it does something else meanwhile', async () => {
    const { result } = go(async (transaction) => {
      await Promise.all([transaction.run(select, {}), new Promise((resolve) => process.nextTick(resolve))]);
      return ['done'];
    });
    assert.deepEqual(await result, ['done']);
  });
});
