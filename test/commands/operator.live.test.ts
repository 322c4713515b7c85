// The commands for messages, limits, keys, the audit log and files, run next to a service on the same database.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { allSent } from '../helpers/databases/raw-store.ts';
import { enter, me, outcomeOf } from '../helpers/people/users.ts';
import { call, newPhone, refresh, sendOtp } from '../helpers/requests/api.ts';
import { storeFile } from '../helpers/requests/upload.ts';
import { because, run } from '../helpers/services/command-line.ts';
import {
  type GatehouseProcess,
  isolatedEnv,
  isRepeat,
  spawnGatehouse,
  spawnMain,
  type TestEnv,
  tierStoreKinds,
} from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

for (const kind of tierStoreKinds) {
  describe(`the operator commands on ${kind}`, () => {
    let service: GatehouseProcess;
    let env: TestEnv;
    let dispose: () => Promise<void>;
    before(async () => {
      ({ env, dispose } = await isolatedEnv(kind, { LIMIT_SENDS_PER_RECIPIENT: '2/1h', OTP_RESEND_AFTER: 'off' }));
      service = await spawnGatehouse(env);
    });
    after(async () => {
      await service.stop();
      await dispose();
    });
    const gatehouse = (...args: string[]) => run(env, ...args);

    it('messages log shows the messages to a recipient with their provider, masked', async () => {
      const { phone } = await enter(service.url);
      await allSent(env);
      const { data, stdout } = await gatehouse('messages', 'log', '--to', phone, '--json');
      assert.equal(data.messages.length, 1);
      const { id, at, ...message } = data.messages[0];
      const to = `${phone.slice(0, 3)}•••${phone.slice(-2)}`;
      const sent = { channel: 'sms', kind: 'phone-login', to, state: 'sent', provider: 'inbox', error: null };
      assert.deepEqual(message, sent);
      assert.equal(new Date(at).toISOString(), at);
      assert.ok(!stdout.includes(phone));
      const none = await gatehouse('messages', 'log', '--to', '+4915112345678');
      assert.deepEqual([none.code, none.stdout], [0, '']);
      assert.match(none.stderr, /^Database: .* · Files: .*\nNo messages\.\n$/);
      const gone = await gatehouse('messages', 'resend', id, ...because);
      assert.deepEqual([gone.code, gone.stdout], [1, '']);
      assert.match(gone.stderr, /a provider has accepted it/);
    });

    it('limits show names the limit that blocks a recipient, and limits clear removes it', async () => {
      const phone = newPhone();
      for (const status of [200, 200, 429]) assert.equal((await sendOtp(service.url, phone)).status, status);
      const { data } = await gatehouse('limits', 'show', phone, '--json');
      assert.deepEqual(Object.keys(data), ['whom', 'limits']);
      const [held] = data.limits.filter((limit: { blockedSeconds: number }) => limit.blockedSeconds > 0);
      assert.deepEqual([held.name, held.hits], ['messages to this recipient', 2]);
      const cleared = await gatehouse('limits', 'clear', phone, ...because, '--json');
      assert.deepEqual(cleared.data, { whom: data.whom, cleared: 1 });
      assert.equal((await sendOtp(service.url, phone)).status, 200);
      const byAddress = await gatehouse('limits', 'show', '2001:db8::7', '--json');
      assert.equal(byAddress.data.whom, '2001:db8:0:0::/64');
      assert.equal((await gatehouse('limits', 'show', 'somebody')).code, 2);
    });

    it('keys list shows the signing keys, and keys rotate adds one while tokens stay valid', async () => {
      const user = await enter(service.url);
      const doing = async () => {
        const { data } = await gatehouse('keys', 'list', '--json');
        return data.keys.map((key: { does: string }) => key.does);
      };
      assert.deepEqual(await doing(), ['signs']);
      const ahead = await gatehouse('keys', 'rotate', ...because, '--json');
      assert.ok(Date.parse(ahead.data.activeFrom) > Date.now() + 3_600_000);
      assert.deepEqual(await doing(), ['next', 'signs']);
      const stranger = await run({ ...env, SECRET: 'x'.repeat(40) }, 'keys', 'rotate', '--now', ...because);
      assert.deepEqual([stranger.code, stranger.stdout], [1, '']);
      assert.equal((await gatehouse('keys', 'rotate', '--now', ...because)).code, 0);
      assert.deepEqual(await doing(), ['signs', 'next', 'verifies']);
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '200');
    });

    it('keys revoke withdraws a stolen signing key: its tokens are refused and sessions continue', async () => {
      const { data: listed } = await gatehouse('keys', 'list', '--json');
      const kid: string = listed.keys.find((key: { does: string }) => key.does === 'signs').id;
      const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
      let user = await enter(service.url);
      // The node signs with the newest key only once it has read the rotation above.
      await waitUntil('a token of the newest key', async () => {
        if (keyOf(user.JWT) !== kid) user = await enter(service.url);
        return keyOf(user.JWT) === kid;
      });
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '200');
      const unsure = await gatehouse('keys', 'revoke', kid, ...because);
      assert.deepEqual([unsure.code, unsure.stdout], [2, '']);
      assert.match(unsure.stderr, /add --yes/);
      assert.equal((await gatehouse('keys', 'revoke', 'x'.repeat(22), '--yes', ...because)).code, 1);
      const { code, stderr, data } = await gatehouse('keys', 'revoke', kid, '--yes', '--json', ...because);
      assert.deepEqual([code, data?.id], [0, kid], stderr);
      // The command ends after its commit. A node sees it in less than a second; a busy machine needs longer.
      await waitUntil('the node has read it', async () => outcomeOf(await me(service.url, user.JWT)) !== '200');
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '401 ACCESS_TOKEN_INVALID');
      const published = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
      assert.ok(!published.includes(kid) && published.includes(data.replacedBy));
      const renewed = await refresh(service.url, user.RT);
      assert.equal(outcomeOf(renewed), '200');
      assert.equal(outcomeOf(await me(service.url, renewed.body.data.JWT)), '200');
    });

    it('audit tail --follow prints every event once, one JSON object per line', async () => {
      const { child, output, ended } = spawnMain(['audit', 'tail', '--follow', '--json', '--limit', '1'], env);
      await waitUntil('the first line', () => output().stdout.includes('\n'));
      const user = await enter(service.url);
      const { id } = (await me(service.url, user.JWT)).body.data;
      const came = () => output().stdout.includes(`"login.succeeded","userId":"${id}"`);
      await waitUntil('the event of the sign-in', came);
      assert.ok(came(), output().stdout);
      child.kill('SIGINT');
      await ended;
      const lines = output().stdout.trim().split('\n');
      const events = lines.map((line) => JSON.parse(line));
      for (const event of events) assert.deepEqual(Object.keys(event), ['id', 'at', 'kind', 'userId', 'detail']);
      assert.equal(new Set(events.map((event) => event.id)).size, events.length, 'no event is printed twice');
    });

    it('files list and files delete show and delete the file of a user', async () => {
      const { JWT } = await enter(service.url);
      const text = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('words') };
      const { id } = await storeFile(service.url, { token: JWT, purpose: 'document', ...text });
      const { id: userId } = (await me(service.url, JWT)).body.data;
      const { data } = await gatehouse('files', 'list', '--user', userId, '--json');
      assert.deepEqual([data.files.length, data.files[0].id, data.files[0].size], [1, id, 5]);
      assert.equal((await gatehouse('files', 'delete', id, ...because)).code, 2, 'not confirmed');
      const gone = await gatehouse('files', 'delete', id, ...because, '--yes', '--json');
      assert.deepEqual(gone.data, { id, userId });
      assert.equal(outcomeOf(await call(service.url, 'GET', `/api/file/${id}`, { token: JWT })), '404 FILE_NOT_FOUND');
      assert.equal((await gatehouse('files', 'delete', id, ...because, '--yes')).code, 1);
    });
  });
}

