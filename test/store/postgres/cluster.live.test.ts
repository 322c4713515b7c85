// What a node keeps of its PostgreSQL over restarts: a database of another installation changes nothing, and a damaged file is reported and repaired.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { memoryFile } from '../../../src/store/postgres/cluster-memory.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { isolatedEnv, spawnMain, startGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

const adopt = ['database', 'adopt', '--reason', 'a test', '--yes', '--json'];

describe('what a node remembers of its PostgreSQL', () => {
  let own: { env: TestEnv; dispose(): Promise<void> };
  let foreign: { env: TestEnv; dispose(): Promise<void> };
  let file: string;
  before(async () => {
    [own, foreign] = await Promise.all([isolatedEnv('postgres'), isolatedEnv('postgres')]);
    file = memoryFile(own.env.DATA_DIR ?? '');
    for (const { env } of [own, foreign]) await (await startGatehouse(env)).stop();
  });
  after(() => Promise.all([own.dispose(), foreign.dispose()]));
  const startFails = async (env: TestEnv) => {
    const { ended, output } = spawnMain(['serve'], env);
    assert.equal(await ended, 78, output().stderr);
    return output().stderr;
  };
  const startsAndStops = async (env: TestEnv) => (await startGatehouse(env)).stop();

  it('the first start keeps the cluster and the installation', () => {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    assert.match(kept.system, /^\d+$/);
    assert.match(kept.installation, /^ins_/);
  });

  it('an adopted database of another installation is refused, and the right one is used afterwards', async () => {
    const kept = readFileSync(file, 'utf8');
    const adopted = await runCommand(adopt, foreign.env);
    assert.equal(adopted.code, 0, adopted.stderr);
    const wrong = { ...own.env, DATABASE_URL: foreign.env.DATABASE_URL ?? '' };
    assert.match(await startFails(wrong), /database of another installation.*correct DATABASE_URL.*storage adopt/s);
    assert.equal(readFileSync(file, 'utf8'), kept);
    await startsAndStops(own.env);
  });

  it('a node that remembers nothing yet asks the storage, and refuses such a database too', async () => {
    const kept = readFileSync(file, 'utf8');
    rmSync(file);
    const wrong = { ...own.env, DATABASE_URL: foreign.env.DATABASE_URL ?? '' };
    assert.match(await startFails(wrong), /database of another installation.*storage adopt/s);
    await startsAndStops(own.env);
    assert.equal(readFileSync(file, 'utf8'), kept);
  });

  it('a database and a storage that an operator joined anew are followed', async () => {
    const wrong = { ...own.env, DATABASE_URL: foreign.env.DATABASE_URL ?? '' };
    const joined = await runCommand(['storage', 'adopt', '--reason', 'a test', '--yes', '--json'], wrong);
    assert.equal(joined.code, 0, joined.stderr);
    await startsAndStops(wrong);
    const { installation } = JSON.parse(joined.stdout);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).installation, installation);
    assert.match(await startFails(own.env), /another installation|an operator has decided/);
    const back = await runCommand(['storage', 'adopt', '--reason', 'a test', '--yes'], own.env);
    assert.equal(back.code, 1, 'the later decision was for the other database');
    assert.equal((await runCommand(adopt, own.env)).code, 0);
    assert.equal((await runCommand(['storage', 'adopt', '--reason', 'a test', '--yes'], own.env)).code, 0);
    await startsAndStops(own.env);
  });

  it('a damaged file is named by the start and the doctor, and written anew by an adoption', async () => {
    writeFileSync(file, '{"system":');
    const message = await startFails(own.env);
    assert.match(message, /database-cluster\.json in DATA_DIR is damaged.*gatehouse database adopt/);
    assert.doesNotMatch(message, /\n\s+at /);
    const doctor = await runCommand(['doctor'], own.env);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /database-cluster\.json is damaged/);
    assert.equal((await runCommand(['migrate', 'status'], own.env)).code, 0);
    const adopted = await runCommand(adopt, own.env);
    assert.equal(adopted.code, 0, adopted.stderr);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).adoptedAt, JSON.parse(adopted.stdout).adoptedAt);
    await startsAndStops(own.env);
  });
});
