// kill -9 while a file is being stored: its client is not kept waiting for a process that is dead.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { isolatedEnv, spawnGatehouse, tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { type FakeClamd, startFakeClamd } from '../../helpers/uploads/fake-clamd.ts';
import { uploaderAt } from '../../helpers/uploads/resumable.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

for (const kind of tierStoreKinds)
  describe(`a service on ${kind} that is killed while it stores a file`, () => {
    let clamd: FakeClamd;
    before(async () => {
      clamd = await startFakeClamd();
    });
    after(() => clamd?.stop());

    it('another attempt begins at once if the database is its own, otherwise when the short lease is over', async (context) => {
      const { env, dispose } = await isolatedEnv(kind);
      context.after(dispose);
      const first = await spawnGatehouse({ ...env, SCAN_URL: clamd.url });
      context.after(() => first.stop('SIGKILL'));
      const { JWT } = await signIn(first.url, newPhone());
      const begun = ['Upload-Complete: ?0', 'Content-Type: text/csv'];
      const { location = '' } = (await uploaderAt(first.url, JWT).create(begun, 'a,b\n')).headers;
      let held = 0;
      clamd.act((_, { received }) => {
        if (received > 0) held += 1;
        return received > 0;
      });
      const whole = ['Content-Type: text/csv', 'Idempotency-Key: one'];
      const requests = [
        uploaderAt(first.url, JWT).append(location, 4, '?1', ''),
        uploaderAt(first.url, JWT).create(whole, 'c,d\n'),
      ];
      for (const request of requests) request.catch(() => undefined);
      await waitUntil('both files are being scanned', () => held >= 2);
      await first.stop('SIGKILL');
      const next = await spawnGatehouse(env);
      context.after(() => next.stop());
      const user = uploaderAt(next.url, JWT);
      assert.equal((await user.head(location)).outcome, '200 4 ?0');
      let waited = 0;
      for (const attempt of [() => user.append(location, 4, '?1', ''), () => user.create(whole, 'c,d\n')])
        for (;;) {
          const reply = await attempt();
          if (reply.status === 201) break;
          assert.match(`${kind} ${reply.outcome}`, /^postgres 409 UPLOAD_IN_PROGRESS/);
          const seconds = Number(reply.headers['retry-after']);
          assert.ok(seconds >= 1 && seconds <= 5, `Retry-After: ${seconds}`);
          waited += seconds;
          await sleep(seconds * 1000);
        }
      assert.ok(waited <= 20, `${waited} s`);
    });
  });
