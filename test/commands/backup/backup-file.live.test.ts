// A backup in one file: the tar program can open and create it, and a cut, changed or hostile file is refused.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fetchFile, type Kept, keepFile } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { enter } from '../../helpers/people/users.ts';
import { isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

describe('a backup in one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
  const path = join(folder, 'backup.tar');
  const disposals: (() => Promise<void>)[] = [];
  const keyed = { BACKUP_KEY: 'a key for the backups of this test' };
  const signed = join(folder, 'signed.tar');
  let phone = '';
  let source: TestEnv = {};
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
    kept = await keepFile(service.url, ann.JWT);
    const ran = await runCommand(['backup', 'create', '--to', path], env);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stdout, /backup\.tar: 1 user, 1 file \(/);
    const again = await runCommand(['backup', 'create', '--to', path], env);
    assert.match(again.stderr, /Name a new file/);
    await service.stop();
    source = env;
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

  it('restore says when its journal ends before the backup, and up to when it reaches otherwise', async () => {
    const journal = join(folder, 'journal.jsonl');
    const far = { kind: 'mark', at: Date.UTC(2100, 0, 1) };
    for (const [text, says] of [
      ['', /The journal ends before \d{4}-.*Z: it does not contain deletions after that\./],
      ['{"kind":"mark","at":1000}\n', /The journal ends before/],
      [`${JSON.stringify(far)}\n`, /The journal reaches to 2100-01-01T00:00:00\.000Z; deletions and blocks after that/],
    ] as const) {
      writeFileSync(journal, text);
      const ran = await runCommand(['restore', path, '--yes', '--journal', journal], await place());
      assert.equal(ran.code, 0, ran.stderr);
      assert.match(ran.stderr, says);
    }
    rmSync(journal);
  });

  it('a signed backup is accepted only with its key, and an unsigned one only without a key or with --unauthenticated', async () => {
    const made = await runCommand(['backup', 'create', '--db-only', '--to', signed], { ...source, ...keyed });
    assert.equal(made.code, 0, made.stderr);
    const other = { BACKUP_KEY: 'another key for the backups of others' };
    const env = await place();
    const previous = { ...other, BACKUP_KEY_PREVIOUS: keyed.BACKUP_KEY };
    for (const [words, settings, code, says] of [
      [['backup', 'verify', signed], keyed, 0, /Its MAC is right/],
      [['backup', 'verify', signed], previous, 0, /Its MAC is right/],
      [['backup', 'verify', signed], {}, 0, /MAC was not checked, because BACKUP_KEY is not set/],
      [['backup', 'verify', signed], other, 1, /made with another BACKUP_KEY/],
      [['backup', 'verify', path], keyed, 1, /has no MAC, so it may be forged/],
      [['backup', 'verify', path], {}, 0, /It has no MAC, so nothing shows whether it was changed\.\n/],
      [['backup', 'verify', path, '--unauthenticated'], keyed, 0, /It has no MAC/],
      [['restore', signed, '--yes'], env, 1, /Set the key that it was made with/],
      [['restore', signed, '--yes', '--unauthenticated'], { ...env, ...other }, 1, /made with another BACKUP_KEY/],
      [['restore', path, '--yes'], { ...env, ...keyed }, 1, /has no MAC, so it may be forged/],
      [['restore', path, '--yes', '--unauthenticated'], { ...env, ...keyed }, 0, /Restored as of/],
    ] as const) {
      const ran = await runCommand([...words], settings);
      assert.equal(ran.code, code, `${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
      assert.match(`${ran.stdout}${ran.stderr}`, says);
      assert.doesNotMatch(ran.stderr, /\n\s+at /);
    }
    rmSync(signed);
  });

  it('a backup and a journal say who signed them, and what is signed is never continued without a key', async () => {
    const [base, journal, next] = [join(folder, 'base'), join(folder, 'journal.jsonl'), join(folder, 'next')];
    const blank = { ...source, BACKUP_KEY: ' ' };
    const sinceBase = ['backup', 'create', '--to', next, '--since', base];
    const append = ['backup', 'journal', '--append', journal];
    const alone = { ...source, BACKUP_KEY_PREVIOUS: keyed.BACKUP_KEY };
    const isAlone =
      /^Database: .*\ngatehouse: BACKUP_KEY_PREVIOUS is set, and BACKUP_KEY is not: nothing would be signed\. Set BACKUP_KEY/;
    const isLost = (path: string) => new RegExp(`${path} is signed, and BACKUP_KEY is not set.*Set the key`);
    for (const [words, settings, code, says] of [
      [['backup', 'create', '--to', base], { ...source, ...keyed }, 0, /\nSigned with key [0-9a-f]{8}\.\n/],
      [append, { ...source, ...keyed }, 0, /Signed with key [0-9a-f]{8}\./],
      [sinceBase, blank, 1, isLost(base)],
      [append, blank, 1, isLost(journal)],
      [sinceBase, alone, 78, isAlone],
      [append, alone, 78, isAlone],
      [['backup', 'create', '--to', next], blank, 0, /\nNot signed, because BACKUP_KEY is not set\.\n/],
      [['backup', 'journal', '--append', join(next, '..', 'plain')], blank, 0, /Not signed, because BACKUP_KEY/],
      // Whoever changes the key continues with the new one.
      [append, { ...alone, BACKUP_KEY: 'the next key for the backups of it' }, 0, /Signed with key [0-9a-f]{8}\./],
    ] as const) {
      const ran = await runCommand([...words], settings);
      assert.equal(ran.code, code, `${words.join(' ')}: ${ran.stdout}${ran.stderr}`);
      assert.match(`${ran.stdout}${ran.stderr}`, says);
    }
    for (const name of ['base', 'next', 'plain', 'journal.jsonl']) rmSync(join(folder, name), { recursive: true });
  });

  it('nothing is written inside a backup, and a folder with a backup is answered with the name of one beside it', async () => {
    const monday = join(folder, 'monday');
    const create = (to: string) => runCommand(['backup', 'create', '--db-only', '--to', to], source);
    assert.equal((await create(monday)).code, 0);
    const again = await create(monday);
    assert.equal(again.code, 1);
    assert.match(again.stderr, new RegExp(`Name a new folder, for example ${folder}/\\$\\(date \\+%F\\)\\.`));
    for (const to of [join(monday, '2027-01-31'), join(monday, 'files', 'a', 'b'), join(monday, 'x.tar')]) {
      const inside = await create(to);
      assert.equal(inside.code, 1);
      assert.match(inside.stderr, /is inside the backup .*monday\. Name a place outside of it/);
    }
    const journal = await runCommand(['backup', 'journal', '--append', join(monday, 'journal.jsonl')], source);
    assert.match(journal.stderr, /is inside the backup .*monday\. Name a place outside of it/);
    assert.equal((await runCommand(['backup', 'verify', monday], {})).code, 0);
    const beside = await create(join(folder, '2027-01-31'));
    assert.equal(beside.code, 0, beside.stderr);
    for (const name of ['monday', '2027-01-31']) rmSync(join(folder, name), { recursive: true });
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
