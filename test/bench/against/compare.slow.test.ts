// The comparison with a commit, once with real services: it finds a slower program, names what is slower, and leaves nothing behind.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url).pathname;
const isRepository = succeeds(() => worktrees());

/** Some hundred microseconds for every request. */
const busyLoop = `
  const { Server } = require('node:http');
  const { emit } = Server.prototype;
  globalThis.waste = 0;
  Server.prototype.emit = function (name, ...values) {
    if (name === 'request') for (let step = 0; step < 500_000; step++) globalThis.waste += Math.sqrt(step);
    return emit.call(this, name, ...values);
  };
`;

describe('npm run bench -- --against', { skip: isRepository ? false : 'needs a repository' }, () => {
  it('exits with 1 and names the workload if every request wastes time, and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    try {
      const planted = join(folder, 'busy-loop.cjs');
      writeFileSync(planted, busyLoop);
      const windows = ['--rounds', '1', '--seconds', '0.3', '--warm-up', '0.3'];
      const args = ['--against', 'HEAD', 'live', ...windows, `--with-flags=--require ${planted}`];
      const child = spawn(process.execPath, ['bench/run.ts', ...args], {
        cwd: root,
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert.equal(await ended, 1, printed + complaints);
      assert.match(printed, /^\| live \|.*measured again: ✖ \|$/m);
      assert.match(printed, /more expensive than at [\da-f]+: live$/m);
      assert.ok(!worktrees().includes(folder));
      assert.deepEqual(readdirSync(folder), ['busy-loop.cjs']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function worktrees(): string {
  return execFileSync('git', ['worktree', 'list'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
