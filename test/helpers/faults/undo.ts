// Cleans up after a test, latest step first, even if a step fails, so that no failure leaves a process running.
import type { TestContext } from 'node:test';

export type Undo = (step: () => unknown) => void;

/** Call it once in a test. */
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
