// The users commands on a running service: an act of an operator takes effect on every node within a second.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call, newPhone, type Pair, refresh } from '../../helpers/api.ts';
import { because, run } from '../../helpers/command-line.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  spawnGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/gatehouse.ts';
import { freePort } from '../../helpers/postgres-server.ts';
import { allSent, askStore } from '../../helpers/raw-store.ts';
import { askForCode, bindAddress, enter, me, newAddress, told } from '../../helpers/users.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

for (const kind of tierStoreKinds) {
  describe(`the users commands on ${kind}`, () => {
    let service: GatehouseProcess;
    let env: TestEnv;
    let dispose: () => Promise<void>;
    before(async () => {
      // Both nodes need the same public URL, or one would refuse the tokens of the other.
      const isolated = await isolatedEnv(kind, { PUBLIC_URL: 'http://localhost:8080' });
      ({ env, dispose } = isolated);
      service = await spawnGatehouse(env);
    });
    after(async () => {
      await service.stop();
      await dispose();
    });
    const gatehouse = (...args: string[]) => run(env, ...args);
    const idOf = async ({ JWT }: Pair) => (await me(service.url, JWT)).body.data.id as string;
    const audited = async (event: string, id: string) => {
      const { stdout } = await gatehouse('audit', 'tail', '--json', '--kind', event, '--user', id);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).detail);
    };
    const byCli = [{ actor: 'cli', why: 'a test' }];

    it('users find shows masked users, and full values only with a reason that is audited', async () => {
      const phone = newPhone();
      const user = await enter(service.url, phone);
      const email = newAddress();
      await bindAddress(service.url, user.JWT, email);
      const id = await idOf(user);
      const masked = `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
      for (const who of [phone, phone.slice(-7), email.toUpperCase(), id]) {
        const { data } = await gatehouse('users', 'find', who, '--json');
        const [user] = data.users;
        assert.deepEqual(Object.keys(user), ['id', 'phone', 'email', 'createdAt', 'blockedAt']);
        assert.deepEqual([user.id, user.phone, user.email, user.blockedAt], [id, masked, `u•••@example.com`, null]);
        assert.equal(new Date(user.createdAt).toISOString(), user.createdAt);
      }
      assert.equal((await gatehouse('users', 'find', id, '--reveal')).code, 2, 'no reason');
      const { data } = await gatehouse('users', 'find', id, '--reveal', ...because, '--json');
      assert.deepEqual([data.users[0].phone, data.users[0].email], [phone, email]);
      assert.deepEqual(await audited('user.revealed', id), byCli);
      const nobody = await gatehouse('users', 'find', '+4915112345678');
      assert.deepEqual([nobody.code, nobody.stdout, nobody.stderr], [1, '', 'No users found.\n']);
    });

    it('users show lists sessions, files and the timeline without the phone number and without control characters', async () => {
      const phone = newPhone();
      const user = await enter(service.url, phone, 'Browser of a test\u009b2J\u009d0;title\u0085');
      await allSent(env);
      await call(service.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: '000000' } });
      const { data, stdout } = await gatehouse('users', 'show', await idOf(user), '--json');
      assert.deepEqual(Object.keys(data), ['user', 'sessions', 'files', 'timeline']);
      assert.equal(data.sessions[0].userAgent, 'Browser of a test 2J 0;title');
      assert.deepEqual(data.files, { count: 0, bytes: 0 });
      const kinds = data.timeline.map((entry: { kind: string }) => entry.kind);
      for (const event of ['otp.requested', 'message.sent', 'user.created', 'login.succeeded', 'otp.failed'])
        assert.ok(kinds.includes(event), `${event} in ${kinds}`);
      assert.equal(kinds[0], 'otp.failed', 'newest first');
      assert.ok(!stdout.includes(phone));
      // An earlier version stored control characters.
      await askStore(
        env,
        `update sessions set user_agent = 'Old' || ${kind === 'sqlite' ? 'char' : 'chr'}(155) || '2J'`,
      );
      const text = await gatehouse('users', 'show', phone);
      assert.match(text.stdout, /Old 2J/);
      assert.doesNotMatch(text.stdout.replaceAll('\n', ''), /\p{C}/u, 'no control character reaches the terminal');
      assert.ok(!text.stdout.includes(phone));
    });

    it('users show and audit tail mask IP addresses in events, and show them only with a reason that is written down', async () => {
      const id = await idOf(await enter(service.url));
      const tail = ['audit', 'tail', '--user', id, '--kind', 'login.succeeded', '--json'];
      const address = async (...args: string[]) => {
        const { data } = await gatehouse('users', 'show', id, '--json', ...args);
        const login = data.timeline.find((entry: { kind: string }) => entry.kind === 'login.succeeded');
        return [login.detail.ip, JSON.parse((await gatehouse(...tail, ...args)).stdout).detail.ip];
      };
      assert.deepEqual(await address(), ['127.0.•••', '127.0.•••']);
      assert.equal((await gatehouse(...tail, '--reveal')).code, 2, 'no reason');
      const reveals = async () => (await gatehouse('audit', 'tail', '--user', id, '--kind', 'user.revealed')).stdout;
      assert.equal(await reveals(), '');
      assert.deepEqual(await address('--reveal', ...because), ['127.0.0.1', '127.0.0.1']);
      assert.match(await reveals(), /^.* actor=cli why="a test"\n.* actor=cli why="a test" events=1\n$/);
    });

    it('users block makes every node refuse the tokens and sign-in answer USER_BLOCKED, until users unblock', async () => {
      const other = await spawnGatehouse({ ...env, PORT: String(await freePort()) });
      const block = async () => {
        const user = await enter(service.url);
        assert.equal(told(await me(other.url, user.JWT)), '200');
        const id = await idOf(user);
        const { code, data } = await gatehouse('users', 'block', id, ...because, '--json');
        assert.deepEqual([code, data], [0, { id, endedSessions: 1 }]);
        for (const { url } of [service, other]) {
          await waitUntil('the node has read it', async () => told(await me(url, user.JWT)) !== '200');
          assert.equal(told(await me(url, user.JWT)), '401 SESSION_REVOKED');
        }
        return { user, id };
      };
      const { user, id } = await block();
      await other.stop();
      assert.equal(told(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
      const signIn = async () => {
        const body = { phone: user.phone, otp: await askForCode(service.url, user.phone) };
        return told(await call(service.url, 'POST', '/api/auth/phone/login', { body }));
      };
      assert.equal(await signIn(), '403 USER_BLOCKED');
      assert.deepEqual(await audited('user.blocked', id), byCli);
      assert.equal((await gatehouse('users', 'unblock', user.phone, ...because)).code, 0);
      assert.equal(await signIn(), '200');
    });

    it('users sign-out ends all sessions of a user, who can sign in again', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      const { data } = await gatehouse('users', 'sign-out', id, ...because, '--json');
      assert.deepEqual(data, { id, endedSessions: 1 });
      assert.equal(told(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
      await enter(service.url, user.phone);
    });

    it('users export writes the data and files of a user, and users delete removes them only with --yes', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      const upload = await fetch(`${service.url}/api/file/upload?purpose=document&name=a.txt`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.JWT}`, 'content-type': 'text/plain' },
        body: 'some words',
      });
      assert.equal(upload.status, 201);
      const folder = join(mkdtempSync(join(tmpdir(), 'gatehouse-export-')), 'files');
      const exported = await gatehouse('users', 'export', id, '--files', folder, ...because, '--json');
      assert.deepEqual(Object.keys(exported.data), ['user', 'sessions', 'files', 'timeline']);
      assert.equal(exported.data.user.phone, user.phone);
      assert.equal(exported.data.files.length, 1);
      const [name = ''] = readdirSync(folder);
      assert.equal(readFileSync(join(folder, name), 'utf8'), 'some words');
      assert.deepEqual(await audited('user.exported', id), byCli);

      const unsure = await gatehouse('users', 'delete', id, ...because);
      assert.deepEqual([unsure.code, unsure.stdout], [2, '']);
      assert.match(unsure.stderr, /--yes/);
      assert.equal(told(await me(service.url, user.JWT)), '200');
      const { data } = await gatehouse('users', 'delete', id, ...because, '--yes', '--json');
      assert.deepEqual(data, { id, endedSessions: 1, deletedFiles: 1 });
      assert.deepEqual(await audited('user.deleted', id), byCli);
      assert.equal(told(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
      assert.equal((await gatehouse('users', 'show', id)).code, 1);
      const blob = exported.data.files[0].id as string;
      const left = readdirSync(join(env.DATA_DIR ?? '', 'files'), { recursive: true, encoding: 'utf8' });
      assert.ok(!left.some((path) => path.endsWith(blob)) && existsSync(folder));
    });

    it('users block refuses a call without one exact user and a reason', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      for (const args of [
        ['users', 'block', id],
        ['users', 'block', id, '--reason', ' '],
        ['users', 'block', user.phone.slice(-5), ...because],
        ['users', 'block'],
      ]) {
        assert.equal((await gatehouse(...args)).code, 2, args.join(' '));
      }
      assert.equal((await gatehouse('users', 'block', '00000000-0000-7000-8000-000000000000', ...because)).code, 1);
      assert.equal(told(await me(service.url, user.JWT)), '200');
    });
  });
}
