// A restored scheduled change of a phone number: it is announced again and waits again, whatever happened since the backup.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { phoneEvents, schedulePhone, userIdIn } from '../../helpers/people/scheduled-phones.ts';
import { enter, messagesTo } from '../../helpers/people/users.ts';
import { call, newPhone } from '../../helpers/requests/api.ts';
import { isolatedEnv, startGatehouse, storeKinds, type TestEnv } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

for (const kind of storeKinds) {
  describe(`a restored scheduled change of a number on ${kind}`, () => {
    it('a change that was due long before the restore is announced again, and waits again', async (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
      context.after(() => rmSync(folder, { recursive: true, force: true }));
      const place = async () => {
        const { env, dispose } = await isolatedEnv(kind);
        context.after(dispose);
        return { ...env, PHONE_RECOVERY_WAIT: '1h' };
      };
      const on = async (env: TestEnv, work: (url: string) => Promise<void>) => {
        const { url, stop } = await startGatehouse(env);
        await work(url).finally(stop);
      };
      const runs = async (words: string[], env: TestEnv) => {
        const { code, stderr } = await runCommand(words, env);
        assert.equal(code, 0, stderr);
      };
      const [phone, next] = [newPhone(), newPhone()];
      const path = join(folder, 'backup.tar');
      const before = await place();
      let userId = '';
      await on(before, async (url) => {
        userId = userIdIn((await enter(url, phone)).JWT);
      });
      // Due, but the service does not run.
      await schedulePhone(before, userId, next, Date.now() - 86_400_000);
      await runs(['backup', 'create', '--to', path], before);
      const after = await place();
      await runs(['restore', path, '--yes'], after);
      const startedAt = Date.now();
      await on(after, async (url) => {
        await waitUntil('the old number is notified', async () =>
          (await messagesTo(url, phone)).find(({ text }) => /will change soon.*\/not-me#[\w-]{32}$/.test(text)),
        );
        const [event] = await phoneEvents(after, userId);
        assert.equal(event?.kind, 'phone.change-scheduled');
        assert.ok(Date.parse(String(event?.effectiveAt)) >= startedAt + 3_600_000);
        const { JWT } = await enter(url, phone);
        assert.equal(userIdIn(JWT), userId, 'the number has not changed');
        const { body } = await call(url, 'GET', '/api/auth/phone/change', { token: JWT });
        assert.equal(body.data, null, 'and its owner has cancelled the change by signing in');
      });
    });
  });
}
