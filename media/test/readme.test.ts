// The example of the README runs as it stands, with the names that the package exports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

it('the example of the README proves a picture and plans what to remove', () => {
  const [, code = ''] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
  const picture = fileURLToPath(new URL('fixtures/pictures/sharp-from-a-phone.jpg', import.meta.url));
  const args = ['--no-warnings', '--input-type=module-typescript', '--eval', code, picture];
  const said = execFileSync(process.execPath, args, {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    encoding: 'utf8',
  });
  assert.match(said, /kind: 'proved'/);
  assert.match(said, /type: 'image\/jpeg'/);
  assert.match(said, /from: 0/);
});
