// The guides name the command as it works after npm ci: npx gatehouse.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url).pathname;
const guides = globSync(
  ['docs/*.md', 'client/README.md', 'examples/**/README.md', 'CONTRIBUTING.md', 'deploy/**/*.md'],
  {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  },
);

describe('the command in the guides', () => {
  it('the guides write npx gatehouse in every block of commands, and never npm run gatehouse', () => {
    assert.ok(guides.length > 20);
    let found = 0;
    for (const path of guides) {
      const text = readFileSync(`${root}${path}`, 'utf8');
      assert.ok(!text.includes('npm run gatehouse'), path);
      for (const [, block = ''] of text.matchAll(/^ *```sh\n(.*?)^ *```/gms)) {
        for (const line of block.split('\n')) {
          assert.doesNotMatch(line, /(?:^|&&|\|)\s*gatehouse [a-z]/, path);
          if (/^\s*npx gatehouse [a-z]/.test(line)) found += 1;
        }
      }
    }
    assert.ok(found > 20, String(found));
  });

  it('npx gatehouse runs the command of this project', async () => {
    const { stdout } = await promisify(execFile)('npx', ['gatehouse', '--version'], { cwd: root });
    assert.equal(
      stdout.trim(),
      (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }).version,
    );
  });
});
