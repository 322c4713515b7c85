// Messages that a node holds in memory: if it is killed they are sent after their lease, and if it stops they are given back at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPhone, sendOtp } from '../helpers/api.ts';
import { createTestClock, isolatedEnv, spawnGatehouse, startGatehouse, tierStoreKinds } from '../helpers/gatehouse.ts';
import { freePort } from '../helpers/postgres-server.ts';
import { allSent, askStore } from '../helpers/raw-store.ts';
import { setSmsRecorder } from '../helpers/sms-recorder.ts';
import { told } from '../helpers/users.ts';

const noLimits = {
  OTP_RESEND_AFTER: 'off',
  LIMIT_SENDS_PER_IP: 'off',
  LIMIT_SENDS_PER_RECIPIENT: 'off',
  SMS_LIMIT_PER_PREFIX: 'off',
  SMS_UNUSED_SHARE: 'off',
};
/** More than a node sends at once. */
const many = 60;

for (const kind of tierStoreKinds) {
  describe(`messages in the memory of a node, on ${kind}`, () => {
    const recorder = setSmsRecorder();

    /** A node with a provider that never answers: it holds all messages, and has begun to send only some of them. */
    const startHolding = async () => {
      const { env, dispose } = await isolatedEnv(kind, { SMS_URL: recorder.url, ...noLimits });
      recorder.answer(200);
      const node = await spawnGatehouse(env);
      const first = newPhone();
      await sendOtp(node.url, first);
      await recorder.expect(first, 1);
      await allSent(env);
      recorder.answer('silence');
      const phones = Array.from({ length: many }, newPhone);
      const answers = await Promise.all(phones.map((phone) => sendOtp(node.url, phone)));
      assert.deepEqual(new Set(answers.map(told)), new Set(['200']));
      const states = await askStore(env, 'select state, count(*) as count from outbox group by state');
      assert.deepEqual(
        states.map(({ state, count }) => [state, Number(count)]),
        [['sending', many]],
      );
      return { env, dispose, node, phones };
    };
    const unbegun = (phones: readonly string[]) => phones.filter((phone) => recorder.to(phone).length === 0);

    it('if a node is killed between commit and delivery, another sends the message once when the lease ends', async (context) => {
      const { env, dispose, node, phones } = await startHolding();
      await node.stop('SIGKILL');
      const waiting = unbegun(phones);
      assert.notEqual(waiting.length, 0);
      recorder.answer(200);
      const clock = createTestClock();
      const successor = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock);
      context.after(async () => {
        await successor.stop();
        await dispose();
      });
      const probe = newPhone();
      await sendOtp(successor.url, probe);
      await recorder.expect(probe, 1);
      assert.deepEqual(unbegun(phones), waiting, 'the lease of the killed node still holds');
      clock.advance(21);
      await sendOtp(successor.url, newPhone());
      await Promise.all(waiting.map((phone) => recorder.expect(phone, 1)));
      await allSent(env);
      assert.deepEqual(new Set(waiting.map((phone) => recorder.to(phone).length)), new Set([1]));
    });

    it('a node that stops gives back what it has not begun, and another sends it at once and once', async (context) => {
      const { env, dispose, node, phones } = await startHolding();
      await node.stop('SIGTERM');
      const waiting = unbegun(phones);
      assert.notEqual(waiting.length, 0);
      const rows = await askStore(env, "select payload from outbox where state = 'queued' and tries = 0");
      assert.equal(rows.length, waiting.length);
      recorder.answer(200);
      const clock = createTestClock();
      const successor = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock);
      context.after(async () => {
        await successor.stop();
        await dispose();
      });
      await Promise.all(waiting.map((phone) => recorder.expect(phone, 1)));
      assert.deepEqual(new Set(waiting.map((phone) => recorder.to(phone).length)), new Set([1]));
    });
  });
}
