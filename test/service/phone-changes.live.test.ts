// Two nodes on one database let the same scheduled changes of phone numbers take effect: each happens once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { phoneEvents, schedulePhone, userIdIn } from '../helpers/people/scheduled-phones.ts';
import { enter, me, messagesTo, outcomeOf } from '../helpers/people/users.ts';
import { newSigningKey, setWebhookReceiver } from '../helpers/people/webhook-receiver.ts';
import { newPhone } from '../helpers/requests/api.ts';
import { createTestClock, isolatedEnv, startGatehouse, storeKinds } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const key = newSigningKey();

for (const kind of storeKinds) {
  describe(`scheduled changes of phone numbers on two nodes, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);

    it('each change that two nodes find due has one audit event, one webhook and one notice, and both nodes refuse its sessions', async (context) => {
      const settings = { WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key };
      const { env, dispose } = await isolatedEnv(kind, settings, 'migrated');
      const clock = createTestClock();
      const options = { times: { loops: { phoneChangeMilliseconds: 10 }, webhooks: { pollMilliseconds: 25 } } };
      const shared = { PUBLIC_URL: `http://localhost:${env.PORT}`, ...env };
      const ports = [String(env.PORT), String(await freePort())];
      const nodes = await Promise.all(ports.map((PORT) => startGatehouse({ ...shared, PORT }, clock, options)));
      context.after(async () => {
        await Promise.all(nodes.map((node) => node.stop()));
        await dispose();
      });
      const [first = '', second = ''] = nodes.map(({ url }) => url);
      const users = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const { JWT, phone } = await enter(index % 2 === 0 ? first : second);
          const userId = userIdIn(JWT);
          await schedulePhone(env, userId, newPhone(), clock.now() + 60_000);
          return { JWT, phone, userId };
        }),
      );
      clock.advance(60);
      for (const url of [first, second])
        for (const { JWT } of users)
          await waitUntil(
            'the node refuses the session',
            async () => outcomeOf(await me(url, JWT)) === '401 SESSION_REVOKED',
          );
      for (const { userId, phone } of users) {
        const wanted = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
          type === 'user.phone_changed' && data.userId === userId;
        await receiver.expect(1, wanted);
        const notices = async () => (await messagesTo(first, phone)).filter(({ text }) => text.includes('/not-me#'));
        await waitUntil('the notice arrives', async () => (await notices()).length > 0);
        assert.equal((await notices()).length, 1);
        assert.deepEqual(
          (await phoneEvents(env, userId)).map((event) => event.kind),
          ['phone.changed'],
        );
        const events = await askStore(env, `select id from webhooks where type = 'user.phone_changed'`);
        assert.equal(events.length, users.length);
      }
    });
  });
}
