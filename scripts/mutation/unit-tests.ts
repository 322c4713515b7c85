// The tests that mutants are held against: unit tests of the domain, which can run again and again in one process.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Tests of other folders load the domain too, but prove something else. */
const domain = ['abuse', 'auth', 'backend/webhooks', 'files', 'http', 'kernel', 'messages', 'support'];

/**
 * `test/auth/sessions/session.test.ts` is the unit test of `src/auth/sessions/session.ts`, and `media/test/exif.test.ts` that of
 * `media/src/exif.ts`. A test without such a source is no unit test.
 */
export function findUnitTests(root: string): string[] {
  return globSync([`test/{${domain.join(',')}}/**/*.test.ts`, 'media/test/**/*.test.ts'], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => existsSync(join(root, file.replace(/^(media\/)?test\//, '$1src/').replace(/\.test\.ts$/, '.ts'))))
    .sort();
}
