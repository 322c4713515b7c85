// Backups in a bucket: sealed, shared between backups, continued after an interruption, read back whole, and removed with care.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { makeFolder } from '../../helpers/blobs/blobs.ts';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { deleteFile, fetchFile, type Kept, keepFile } from '../../helpers/commands/busy-users.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { enter } from '../../helpers/people/users.ts';
import { isolatedEnv, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

const denied = { kind: 'status', status: 403, code: 'AccessDenied' } as const;

describe('backups in a bucket', () => {
  const disposals: (() => Promise<void>)[] = [];
  const BACKUP_KEY = 'the key of the backups of this test';
  let server: S3Server;
  let env: TestEnv = {};
  let phone = '';
  const kept: Kept[] = [];

  const place = async (more: TestEnv = {}): Promise<TestEnv> => {
    const made = await isolatedEnv('sqlite');
    disposals.push(made.dispose);
    return {
      ...made.env,
      BACKUP_URL: server.url({ query: 'region=eu-test-1&tls=0&prefix=kept/' }),
      BACKUP_KEY,
      ...more,
    };
  };
  const serve = async (its: TestEnv) => {
    const service = await spawnGatehouse(its);
    disposals.push(async () => void (await service.stop()));
    return service;
  };
  const run = (...args: string[]) => runCommand(args, env);
  const keysOf = (beginning: string) => [...server.objects.keys()].filter((key) => key.startsWith(`kept/${beginning}`));
  const puts = () => server.seen.filter(({ method, path }) => method === 'PUT' && path.includes('/objects/')).length;

  before(async () => {
    server = await startS3Server();
    env = await place();
    const service = await serve(env);
    const ann = await enter(service.url);
    phone = ann.phone;
    for (const bytes of [undefined, Buffer.from(`large,file\n${randomBytes(100_000).toString('hex')},1\n`)])
      kept.push(await keepFile(service.url, ann.JWT, bytes));
    await service.stop();
    const made = await run('backup', 'create', '--to', 's3:one');
    assert.equal(made.code, 0, made.stderr);
    assert.match(
      made.stdout,
      /^s3:one: 1 user, 2 files \(.*\), of which 2 \(.*\) are new\nSigned with key [0-9a-f]{8}\./,
    );
  });
  afterEach(() => server.faults.clear());
  after(async () => {
    await server.stop();
    for (const dispose of disposals.toReversed()) await dispose();
  });

  it('a whole backup comes back with its files, without the folder that it was made from', async () => {
    const verified = await run('backup', 'verify', 's3:one');
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /The backup is complete. Its MAC is right/);
    const target = await place();
    const restored = await runCommand(['restore', 's3:one', '--yes'], target);
    assert.equal(restored.code, 0, restored.stderr);
    const service = await serve(target);
    const { JWT } = await enter(service.url, phone);
    for (const { id, bytes } of kept) assert.deepEqual(await fetchFile(service.url, JWT, id), bytes);
    await service.stop();
    for (const { DATA_DIR = '' } of [env, target])
      assert.deepEqual(
        readdirSync(join(DATA_DIR, 'backup-work')).filter((name) => name !== 'spool'),
        [],
      );
  });

  it('the bucket shows neither content nor hashes nor ids', async () => {
    const all = [...server.objects].map(([key, { bytes }]) => `${key} ${bytes.toString('latin1')}`).join('\n');
    for (const { id, bytes } of kept)
      for (const secret of [id, bytes.toString('latin1', 0, 12)]) assert.equal(all.includes(secret), false);
    assert.equal(all.includes(phone), false);
    assert.deepEqual(keysOf('backups/'), ['kept/backups/one']);
    assert.deepEqual(keysOf('claims/'), []);
  });

  it('a second backup sends only what is new, and its name is not used twice', async () => {
    server.seen = [];
    const made = await run('backup', 'create', '--to', 's3:two');
    assert.match(made.stdout, /of which 0 \(0 bytes\) are new/);
    // The rows have changed: the first backup is in the audit log. The list of files is the same.
    assert.equal(puts(), 1);
    const again = await run('backup', 'create', '--to', 's3:two');
    assert.deepEqual([again.code, /There is a backup s3:two already/.test(again.stderr)], [1, true]);
  });

  it('what was interrupted is continued by the same command: what has arrived is not sent again', async () => {
    server.objects.clear();
    server.faults.add('PUT', { kind: 'slow first byte', milliseconds: 0 }, 3);
    server.faults.add('PUT', denied);
    const broken = await run('backup', 'create', '--to', 's3:three');
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /AccessDenied/);
    const arrived = keysOf('objects/').length;
    assert.ok(arrived > 0);
    assert.deepEqual(keysOf('backups/'), []);
    server.faults.clear();
    server.seen = [];
    const made = await run('backup', 'create', '--to', 's3:three');
    assert.equal(made.code, 0, made.stderr);
    assert.equal(puts(), keysOf('objects/').length - arrived);
    assert.equal((await run('backup', 'verify', 's3:three')).code, 0);
  });

  it('a backup whose index did not arrive is finished as of its own moment', async () => {
    server.faults.add('PUT', { kind: 'slow first byte', milliseconds: 0 }, 2);
    server.faults.add('PUT', denied);
    assert.equal((await run('backup', 'create', '--to', 's3:four')).code, 1);
    const before = new Date().toISOString();
    server.faults.clear();
    server.seen = [];
    const made = await run('backup', 'create', '--to', 's3:four');
    assert.equal(made.code, 0, made.stderr);
    assert.equal(puts(), 0);
    const listed = await run('backup', 'list', '--json');
    const { createdAt } = JSON.parse(listed.stdout).backups.find(({ name }: { name: string }) => name === 'four');
    assert.ok(createdAt < before, `${createdAt} ${before}`);
  });

  it('a changed, exchanged or missing object is found, and a renamed index is refused', async () => {
    const [first = '', second = ''] = keysOf('objects/');
    const [one, two] = [server.objects.get(first), server.objects.get(second)];
    assert.ok(one !== undefined && two !== undefined);
    const wrong = [{ ...one, bytes: Buffer.from(one.bytes.map((byte, at) => (at === 60 ? byte ^ 1 : byte))) }, two];
    for (const object of wrong) {
      server.objects.set(first, object);
      const verified = await run('backup', 'verify', 's3:three');
      assert.equal(verified.code, 1, verified.stdout);
    }
    server.objects.set(first, one);
    const index = server.objects.get('kept/backups/three');
    assert.ok(index !== undefined);
    server.objects.set('kept/backups/five', index);
    const renamed = await run('backup', 'verify', 's3:five');
    assert.match(renamed.stderr, /backups\/five is damaged, or was not sealed with BACKUP_KEY/);
    server.objects.delete('kept/backups/five');
  });

  it('a damaged index hinders neither the list nor the removal of other backups, and is named', async () => {
    const damaged = { ...(server.objects.get('kept/backups/three') ?? assert.fail()), bytes: Buffer.alloc(0) };
    server.objects.set('kept/backups/broken', damaged);
    const listed = await run('backup', 'list');
    assert.equal(listed.code, 1);
    assert.match(listed.stdout, /^s3:four .*\ns3:three .*\n$/);
    assert.match(listed.stderr, /^s3:broken cannot be opened: gatehouse-test\/kept\/backups\/broken is damaged/m);
    const pruned = await run('backup', 'prune', '--keep', '1');
    assert.equal(pruned.code, 1);
    assert.match(pruned.stdout, /This would remove 1 backup \(s3:three\) and no objects/);
    assert.match(pruned.stderr, /All objects stay, because these backups may need them/);
    server.objects.delete('kept/backups/broken');
  });

  it('opens with the previous key, and with no other', async () => {
    const rotated = { ...env, BACKUP_KEY: 'a newer key of the backups of this test' };
    const refused = await runCommand(['backup', 'verify', 's3:three'], rotated);
    assert.match(refused.stderr, /sealed with another BACKUP_KEY/);
    const opened = await runCommand(['backup', 'verify', 's3:three'], { ...rotated, BACKUP_KEY_PREVIOUS: BACKUP_KEY });
    assert.equal(opened.code, 0, opened.stderr);
  });

  it('no link beside the data leads a command elsewhere, and one process makes a backup of a name', async () => {
    const elsewhere = makeFolder();
    const old = join(elsewhere, 'old');
    writeFileSync(old, 'x');
    utimesSync(old, 1000, 1000);
    const linked = await place();
    mkdirSync(join(linked.DATA_DIR ?? '', 'backup-work'), { recursive: true });
    symlinkSync(elsewhere, join(linked.DATA_DIR ?? '', 'backup-work', 'spool'));
    const refused = await runCommand(['backup', 'list'], linked);
    assert.match(refused.stderr, /backup-work\/spool is a link/);
    assert.ok(existsSync(old));
    writeFileSync(
      join(env.DATA_DIR ?? '', 'backup-work', 'sending-eight.lock'),
      `${process.pid} claims/sending-eight-x`,
    );
    const second = await run('backup', 'create', '--to', 's3:eight');
    assert.match(second.stderr, /makes a backup of this name already/);
  });

  it('says which setting is missing, and refuses what is no name', async () => {
    const { BACKUP_KEY: _, ...keyless } = env;
    const { BACKUP_URL: __, ...homeless } = env;
    assert.deepEqual(
      await Promise.all(
        [
          [keyless, 's3:x'],
          [homeless, 's3:x'],
          [env, 's3:../x'],
        ].map(async ([its, to]) => (await runCommand(['backup', 'create', '--to', to as string], its as TestEnv)).code),
      ),
      [78, 78, 2],
    );
  });

  it('prune removes old backups with what only they need, and nothing while a backup is being sent', async () => {
    const service = await serve(env);
    const { JWT } = await enter(service.url, phone);
    await deleteFile(service.url, JWT, kept[1]?.id ?? '');
    await service.stop();
    server.objects.set('kept/objects/of-somebody-else', server.objects.values().next().value as never);
    assert.equal((await run('backup', 'create', '--to', 's3:six', '--db-only')).code, 0);
    const claim = { bytes: Buffer.from('x'), modifiedAt: Date.now(), type: 'text/plain' };
    server.objects.set('kept/claims/sending-seven', claim as never);
    const refused = await run('backup', 'prune', '--keep', '1', '--yes');
    assert.match(refused.stderr, /A backup is being sent to the bucket/);
    // The process of a claim that was not renewed for a day is gone.
    server.objects.set('kept/claims/sending-seven', { ...claim, modifiedAt: Date.now() - 25 * 3_600_000 } as never);
    const all = server.objects.size;
    const dry = await run('backup', 'prune', '--keep', '1');
    assert.match(dry.stdout, /This would remove 2 backups \(s3:four, s3:three\) and \d+ objects/);
    assert.equal(server.objects.size, all);
    const pruned = await run('backup', 'prune', '--keep', '1', '--yes');
    assert.equal(pruned.code, 0, pruned.stderr);
    assert.deepEqual(keysOf('backups/'), ['kept/backups/six']);
    // The rows and the list of files of the last backup.
    assert.equal(keysOf('objects/').filter((key) => !key.endsWith('else')).length, 2);
    assert.ok(server.objects.has('kept/objects/of-somebody-else'));
    assert.equal((await run('backup', 'verify', 's3:six')).code, 0);
    assert.equal(existsSync(join(env.DATA_DIR ?? '', 'backup-work', 'sending-six')), false);
  });
});
