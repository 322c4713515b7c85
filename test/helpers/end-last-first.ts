// What a test has started, ended in the reverse order: a service before its folder and its database. Hooks of a test run in the order of their registration.
import type { TestContext } from 'node:test';

export function endLastFirst(context: TestContext): (end: () => unknown) => void {
  const ends: (() => unknown)[] = [];
  context.after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return (end) => ends.push(end);
}
