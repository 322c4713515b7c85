// The commands for service keys: create, list, rotate and revoke. The key alone goes to stdout, and is stored nowhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { because, run } from '../../helpers/services/command-line.ts';
import { isolatedEnv, type TestEnv, tierStoreKinds } from '../../helpers/services/gatehouse.ts';

for (const kind of tierStoreKinds) {
  describe(`the commands for service keys on ${kind}`, () => {
    let env: TestEnv;
    let dispose: () => Promise<void>;
    before(async () => {
      ({ env, dispose } = await isolatedEnv(kind));
      assert.equal((await run(env, 'migrate', 'up')).code, 0);
    });
    after(() => dispose());
    const keys = (...args: string[]) => run(env, 'service-keys', ...args);
    const states = async () => {
      const listed = await keys('list', '--json');
      return listed.data.serviceKeys.map(
        (key: { name: string; scopes: string[]; state: string }) => `${key.name} ${key.scopes} ${key.state}`,
      );
    };

    it('a key is created, listed, rotated and revoked, and only its hash is stored', async () => {
      const empty = await keys('list');
      assert.deepEqual([empty.code, empty.stdout], [0, '']);
      const wish = ['--name', ' shop ', '--scope', 'events:read,users:read', '--until', '90d'];
      const created = await keys('create', ...wish, ...because);
      assert.equal(created.code, 0, created.stderr);
      assert.match(created.stdout, /^gks_[0-9a-f]{12}_[\w-]{43}\n$/, 'the key alone, for a pipe');
      assert.match(created.stderr, /Shown once.*It ends at 20[\s\S]*gatehouse service-keys revoke [0-9a-f]{12}/);
      const [, id = '', secret = ''] = created.stdout.trim().split(/(?<=^gks|^gks_.{12})_/);
      assert.ok(!created.stderr.includes(secret));
      assert.deepEqual(await states(), ['shop users:read,events:read live']);

      const rotated = await keys('rotate', id, '--until', '180d', '--json');
      assert.equal(rotated.data.name, 'shop');
      assert.notEqual(rotated.data.id, id);
      assert.match(rotated.stderr, /The old key works until its end/);
      assert.deepEqual(await states(), ['shop users:read,events:read live', 'shop users:read,events:read live']);

      assert.equal((await keys('revoke', id, ...because)).code, 0);
      const again = await keys('revoke', id);
      assert.deepEqual([again.code, /No key has this id/.test(again.stderr)], [1, true]);
      assert.equal((await keys('rotate', id, '--until', '1d')).code, 1, 'a revoked key is not rotated');
      assert.deepEqual(await states(), ['shop users:read,events:read live', 'shop users:read,events:read revoked']);

      const table = await keys('list');
      assert.match(table.stdout, /^name +id +scopes +created +ends +last used +state\n/);
      const audit = await run(env, 'audit', 'tail');
      assert.match(audit.stdout, /service-key\.created .*serviceKey=[\s\S]*service-key\.revoked .*why="a test"/);
      const files = kind === 'sqlite' ? ['gatehouse.db', 'gatehouse.db-wal'] : [];
      const stored = files.map((name) =>
        readFileSync(join(env.DATA_DIR ?? '', name), { flag: 'a+' }).toString('latin1'),
      );
      for (const text of [table.stdout, table.stderr, audit.stdout, ...stored]) assert.ok(!text.includes(secret));
    });

    it('a wrong use is explained in whole and creates nothing', async () => {
      const before = await states();
      const { code, stderr, stdout } = await keys('create', '--scope', 'users:raed', '--until', '2y');
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /No key was created\.\n.*did you mean users:read\?\n.*--name: [\s\S]*--until: /);
      assert.equal((await keys('rotate', 'x', '--until', '2000-01-01')).code, 2);
      assert.deepEqual(await states(), before);
    });

    it('the help names every scope and an example', async () => {
      const { stdout } = await keys('create', '--help');
      assert.match(stdout, /users:read, users:write,[\s\S]*Example:\n {2}gatehouse service-keys create --name/);
    });

    it('the doctor counts the live keys and warns of one that ends soon', async () => {
      await keys('create', '--name', 'old', '--scope', 'users:read', '--until', '3d');
      const { stdout } = await run(env, 'doctor');
      assert.match(stdout, /service keys.*“old” \([0-9a-f]{12}\) ends in 2 days/);
    });
  });
}
