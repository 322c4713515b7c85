// The tests that mutants are held against: unit tests of the domain, which can run again and again in one process.
import { globSync } from 'node:fs';

/** Tests of other folders load the domain too, but prove something else. */
const folders = ['abuse', 'auth', 'backup', 'files', 'http', 'kernel', 'media', 'messages', 'support', 'webhooks'];

/** `session.live.test.ts`, `users.contract.test.ts`: the middle word names another kind of test. */
const otherKind = /\.\w+\.test\.ts$/;

export function findUnitTests(root: string): string[] {
  return globSync(`test/{${folders.join(',')}}/**/*.test.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !otherKind.test(file))
    .sort();
}
