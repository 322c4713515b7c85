// A dead name server: providers cannot be found, and every lookup waits for its time-out. Other requests do not wait.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { uploadSound } from '../helpers/faults/lives.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { me, outcomeOf } from '../helpers/people/users.ts';
import { newPhone, sendOtp, signIn } from '../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse } from '../helpers/services/gatehouse.ts';

/** An address of this machine that nothing else uses as a name server. */
const silentServer = '127.9.9.9';

describe('a name server that never answers', () => {
  it('a name server that never answers delays only requests that need a name, and those are refused in time', async (test) => {
    const undo = undoAfter(test);
    const listener = await listenSilently();
    if (listener === undefined || spawnSync('unshare', ['-m', 'true']).status !== 0) {
      listener?.close();
      console.log('skipped: no permission to replace the name server, so a dead one is not tested');
      return test.skip('replacing the name server is not permitted here');
    }
    undo(() => listener.close());
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dns-'));
    undo(() => rmSync(folder, { recursive: true, force: true }));
    const resolver = join(folder, 'resolv.conf');
    writeFileSync(resolver, `nameserver ${silentServer}\n`);
    const { env, dispose } = await isolatedEnv('sqlite');
    undo(dispose);
    const first = await spawnGatehouse(env);
    const user = await signIn(first.url, newPhone()).finally(() => first.stop());
    const deaf = ['unshare', '-m', 'sh', '-c', `mount --bind ${resolver} /etc/resolv.conf && exec "$@"`, 'sh'];
    const providers = {
      SMS_URL: 'webhook+http://sms.example.com/?tls=off',
      SMS_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      CAPTCHA_URL: 'turnstile://site:secret?verify=http://captcha.example.com/',
      ALLOW_INSECURE: '1',
    };
    const service = await spawnGatehouse({ ...env, ...providers }, deaf);
    undo(() => service.stop('SIGKILL'));

    const begin = performance.now();
    const since = () => (performance.now() - begin) / 1000;
    const asking = Promise.all(
      Array.from({ length: 20 }, async () => [outcomeOf(await sendOtp(service.url, newPhone())), since()]),
    );
    for (let count = 0; count < 5; count++) {
      assert.equal(outcomeOf(await me(service.url, user.JWT)), '200');
      assert.equal(outcomeOf(await uploadSound(service.url, user.JWT, `key-${count}`, 300_000)), '201');
    }
    const unmoved = since();
    const refused = await asking;
    assert.deepEqual(new Set(refused.map(([said]) => said)), new Set(['503 CAPTCHA_UNAVAILABLE']));
    const slowest = Math.max(...refused.map(([, seconds]) => Number(seconds)));
    assert.ok(slowest < 10, `${slowest} s`);
    assert.ok(unmoved < slowest, `five uploads took ${unmoved} s next to lookups that took ${slowest} s`);
    test.diagnostic(
      `20 refused within ${slowest.toFixed(1)} s; five reads and uploads at the same time in ${unmoved.toFixed(1)} s`,
    );
  });
});

/** Accepts every query and answers none. Returns undefined if the port is not available. */
async function listenSilently(): Promise<Socket | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.bind(53, silentServer);
    await once(socket, 'listening');
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}
