// The admin commands: they issue, list and revoke the one-time sign-in links of staff.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { because, run } from '../../helpers/services/command-line.ts';
import { isolatedEnv, type TestEnv, tierStoreKinds } from '../../helpers/services/gatehouse.ts';

for (const kind of tierStoreKinds) {
  describe(`the admin commands on ${kind}`, () => {
    let env: TestEnv;
    let dispose: () => Promise<void>;
    before(async () => {
      ({ env, dispose } = await isolatedEnv(kind));
      assert.equal((await run(env, 'migrate', 'up')).code, 0);
    });
    after(() => dispose());
    const admin = (...args: string[]) => run(env, 'admin', ...args);

    it('admin token prints a link that is not stored, admin list shows it, and admin revoke ends it once', async () => {
      const empty = await admin('list');
      assert.deepEqual([empty.code, empty.stdout], [0, '']);
      const { data, stderr } = await admin('token', '--name', ' Ada ', '--life', '30m', '--json');
      assert.deepEqual(Object.keys(data), ['id', 'name', 'role', 'link', 'token', 'linkEndsAt', 'endsAt']);
      assert.equal(data.link, `http://localhost:${env.PORT}/admin#${data.token}`);
      assert.match(data.token, /^[\w-]{43}$/);
      assert.equal(data.linkEndsAt, data.endsAt, 'no link outlives the sign-in');
      assert.ok(Math.abs(Date.parse(data.endsAt) - Date.now() - 1_800_000) < 300_000);
      assert.match(stderr, /Role: owner\. Works once, until [\s\S]*gatehouse admin revoke/);
      const files = kind === 'sqlite' ? ['gatehouse.db', 'gatehouse.db-wal'] : [];
      for (const name of files) {
        const bytes = readFileSync(join(env.DATA_DIR ?? '', name), { flag: 'a+' }).toString('latin1');
        assert.ok(!bytes.includes(data.token), name);
      }
      const states = async () => {
        const listed = await admin('list', '--json');
        return listed.data.admins.map((one: { name: string; state: string }) => `${one.name} ${one.state}`);
      };
      assert.deepEqual(await states(), ['Ada waiting']);
      assert.equal((await admin('revoke', data.id)).code, 2, 'no reason');
      assert.equal((await admin('revoke', data.id, ...because)).code, 0);
      assert.equal((await admin('revoke', data.id, ...because)).code, 1, 'ended already');
      assert.deepEqual(await states(), ['Ada revoked']);
      const { stdout } = await run(env, 'audit', 'tail');
      assert.match(stdout, /admin\.issued .*admin=Ada[\s\S]*admin\.revoked .*why="a test"/);
      assert.ok(!stdout.includes(data.token));
    });

    it('admin token gives the role that is asked for, and admin list shows it', async () => {
      for (const role of ['viewer', 'support', 'owner']) {
        const { data } = await admin('token', '--name', role, '--role', role, '--json');
        assert.equal(data.role, role);
        const listed = await admin('list', '--json');
        assert.deepEqual([listed.data.admins[0].name, listed.data.admins[0].role], [role, role]);
      }
    });

    it('admin token refuses a missing name, an unreadable or too long life, and an unknown role', async () => {
      for (const args of [
        [],
        ['--name', ' '],
        ['--name', 'Ada', '--life', '25h'],
        ['--name', 'Ada', '--life', 'long'],
        ['--name', 'Ada', '--role', 'boss'],
      ])
        assert.equal((await admin('token', ...args)).code, 2, args.join(' '));
    });
  });
}
