// A data folder that is moved away under a running service makes it not ready, until it is back.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { watchDataDir } from '../../src/service/watch-data-dir.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('the data folder of a running service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
  after(() => rmSync(folder, { recursive: true }));

  const quick = { patienceMilliseconds: 20, restMilliseconds: 0 };

  it('is watched if it was there at the start', async () => {
    const dataDir = join(folder, 'data');
    await watchDataDir({ dataDir, databaseUrl: undefined })();
    mkdirSync(dataDir);
    // Patient: on a busy machine a check of a real folder takes longer than the patience of the other tests.
    const check = watchDataDir(
      { dataDir, databaseUrl: undefined },
      { patienceMilliseconds: 30_000, restMilliseconds: 0 },
    );
    await check();
    rmSync(dataDir, { recursive: true });
    await assert.rejects(check(), { code: 'DATA_DIR_AWAY', message: `${dataDir} is not at its place` });
  });

  it('is not taken for away by a disk that fails or hangs, and calls share one check', async () => {
    let touches = 0;
    let answer: () => Promise<void> = async () => undefined;
    const touch = () => {
      touches += 1;
      return answer();
    };
    const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    const check = watchDataDir({ dataDir: folder, databaseUrl: 'postgres://host/name' }, quick, touch);
    for (const code of ['EACCES', 'EIO', 'ESTALE']) {
      answer = fails(code);
      await check();
    }
    answer = fails('ENOTDIR');
    await assert.rejects(check(), { code: 'DATA_DIR_AWAY' });
    touches = 0;
    let end: () => void = () => undefined;
    answer = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    for (let probe = 0; probe < 5; probe += 1)
      await assert.rejects(check(), { code: 'DATA_DIR_AWAY' }, 'the last outcome counts');
    assert.equal(touches, 1);
    end();
    answer = async () => undefined;
    await waitUntil('it is back', () =>
      check().then(
        () => true,
        () => false,
      ),
    );
    const slow = watchDataDir({ dataDir: folder, databaseUrl: 'x' }, { ...quick, restMilliseconds: 60_000 }, touch);
    touches = 0;
    await Promise.all([slow(), slow()]);
    await slow();
    assert.equal(touches, 1);
  });

  it('makes the service not ready while it is elsewhere, also if there is a new folder of its name', async (test) => {
    const undo = undoAfter(test);
    const { env, dispose } = await isolatedEnv('sqlite');
    const { DATA_DIR = '' } = env;
    undo(dispose);
    const gatehouse = await startGatehouse(env);
    undo(gatehouse.stop);
    const ready = async () => {
      const response = await fetch(`${gatehouse.url}/readyz`);
      return [response.status, await response.text()];
    };
    const become = (what: string, expected: readonly unknown[]) =>
      waitUntil(what, async () => JSON.stringify(await ready()) === JSON.stringify(expected));
    assert.deepEqual(await ready(), [200, 'ok\n']);
    const elsewhere = join(folder, 'elsewhere');
    renameSync(DATA_DIR, elsewhere);
    const away = [503, 'store unavailable: DATA_DIR or the database in it is not at its place\n'];
    await become('it is noticed', away);
    mkdirSync(DATA_DIR);
    assert.deepEqual(await ready(), away);
    rmSync(DATA_DIR, { recursive: true });
    renameSync(elsewhere, DATA_DIR);
    await become('it is ready again', [200, 'ok\n']);
    assert.ok(!existsSync(elsewhere));
  });
});
