// An import of many users that is killed, goes on and is repeated: nothing is lost or doubled, and memory stays bounded.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { importedPhone, writeFirebaseFile } from '../../helpers/imports/firebase-file.ts';
import { readPeakMebibytes } from '../../helpers/imports/peak-memory.ts';
import { run } from '../../helpers/services/command-line.ts';
import { isolatedEnv, spawnCommand, spawnMain, storeKinds } from '../../helpers/services/gatehouse.ts';
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
      assert.equal(await spawnMain([...words, '--resume'], env).ended, 0);
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
      await dispose();
    });
  }
});

describe('the memory of an import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const kind of storeKinds) {
    const peakOf = async (file: string, from: string) => {
      const { env, dispose } = await isolatedEnv(kind);
      assert.equal((await run(env, 'migrate', 'up')).code, 0);
      const { child, ended, output } = spawnCommand(['import', 'users', '--from', from, file], env);
      const peak = readPeakMebibytes(child.pid ?? 0);
      assert.equal(await ended, 0, output().stderr);
      await dispose();
      return peak();
    };

    it(`on ${kind}, it is the same for three times as many users, and at most ${mostMebibytes} MiB`, async () => {
      const peaks: number[] = [];
      for (const count of [30_000, 90_000]) {
        const file = join(folder, `${kind}-${count}.json`);
        await writeFirebaseFile(file, count);
        peaks.push(await peakOf(file, 'firebase'));
      }
      const [few = 0, many = 0] = peaks;
      assert.ok(few > 0 && many <= mostMebibytes && many - few <= 25, `${few} MiB, then ${many} MiB`);
    });

    it(`on ${kind}, users with as much data as they may have need at most ${mostMebibytes} MiB`, async () => {
      const file = join(folder, `${kind}-large.jsonl`);
      const data = (bytes: number) => ({ text: 'ü'.repeat((bytes - 11) / 2) });
      const lines = Array.from({ length: 4000 }, (_, at) =>
        JSON.stringify({
          phone: importedPhone(at),
          claims: data(1023),
          metadata: { public: data(4095), private: data(4095) },
        }),
      );
      writeFileSync(file, lines.join('\n'));
      const peak = await peakOf(file, 'jsonl');
      assert.ok(peak > 0 && peak <= mostMebibytes, `${peak} MiB`);
    });
  }
});
