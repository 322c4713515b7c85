// A provider that hangs, fails or asks to wait: what it costs its users beside another provider, and alone.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { allSent, askStore } from '../helpers/databases/raw-store.ts';
import { type RecorderAnswer, setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { newPhone, sendOtp } from '../helpers/requests/api.ts';
import { isolatedEnv, startGatehouse, type TestEnv, tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { noSendLimits } from '../helpers/services/no-send-limits.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/**
 * Short, so that the test is: with the real ones a time-out takes four seconds (`test/faults/provider-faults.slow.test.ts`). The
 * first is for a provider that hangs beside another, the last for one that answers, on a busy machine too.
 */
const times = { delivery: { sendMilliseconds: 300, lastSendMilliseconds: 3000 } };

for (const kind of tierStoreKinds) {
  describe(`a provider that fails, on ${kind}`, () => {
    const [first, second] = [setSmsRecorder(), setSmsRecorder()];

    const start = async (context: TestContext, settings: TestEnv) => {
      const { env, dispose } = await isolatedEnv(kind, { ...settings, ...noSendLimits });
      const node = await startGatehouse(env, undefined, { times });
      context.after(async () => {
        await node.stop();
        await dispose();
      });
      const send = async () => {
        const phone = newPhone();
        assert.equal(outcomeOf(await sendOtp(node.url, phone)), '200');
        return phone;
      };
      return { env, send };
    };
    const sendMany = (send: () => Promise<string>, count: number) => Promise.all(Array.from({ length: count }, send));

    const faults: [what: string, answer: RecorderAnswer][] = [
      ['hangs', 'silence'],
      ['breaks every connection off', 'cut'],
      ['fails', 500],
      ['asks to wait', 'busy'],
    ];
    for (const [what, answer] of faults) {
      it(`that ${what} costs no code beside another one, is left alone, and is taken back`, async (context) => {
        const { env, send } = await start(context, { SMS_URL: `${first.url} ${second.url}` });
        first.answer(answer);
        const begun = performance.now();
        const phones = await sendMany(send, 4);
        for (const phone of phones) assert.equal((await second.expect(phone, 1)).length, 1);
        const asked = first.received.length;
        const later = await sendMany(send, 12);
        for (const phone of later) assert.equal((await second.expect(phone, 1)).length, 1);
        // A probe each second at the most. After the two seconds that it asked for, all may go to it until it answers.
        if (answer !== 'busy' || performance.now() - begun < 2000)
          assert.ok(first.received.length - asked <= 4, `${first.received.length - asked} of 12 went to it`);
        first.answer(200);
        await waitUntil('it is taken back', async () => {
          const phone = await send();
          await waitUntil('it arrived', async () => first.to(phone).length + second.to(phone).length > 0);
          return first.to(phone).length > 0 && second.to(phone).length === 0;
        });
        await allSent(env);
        for (const phone of [...phones, ...later]) {
          assert.ok(first.to(phone).length <= 1);
          assert.equal(second.to(phone).length, 1);
        }
        assert.deepEqual(await askStore(env, 'select id from outbox'), []);
      });
    }

    it('that hangs and is the only one costs the codes that probed it, and all others wait until it is back', async (context) => {
      const { env, send } = await start(context, { SMS_URL: first.url });
      first.answer('silence');
      await sendMany(send, 4);
      await waitUntil(
        'some were given up',
        async () => (await askStore(env, "select id from outbox where state = 'parked'")).length > 0,
      );
      const waiting = await sendMany(send, 40);
      first.answer(200);
      for (const phone of waiting) await first.expect(phone, 1);
      await allSent(env);
      for (const phone of waiting) assert.ok(first.to(phone).length <= 2);
      const parked = await askStore(env, "select id from outbox where state = 'parked'");
      assert.ok(parked.length <= 5, `${parked.length} codes were lost`);
    });

    it('that asks to wait and is the only one gets each code when the time is over, and none is lost', async (context) => {
      const { env, send } = await start(context, { SMS_URL: first.url });
      let busyUntil = Number.POSITIVE_INFINITY;
      first.answer(() => (performance.now() < busyUntil ? 'busy' : 200));
      const [phone = ''] = await sendMany(send, 1);
      await first.expect(phone, 1);
      busyUntil = performance.now() + 2000;
      const startedAt = performance.now();
      const others = await sendMany(send, 30);
      for (const one of [phone, ...others]) await first.expect(one, one === phone ? 2 : 1);
      assert.ok(performance.now() - startedAt > 1500);
      await allSent(env);
      // It was asked again when it had said, and no earlier.
      assert.ok(others.every((one) => first.to(one).length <= 2));
      assert.deepEqual(await askStore(env, 'select id from outbox'), []);
    });

    it('that announces a rate is sent no more, and gets them all', async (context) => {
      const { env, send } = await start(context, { SMS_URL: `${first.url}?rate=20` });
      first.answer(200);
      const startedAt = performance.now();
      const phones = await sendMany(send, 40);
      await allSent(env);
      for (const phone of phones) assert.notEqual(first.to(phone).length, 0);
      // 40 at 20 a second, without the burst.
      assert.ok(performance.now() - startedAt > 1700);
    });
  });
}
