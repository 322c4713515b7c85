// A data folder that is moved away under a running service makes it not ready, until it is back.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { watchDataDir } from '../../src/app/watch-data-dir.ts';
import { isolatedEnv, startGatehouse } from '../helpers/gatehouse.ts';

describe('the data folder of a running service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is watched if it was there at the start', async () => {
    const dataDir = join(folder, 'data');
    await watchDataDir({ dataDir, databaseUrl: undefined })();
    mkdirSync(dataDir);
    const check = watchDataDir({ dataDir, databaseUrl: undefined });
    await check();
    rmSync(dataDir, { recursive: true });
    await assert.rejects(check(), { code: 'DATA_DIR_AWAY', message: `${dataDir} is not at its place` });
  });

  it('makes the service not ready while it is elsewhere, also if there is a new folder of its name', async () => {
    const { env, dispose } = await isolatedEnv('sqlite');
    const { DATA_DIR = '' } = env;
    const gatehouse = await startGatehouse(env);
    const ready = async () => {
      const response = await fetch(`${gatehouse.url}/readyz`);
      return [response.status, await response.text()];
    };
    assert.deepEqual(await ready(), [200, 'ok\n']);
    const elsewhere = join(folder, 'elsewhere');
    renameSync(DATA_DIR, elsewhere);
    const away = [503, 'store unavailable: DATA_DIR or the database in it is not at its place\n'];
    assert.deepEqual(await ready(), away);
    mkdirSync(DATA_DIR);
    assert.deepEqual(await ready(), away);
    rmSync(DATA_DIR, { recursive: true });
    renameSync(elsewhere, DATA_DIR);
    assert.deepEqual(await ready(), [200, 'ok\n']);
    await gatehouse.stop();
    await dispose();
    assert.ok(!existsSync(elsewhere));
  });
});
