// Runs one operation and enforces its rule: an operation awaits only its transaction.
import type { Operation, Transaction } from './transaction.ts';

/**
 * Fails the operation as soon as it waits while no statement of its transaction is running. Later statements of the operation are
 * refused, because its transaction has ended. The check costs one tick per response of the database.
 *
 * A tick that a microtask requests runs after all other microtasks and before any timer or I/O. At that point an operation that
 * follows the rule has either ended or sent its next statement. If statements end at once, it has ended: one tick is enough.
 */
export function runOperation(
  name: string,
  { run }: Operation<unknown, unknown>,
  transaction: Transaction,
  inputs: readonly unknown[],
): Promise<unknown[]> {
  let isOver = false;
  let isCheckDue = false;
  let running = 0;
  return new Promise((resolve, reject) => {
    const end = () => {
      isOver = true;
    };
    const check = () => {
      isCheckDue = false;
      if (isOver || running > 0) return;
      end();
      reject(new Error(`operation ${name} broke the rule: an operation awaits only its transaction`));
    };
    const checkSoon = () => {
      if (isCheckDue) return;
      isCheckDue = true;
      queueMicrotask(() => process.nextTick(check));
    };
    const watch = async <T>(ask: () => Promise<T>): Promise<T> => {
      running += 1;
      try {
        return await ask();
      } finally {
        running -= 1;
        checkSoon();
      }
    };
    const guard = <T>(ask: () => Promise<T>): Promise<T> => {
      if (isOver)
        return Promise.reject(new Error(`operation ${name} used its transaction, but the transaction has ended`));
      return transaction.isImmediate ? ask() : watch(ask);
    };
    const guarded: Transaction = {
      ...transaction,
      all: (statement, args) => guard(() => transaction.all(statement, args)),
      run: (statement, args) => guard(() => transaction.run(statement, args)),
    };
    checkSoon();
    run(guarded, inputs).finally(end).then(resolve, reject);
  });
}
