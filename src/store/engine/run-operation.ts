// Runs one operation and holds it to its rule: an operation awaits only its transaction.
import type { Operation, Transaction } from './transaction.ts';

/**
 * Fails the operation as soon as it waits while no statement of its transaction is under way. Whatever the operation does later is
 * refused, because its transaction has ended by then. The check costs one tick for each answer of the database.
 *
 * A tick that is asked for by a microtask comes after every other microtask and before any timer, input or output. At that point an
 * operation that keeps the rule has either ended or sent its next statement.
 */
export function runOperation(
  name: string,
  { run }: Operation<unknown, unknown>,
  transaction: Transaction,
  inputs: readonly unknown[],
): Promise<unknown[]> {
  let isOver = false;
  let isCheckDue = false;
  let underWay = 0;
  return new Promise((resolve, reject) => {
    const end = () => {
      isOver = true;
    };
    const check = () => {
      isCheckDue = false;
      if (isOver || underWay > 0) return;
      end();
      reject(new Error(`operation ${name} broke the rule: an operation awaits only its transaction`));
    };
    const checkSoon = () => {
      if (isCheckDue) return;
      isCheckDue = true;
      queueMicrotask(() => process.nextTick(check));
    };
    const watch = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (isOver) throw new Error(`operation ${name} used its transaction, but the transaction has ended`);
      underWay += 1;
      try {
        return await ask();
      } finally {
        underWay -= 1;
        checkSoon();
      }
    };
    const watched: Transaction = {
      ...transaction,
      all: (statement, args) => watch(() => transaction.all(statement, args)),
      run: (statement, args) => watch(() => transaction.run(statement, args)),
    };
    checkSoon();
    run(watched, inputs).finally(end).then(resolve, reject);
  });
}
