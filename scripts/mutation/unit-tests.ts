// The tests that mutants are held against: unit tests of the domain, which can run again and again in one process.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Tests of other folders load the domain too, but prove something else. */
const domain = ['abuse', 'auth', 'files', 'http', 'kernel', 'media', 'messages', 'support', 'webhooks'];

/** `test/auth/sessions/session.test.ts` is the unit test of `src/auth/sessions/session.ts`. A test without such a source is no unit test. */
export function findUnitTests(root: string): string[] {
  return globSync(`test/{${domain.join(',')}}/**/*.test.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => existsSync(join(root, file.replace(/^test\//, 'src/').replace(/\.test\.ts$/, '.ts'))))
    .sort();
}