describe('a message that no provider accepts', { skip: isRepeat }, () => {
  it('messages log shows the error of a failed message, and messages resend queues it again', async () => {
    const { env, dispose } = await isolatedEnv('sqlite', { SMS_URL: 'webhook+http://127.0.0.1:9/' });
    const service = await spawnGatehouse(env);
    const phone = newPhone();
    assert.equal((await sendOtp(service.url, phone)).status, 200);
    const log = async () => (await run(env, 'messages', 'log', '--to', phone, '--json')).data.messages;
    await waitUntil('a failed try', async () => (await log())[0].error !== null);
    await service.stop();
    const [before] = await log();
    assert.ok(before.error !== null && !JSON.stringify(before).includes(phone), JSON.stringify(before));
    const again = await run(env, 'messages', 'resend', before.id, ...because, '--json');
    assert.deepEqual([again.code, again.data], [0, { id: before.id, state: 'queued' }]);
    const revealed = await run(env, 'messages', 'log', '--to', phone, '--reveal', ...because, '--json');
    const [message] = revealed.data.messages;
    assert.deepEqual([message.state, message.error, message.to], ['queued', null, phone]);
    await sleep(1100);
    assert.deepEqual((await run(env, 'messages', 'log', '--since', '1s', '--json')).data.messages, []);
    await dispose();
  });
});
