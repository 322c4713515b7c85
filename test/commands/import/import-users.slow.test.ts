// An import of many users that is killed, goes on and is repeated: nothing is lost or doubled, and memory stays bounded.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { run } from '../../helpers/command-line.ts';
import { isolatedEnv, spawnMain, storeKinds } from '../../helpers/gatehouse.ts';
import { writeFirebaseFile } from '../../helpers/imports/firebase-file.ts';
import { readPeakMebibytes } from '../../helpers/imports/peak-memory.ts';
import { askStore } from '../../helpers/raw-store.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const users = 20_000;
const mostMebibytes = 200;

describe('an import of 20,000 users', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const kind of storeKinds) {
    it(`on ${kind}, it survives kill -9 at any commit, goes on, and changes nothing when it is repeated`, async () => {
      const { env, dispose } = await isolatedEnv(kind);
      const file = join(folder, `${kind}.json`);
      const state = `${file}.report.jsonl.state`;
      const words = ['import', 'users', '--from', 'firebase', file];
      const doneRecords = () => Number(JSON.parse(readFileSync(state, 'utf8')).done.records);
      await writeFirebaseFile(file, users);
      assert.equal((await run(env, 'migrate', 'up')).code, 0);
      let done = 0;
      for (const place of [1, 4000, 8000]) {
        const { child, ended } = spawnMain([...words, ...(done === 0 ? [] : ['--resume'])], env);
        await waitUntil(`${place} records are done`, async () => existsSync(state) && doneRecords() >= place);
        child.kill('SIGKILL');
        await ended;
        done = doneRecords();
        const [row] = await askStore(env, 'select count(*) as users from users');
        // The commit before its place was written is repeated. It is one batch.
        assert.ok(Number(row?.users) >= done && Number(row?.users) <= done + 1000, `${row?.users} users, ${done} done`);
      }
      const { child, ended } = spawnMain([...words, '--resume'], env);
      const peak = readPeakMebibytes(child.pid ?? 0);
      assert.equal(await ended, 0);
      const tables = async () => [
        await askStore(env, 'select * from users order by id'),
        await askStore(env, 'select * from audit_events order by id'),
      ];
      const before = await tables();
      assert.equal(before[0]?.length, users);
      assert.equal(new Set(before[0]?.map(({ external_id }) => external_id)).size, users);
      const remarks = readFileSync(`${file}.report.jsonl`, 'utf8').split('\n').slice(1, -2);
      assert.equal(new Set(remarks).size, users / 2);
      assert.equal(remarks.length, users / 2);
      const again = await run(env, ...words, '--json');
      assert.equal(again.data.unchanged, users);
      assert.deepEqual(await tables(), before);
      const mebibytes = peak();
      assert.ok(mebibytes > 0 && mebibytes <= mostMebibytes, `${mebibytes} MiB`);
      await dispose();
    });
  }
});
