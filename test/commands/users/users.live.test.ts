// The users commands on a running service: an act of an operator takes effect on every node within a second.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { staffView } from '../../../src/auth/directory/user-views.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { allSent, askStore } from '../../helpers/databases/raw-store.ts';
import { appEntries, appSettings, backend, openBrowser, signInTo } from '../../helpers/people/oauth.ts';
import { makeUserRecord } from '../../helpers/people/user.ts';
import { askForCode, bindAddress, enter, me, messagesTo, newAddress, outcomeOf } from '../../helpers/people/users.ts';
import { call, newPhone, type Pair, refresh } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { because, run } from '../../helpers/services/command-line.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  spawnGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

for (const kind of tierStoreKinds) {
  describe(`the users commands on ${kind}`, () => {
    let service: GatehouseProcess;
    let env: TestEnv;
    let dispose: () => Promise<void>;
    const apps = appSettings();
    before(async () => {
      // Both nodes need the same public URL, or one would refuse the tokens of the other.
      const isolated = await isolatedEnv(kind, { ...apps, PUBLIC_URL: 'http://localhost:8080' });
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
        assert.deepEqual(Object.keys(user), Object.keys(staffView(makeUserRecord(), false).account));
        assert.deepEqual([user.id, user.phone, user.email, user.blockedAt], [id, masked, `u•••@example.com`, null]);
        assert.equal(new Date(user.createdAt).toISOString(), user.createdAt);
      }
      assert.equal((await gatehouse('users', 'find', id, '--reveal')).code, 2, 'no reason');
      const { data } = await gatehouse('users', 'find', id, '--reveal', ...because, '--json');
      assert.deepEqual([data.users[0].phone, data.users[0].email], [phone, email]);
      assert.deepEqual(await audited('user.revealed', id), byCli);
      const nobody = await gatehouse('users', 'find', '+4915112345678');
      assert.deepEqual([nobody.code, nobody.stdout], [1, '']);
      assert.match(nobody.stderr, /^Database: .*\nNo users found\.\n$/);
    });

    it('users show names the app of a session', async () => {
      const phone = newPhone();
      const browser = await openBrowser(service.url, phone);
      await signInTo(service.url, backend, browser);
      const { name } = appEntries.find(({ id }) => id === backend.id) ?? assert.fail();
      const { data } = await gatehouse('users', 'show', phone, '--json');
      const apps = (data.sessions as { app: object | null }[]).map(({ app }) => JSON.stringify(app));
      assert.deepEqual(apps.toSorted(), ['null', JSON.stringify({ id: backend.id, name })].toSorted());
      assert.ok((await gatehouse('users', 'show', phone)).stdout.includes(` ${name} `));
    });

    it('the commands find, show, export and delete an account without a number', async () => {
      const user = await enter(service.url);
      const email = newAddress();
      await bindAddress(service.url, user.JWT, email);
      const id = await idOf(user);
      await askStore(env, `update users set phone = null where id = '${id}' returning id`);
      for (const who of [email, id]) {
        const { data } = await gatehouse('users', 'find', who, '--json');
        assert.deepEqual([data.users[0].id, data.users[0].phone, data.users[0].email], [id, null, 'u•••@example.com']);
      }
      assert.equal((await gatehouse('users', 'find', user.phone)).code, 1, 'the number finds nobody');
      assert.equal((await gatehouse('users', 'find', user.phone.slice(-7))).code, 1);
      assert.match((await gatehouse('users', 'find', id)).stdout, / - +u•••@example\.com/);
      const shown = await gatehouse('users', 'show', email, '--reveal', ...because, '--json');
      assert.deepEqual([shown.data.user.phone, shown.data.user.email], [null, email]);
      assert.equal(shown.data.sessions.length, 1);
      assert.ok(shown.data.timeline.some((entry: { kind: string }) => entry.kind === 'email.bound'));
      assert.equal((await gatehouse('users', 'show', id)).code, 0);
      assert.equal((await gatehouse('limits', 'show', email)).code, 0);
      const exported = await gatehouse('users', 'export', id, ...because, '--json');
      assert.deepEqual([exported.data.user.phone, exported.data.user.email], [null, email]);
      assert.equal((await gatehouse('users', 'delete', id, '--yes', ...because)).code, 0);
      assert.equal((await gatehouse('users', 'find', id)).code, 1);
    });

    it('users show lists sessions, files and the timeline without the phone number and without control characters', async () => {
      const phone = newPhone();
      const user = await enter(service.url, phone, 'Browser of a test\u009b2J\u009d0;title\u0085');
      await allSent(env);
      await call(service.url, 'POST', '/api/auth/phone/login', { body: { phone, otp: '000000' } });
      const { data, stdout } = await gatehouse('users', 'show', await idOf(user), '--json');
      assert.deepEqual(Object.keys(data), ['user', 'sessions', 'files', 'timeline']);
      assert.equal(data.sessions[0].userAgent, 'Browser of a test 2J 0;title');
      assert.deepEqual(data.files, {
        count: 0,
        bytes: 0,
        trash: { count: 0, bytes: 0 },
        reserved: { count: 0, bytes: 0 },
      });
      const kinds = data.timeline.map((entry: { kind: string }) => entry.kind);
      for (const event of ['otp.requested', 'message.sent', 'user.created', 'login.succeeded', 'otp.failed'])
        assert.ok(kinds.includes(event), `${event} in ${kinds}`);
      // The delivery of a message has the time of its own thread, which may be ahead by some milliseconds.
      const [newest] = kinds.filter((event: string) => event !== 'message.sent');
      assert.equal(newest, 'otp.failed', 'newest first');
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
        assert.equal(outcomeOf(await me(other.url, user.JWT)), '200');
        const id = await idOf(user);
        const { code, data } = await gatehouse('users', 'block', id, ...because, '--json');
        assert.deepEqual([code, data], [0, { id, endedSessions: 1 }]);
        for (const { url } of [service, other]) {
          await waitUntil('the node has read it', async () => outcomeOf(await me(url, user.JWT)) !== '200');
          assert.equal(outcomeOf(await me(url, user.JWT)), '401 SESSION_REVOKED');
        }
        return { user, id };
      };
      const { user, id } = await block();
      await other.stop();
      assert.equal(outcomeOf(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
      const signIn = async () => {
        const body = { phone: user.phone, otp: await askForCode(service.url, user.phone) };
        return outcomeOf(await call(service.url, 'POST', '/api/auth/phone/login', { body }));
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
      assert.equal(outcomeOf(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
      await enter(service.url, user.phone);
    });

    it('users change-phone schedules a number and cancels it, and users show tells when it changes and when the user was last seen', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      const next = newPhone();
      const masked = `${next.slice(0, 3)}•••${next.slice(-2)}`;
      const change = (...args: string[]) => gatehouse('users', 'change-phone', id, ...args, '--json');
      assert.equal((await change('--to', next)).code, 2, 'no reason');
      assert.equal((await change(...because)).code, 2, 'neither a number nor --cancel');
      assert.equal((await change('--to', next, '--cancel', ...because)).code, 2);
      assert.equal((await change('--to', next, '--language', 'xx', ...because)).code, 2);
      assert.equal((await change('--to', '4711', ...because)).code, 2);
      const taken = await change('--to', (await enter(service.url)).phone, ...because);
      assert.equal(taken.code, 1);
      assert.match(taken.stderr, /\ngatehouse: This phone number belongs to another user\.\n$/);
      const own = await change('--to', user.phone, ...because);
      assert.equal(own.code, 1);
      assert.match(own.stderr, /\ngatehouse: The user has this phone number already\.\n$/);
      const { code, data } = await change('--to', next, '--language', 'de', ...because);
      assert.deepEqual([code, data.id, data.phone], [0, id, masked]);
      const hours = (Date.parse(data.effectiveAt) - Date.now()) / 3_600_000;
      assert.ok(hours > 71 && hours <= 72.01, data.effectiveAt);
      const shown = (await gatehouse('users', 'show', id, '--json')).data.user;
      assert.deepEqual([shown.nextPhone, shown.nextPhoneAt], [masked, data.effectiveAt]);
      assert.ok(Math.abs(Date.now() - Date.parse(shown.lastUsedAt)) < 3_600_000);
      assert.match((await gatehouse('users', 'show', id)).stdout, /^nextPhoneAt +\d{4}-/m);
      const [scheduled] = await audited('phone.change-scheduled', id);
      assert.deepEqual([scheduled.actor, scheduled.why], ['cli', 'a test']);
      const text = await gatehouse('users', 'change-phone', id, '--to', next, ...because);
      assert.match(text.stdout, /has the number .+ from .+Z\. The old number and the address are notified/);
      assert.ok(!text.stdout.includes(next));
      // The second change is notified too, in the default language, and its notice may already be there.
      await waitUntil('the notice in the language of the first change', async () =>
        (await messagesTo(service.url, user.phone)).find(
          ({ text }) => /wird bald geändert/.test(text) && text.includes('/not-me#'),
        ),
      );
      assert.deepEqual((await change('--cancel', ...because)).data, { id, cancelled: true });
      assert.deepEqual((await change('--cancel', ...because)).data, { id, cancelled: false });
      assert.equal((await gatehouse('users', 'show', id, '--json')).data.user.nextPhone, null);
    });

    it('users remove-email removes the address once, with a reason, and not the last way in', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      const email = newAddress();
      await bindAddress(service.url, user.JWT, email);
      const remove = (...args: string[]) => gatehouse('users', 'remove-email', id, ...args, '--json');
      assert.equal((await remove()).code, 2, 'no reason');
      await askStore(env, `update users set phone = null where id = '${id}'`);
      const last = await remove(...because);
      assert.equal(last.code, 1);
      assert.match(last.stderr, /only way in/);
      await askStore(env, `update users set phone = '${user.phone}' where id = '${id}'`);
      assert.deepEqual((await remove(...because)).data, { id, removed: true });
      assert.equal((await me(service.url, user.JWT)).body.data.email, null);
      const [removed] = await audited('email.removed', id);
      assert.deepEqual([removed.actor, removed.why], ['cli', 'a test']);
      assert.deepEqual((await remove(...because)).data, { id, removed: false });
    });

    it('users export writes the data and files of a user, and users delete removes them only with --yes', async () => {
      const user = await enter(service.url);
      const id = await idOf(user);
      const text = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('some words') };
      await storeFile(service.url, { token: user.JWT, purpose: 'document', ...text });
      const folder = join(mkdtempSync(join(tmpdir(), 'gatehouse-export-')), 'files');
      const exported = await gatehouse('users', 'export', id, '--files', folder, ...because, '--json');
      assert.deepEqual(Object.keys(exported.data), ['user', 'sessions', 'allowedApps', 'files', 'timeline']);
      assert.equal(exported.data.user.phone, user.phone);
      const { externalId, claims, metadata } = exported.data.user;
      assert.deepEqual([externalId, claims, metadata], [null, {}, {}]);
      assert.equal(exported.data.files.length, 1);
      const [name = ''] = readdirSync(folder);
      assert.equal(readFileSync(join(folder, name), 'utf8'), 'some words');
      assert.deepEqual(await audited('user.exported', id), byCli);

      const unsure = await gatehouse('users', 'delete', id, ...because);
      assert.deepEqual([unsure.code, unsure.stdout], [2, '']);
      assert.match(unsure.stderr, /--yes/);
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '200');
      const { data } = await gatehouse('users', 'delete', id, ...because, '--yes', '--json');
      assert.deepEqual(data, { id, endedSessions: 1, deletedFiles: 1 });
      assert.deepEqual(await audited('user.deleted', id), byCli);
      assert.equal(outcomeOf(await refresh(service.url, user.RT)), '401 SESSION_REVOKED');
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
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '200');
    });
  });
}
