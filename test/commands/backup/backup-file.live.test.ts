// A backup in one file: the tar program can open and create it, and a cut, changed or hostile file is refused.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fetchFile, type Kept, upload } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/gatehouse.ts';
import { enter } from '../../helpers/users.ts';

describe('a backup in one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
  const path = join(folder, 'backup.tar');
  const disposals: (() => Promise<void>)[] = [];
  let phone = '';
  let kept: Kept;
  const place = async (): Promise<TestEnv> => {
    const { env, dispose } = await isolatedEnv('sqlite');
    disposals.push(dispose);
    return env;
  };

  before(async () => {
    const env = await place();
    const service = await spawnGatehouse(env);
    const ann = await enter(service.url);
    phone = ann.phone;
    kept = await upload(service.url, ann.JWT);
    const ran = await runCommand(['backup', 'create', '--to', path], env);
    assert.equal(ran.code, 0, ran.stderr);
    const again = await runCommand(['backup', 'create', '--to', path], env);
    assert.match(again.stderr, /Name a new file/);
    await service.stop();
  });
  after(async () => {
    for (const dispose of disposals) await dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a backup in one file is restored and leaves no other file in its folder', async () => {
    assert.deepEqual(readdirSync(folder), ['backup.tar']);
    const verified = await runCommand(['backup', 'verify', path], {});
    assert.equal(verified.code, 0, verified.stderr);
    const env = await place();
    const ran = await runCommand(['restore', path, '--yes'], env);
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(readdirSync(folder), ['backup.tar']);
    const service = await spawnGatehouse(env);
    const { JWT } = await enter(service.url, phone);
    assert.deepEqual(await fetchFile(service.url, JWT, kept.id), kept.bytes);
    await service.stop();
  });

  it('a backup in one file can be unpacked and packed with the tar program', async () => {
    const unpacked = join(folder, 'by-hand');
    execFileSync('mkdir', [unpacked]);
    execFileSync('tar', ['-xf', path, '-C', unpacked]);
    assert.equal((await runCommand(['backup', 'verify', unpacked], {})).code, 0);
    const repacked = join(folder, 'repacked.tar');
    execFileSync('tar', ['-cf', repacked, '-C', unpacked, '.']);
    const verified = await runCommand(['backup', 'verify', repacked], {});
    assert.equal(verified.code, 0, verified.stderr);
  });

  it('a backup file that is cut off, changed, or has a path outside its folder is refused', async () => {
    const whole = readFileSync(path);
    const bad = join(folder, 'bad.tar');
    writeFileSync(bad, whole.subarray(0, whole.length - 2000));
    assert.equal((await runCommand(['backup', 'verify', bad], {})).code, 1);
    const at = whole.indexOf(kept.bytes);
    writeFileSync(bad, Buffer.concat([whole.subarray(0, at), Buffer.from('X'), whole.subarray(at + 1)]));
    const changed = await runCommand(['backup', 'verify', bad], {});
    assert.match(changed.stdout, /missing or damaged/);
    writeFileSync(join(folder, 'outside'), 'x');
    execFileSync('tar', ['-cPf', bad, '-C', join(folder, 'by-hand'), '../outside']);
    rmSync(join(folder, 'outside'));
    const hostile = await runCommand(['backup', 'verify', bad], {});
    assert.match(hostile.stderr, /is not a backup/);
    assert.ok(!existsSync(join(folder, 'outside')));
  });
});
