// Little memory: near the real need everything works, and if the kernel kills the service, nothing is lost. Long form only.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { digest, uploadSound } from '../helpers/faults/lives.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { newPhone, signIn } from '../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../helpers/services/gatehouse.ts';
import { wavFile } from '../helpers/uploads/sample-files.ts';
import { openCrashRig } from './rig/crash-rig.ts';
import { limitMemory, type MemoryLimit } from './rig/memory-limit.ts';

const mebibytes = 256;
const fileBytes = 16 * 2 ** 20;
const uploadsAtOnce = 12;

describe('a service with little memory', { skip: factor === 1 && 'takes a minute: npm run faults' }, () => {
  it('a service with 256 MiB of memory takes and serves large files of many clients at once', async (test) => {
    const undo = undoAfter(test);
    const limit = limitMemory(mebibytes);
    if (limit === undefined) return test.skip('no control group can be created here');
    undo(limit.remove);
    const { env, dispose } = await isolatedEnv('sqlite', { TRASH_LIFE: '0' });
    undo(dispose);
    const service = await spawnGatehouse(env, limit.within);
    undo(() => service.stop('SIGKILL'));
    const { JWT } = await signIn(service.url, newPhone());
    const sha256 = digest(wavFile(fileBytes));
    await Promise.all(
      Array.from({ length: uploadsAtOnce }, async (_, index) => {
        const reply = await uploadSound(service.url, JWT, `key-${index}`, fileBytes);
        assert.equal(outcomeOf(reply), '201');
        const file = await fetch(`${service.url}${reply.body.data.url}`, {
          headers: { authorization: `Bearer ${JWT}` },
        });
        assert.equal(digest(new Uint8Array(await file.arrayBuffer())), sha256);
      }),
    );
    assert.equal(service.child.exitCode, null);
    const written = (uploadsAtOnce * fileBytes) / 2 ** 20;
    test.diagnostic(
      `${written} MiB up and down at once within ${mebibytes} MiB for heap, code and file cache together`,
    );
  });

  it('a service that the kernel kills for lack of memory loses no acknowledged step', async (test) => {
    const undo = undoAfter(test);
    const limit = limitMemory(mebibytes);
    if (limit === undefined) return test.skip('no control group can be created here');
    undo(limit.remove);
    const rig = await openCrashRig('sqlite', {}, limit.within);
    undo(rig.dispose);
    for (let round = 0; round < rounds(1); round++) {
      await rig.strike(async ({ child }) => {
        const ended = child.signalCode === null ? once(child, 'exit') : Promise.resolve();
        const glutton = eatAll(limit);
        await Promise.race([ended, once(glutton, 'exit')]);
        assert.equal(child.signalCode, 'SIGKILL');
        if (glutton.exitCode !== null || glutton.signalCode !== null) return;
        glutton.kill('SIGKILL');
        await once(glutton, 'exit');
      });
    }
    test.diagnostic(await rig.finish());
  });
});

/** Another process under the same limit takes all the memory. The kernel kills the service before it. */
function eatAll({ within }: MemoryLimit): ChildProcess {
  const [shell = 'sh', ...rest] = within;
  const eat = 'const held = []; for (;;) held.push(Buffer.alloc(2 ** 20, 1));';
  const later = ['sh', '-c', 'echo 0 > /proc/self/oom_score_adj; exec "$@"', 'sh'];
  return spawn(shell, [...rest, ...later, process.execPath, '-e', eat], { stdio: 'ignore' });
}
