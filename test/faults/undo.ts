// Takes down what a test has put up, the latest first, whatever fails on the way; so no failure leaves a process behind.
import type { TestContext } from 'node:test';

export type Undo = (step: () => unknown) => void;

/** To be called once in a test. */
export function undoAfter(test: TestContext): Undo {
  const steps: (() => unknown)[] = [];
  test.after(async () => {
    const failures: unknown[] = [];
    for (const step of steps.reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
  return (step) => void steps.push(step);
}
