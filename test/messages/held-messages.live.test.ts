// Messages that a node holds in memory: sent at once by the next start if its node was alone, by another node after their lease, and given back by a stop.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { smallestWindow } from '../../src/messages/delivery/send-window.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { allSent, askStore } from '../helpers/databases/raw-store.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { newPhone, sendOtp } from '../helpers/requests/api.ts';
import {
  createTestClock,
  isolatedEnv,
  spawnGatehouse,
  startGatehouse,
  tierStoreKinds,
} from '../helpers/services/gatehouse.ts';
import { noSendLimits } from '../helpers/services/no-send-limits.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** More than a node sends at once. */
const many = 60;

for (const kind of tierStoreKinds) {
  describe(`messages in the memory of a node, on ${kind}`, () => {
    const recorder = setSmsRecorder();

    /** A node with a provider that never answers: it holds all messages, and has begun to send only some of them. */
    const startHolding = async (context: TestContext) => {
      const undo = undoAfter(context);
      const { env, dispose } = await isolatedEnv(kind, { SMS_URL: recorder.url, ...noSendLimits });
      undo(dispose);
      recorder.answer('hold');
      const node = await spawnGatehouse(env);
      undo(() => node.stop('SIGKILL'));
      const first = newPhone();
      await sendOtp(node.url, first);
      await recorder.expect(first, 1);
      // A send is late after four times the usual time. With a quick provider the node would give back what it holds a second later.
      await sleep(2000);
      recorder.release();
      await allSent(env);
      recorder.answer('silence');
      const phones = Array.from({ length: many }, newPhone);
      const answers = await Promise.all(phones.map((phone) => sendOtp(node.url, phone)));
      assert.deepEqual(new Set(answers.map(outcomeOf)), new Set(['200']));
      await waitUntil('it has begun all that it sends at once', () => unbegun(phones).length <= many - smallestWindow);
      const states = await askStore(env, 'select state from outbox');
      assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(['claimed', 'sending']));
      assert.equal(states.length, many);
      return { env, node, undo, phones };
    };
    const unbegun = (phones: readonly string[]) => phones.filter((phone) => recorder.to(phone).length === 0);

    it('if a node is killed between commit and delivery while another one runs, that one sends the message once when the lease ends', async (context) => {
      const { env, node, undo, phones } = await startHolding(context);
      // Otherwise its sends may end while the other one starts.
      node.child.kill('SIGSTOP');
      const clock = createTestClock();
      const other = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock);
      undo(other.stop);
      await node.stop('SIGKILL');
      const waiting = unbegun(phones);
      assert.notEqual(waiting.length, 0);
      recorder.answer(200);
      const probe = newPhone();
      await sendOtp(other.url, probe);
      await recorder.expect(probe, 1);
      assert.deepEqual(unbegun(phones), waiting, 'the lease of the killed node still holds');
      clock.advance(21);
      await sendOtp(other.url, newPhone());
      await Promise.all(waiting.map((phone) => recorder.expect(phone, 1)));
      await allSent(env);
      assert.deepEqual(new Set(waiting.map((phone) => recorder.to(phone).length)), new Set([1]));
    });

    it('if the only node on a file is killed, the next start sends what it held at once, and what it had begun once more at most', {
      skip: kind !== 'sqlite' && 'other nodes of PostgreSQL may live',
    }, async (context) => {
      const { env, node, undo, phones } = await startHolding(context);
      await node.stop('SIGKILL');
      recorder.answer(200);
      // Its clock stands still while they are sent, so no lease ends.
      const clock = createTestClock();
      const successor = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock);
      undo(successor.stop);
      const begun = phones.filter((phone) => recorder.to(phone).length > 0);
      const waiting = unbegun(phones);
      await Promise.all(waiting.map((phone) => recorder.expect(phone, 1)));
      // What was begun waits for a second, by the clock of the machine at the start.
      clock.advance((Date.now() - clock.now()) / 1000 + 2);
      await allSent(env);
      assert.deepEqual(new Set(waiting.map((phone) => recorder.to(phone).length)), new Set([1]));
      assert.ok(begun.every((phone) => recorder.to(phone).length <= 2));
    });

    it('after a kill under load, the next start delivers every acknowledged code within three seconds, each once', {
      skip: kind !== 'sqlite' && 'other nodes of PostgreSQL may live',
    }, async (context) => {
      const { env, dispose } = await isolatedEnv(kind, noSendLimits);
      const node = await spawnGatehouse(env);
      const acknowledged: string[] = [];
      let isOver = false;
      const senders = Array.from({ length: 24 }, async () => {
        while (!isOver) {
          const phone = newPhone();
          const answer = await sendOtp(node.url, phone).catch(() => undefined);
          if (answer?.status === 200) acknowledged.push(phone);
        }
      });
      await waitUntil('codes were sent', async () => acknowledged.length > 200);
      await node.stop('SIGKILL');
      isOver = true;
      await Promise.all(senders);
      const successor = await spawnGatehouse(env);
      const readyAt = performance.now();
      context.after(async () => {
        await successor.stop();
        await dispose();
      });
      await allSent(env);
      assert.ok(performance.now() - readyAt < 3000);
      const kept = (await askStore(env, 'select recipient from inbox')).map(({ recipient }) => recipient);
      assert.deepEqual(new Set(acknowledged).difference(new Set(kept)), new Set());
      assert.equal(new Set(kept).size, kept.length);
      assert.deepEqual(await askStore(env, 'select id from outbox'), []);
    });

    it('a node that starts beside another one takes none of its messages', async (context) => {
      const { env, node, undo, phones } = await startHolding(context);
      // Otherwise its sends may end while the other one starts.
      node.child.kill('SIGSTOP');
      const rows = () => askStore(env, 'select id, state, tries, doubts, due_at from outbox order by id');
      // What it had asked of the database before it was stopped is still done.
      let before = await rows();
      await waitUntil(
        'nothing changes',
        async () => {
          const last = before;
          before = await rows();
          return isDeepStrictEqual(last, before);
        },
        100,
      );
      const other = await startGatehouse({ ...env, PORT: String(await freePort()) }, createTestClock());
      undo(other.stop);
      const probe = newPhone();
      recorder.answer(200);
      await sendOtp(other.url, probe);
      await recorder.expect(probe, 1);
      const held = new Set(before.map(({ id }) => id));
      const after = await rows();
      assert.equal(phones.length, before.length);
      assert.deepEqual(
        after.filter(({ id }) => held.has(id)),
        before,
      );
    });

    it('a node that stops gives back what it has not begun, and another sends it at once and once', async (context) => {
      const { env, node, undo, phones } = await startHolding(context);
      await node.stop('SIGTERM');
      const waiting = unbegun(phones);
      assert.notEqual(waiting.length, 0);
      const rows = await askStore(env, "select payload from outbox where state = 'queued' and tries = 0");
      assert.equal(rows.length, waiting.length);
      recorder.answer(200);
      const clock = createTestClock();
      const successor = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock);
      undo(successor.stop);
      await Promise.all(waiting.map((phone) => recorder.expect(phone, 1)));
      assert.deepEqual(new Set(waiting.map((phone) => recorder.to(phone).length)), new Set([1]));
    });
  });
}
