// Providers that are left out, as staff and the doctor see them: of each node, of all of them, and of one that was killed.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { type Undo, undoAfter } from '../../helpers/faults/undo.ts';
import { setSmsRecorder } from '../../helpers/people/sms-recorder.ts';
import { enterStaff, issueTo } from '../../helpers/people/staff.ts';
import { outcomeOf } from '../../helpers/people/users.ts';
import { newPhone, sendOtp } from '../../helpers/requests/api.ts';
import {
  type Gatehouse,
  isolatedEnv,
  spawnGatehouse,
  startGatehouse,
  type TestClock,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';
import { noSendLimits } from '../../helpers/services/no-send-limits.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const quick = { times: { loops: { standingMilliseconds: 20 } } };

type LeftOut = { channel: string; provider: string; countries: string[]; nodes: number; since: string };

for (const kind of tierStoreKinds) {
  describe(`providers that are left out, on ${kind}`, () => {
    const [first, second, third] = [setSmsRecorder(), setSmsRecorder(), setSmsRecorder()];

    const place = async (context: TestContext) => {
      const undo = undoAfter(context);
      const isolated = await isolatedEnv(kind, noSendLimits, 'migrated');
      undo(isolated.dispose);
      const env: TestEnv = { PUBLIC_URL: `http://localhost:${isolated.env.PORT}`, ...isolated.env };
      return { env, undo };
    };
    const start = async (undo: Undo, env: TestEnv, options: ServiceOptions, clock?: TestClock) => {
      const node = await startGatehouse({ ...env, PORT: String(await freePort()) }, clock, options);
      let stopping: Promise<void> | undefined;
      const stop = () => {
        stopping ??= node.stop();
        return stopping;
      };
      undo(stop);
      return { url: node.url, stop, leftOut: await staffOf(node) };
    };
    const staffOf = async ({ url, service }: Gatehouse) => {
      const { token } = await issueTo(service, service.store.clock, 'Ada', 3600, 'viewer');
      const { ask } = await enterStaff(url, token);
      return async (): Promise<LeftOut[]> => (await ask('GET /overview')).data.leftOutProviders;
    };
    /** Any node may deliver a message, so more are sent until it is so. */
    const sendUntil = (urls: readonly string[], what: string, isSo: () => Promise<boolean>) =>
      waitUntil(what, async () => {
        for (const url of urls) assert.equal(outcomeOf(await sendOtp(url, newPhone())), '200');
        return isSo();
      });
    const deliveryOf = async (env: TestEnv): Promise<string[]> => {
      const { stdout } = await runCommand(['doctor', '--json'], env);
      const { findings } = JSON.parse(stdout) as { findings: { name: string; state: string; detail: string }[] };
      return findings.filter(({ name }) => name === 'delivery').map(({ state, detail }) => `${state} ${detail}`);
    };

    it('are reported by every node and the doctor, with how many nodes leave them out, until they are taken back', async (context) => {
      const { env, undo } = await place(context);
      const nodes = [
        await start(undo, { ...env, SMS_URL: `${first.url} ${second.url}` }, quick),
        await start(undo, { ...env, SMS_URL: `${third.url} ${second.url}` }, quick),
      ];
      const urls = nodes.map(({ url }) => url);
      const listsOf = () => Promise.all(nodes.map(({ leftOut }) => leftOut()));
      const become = (count: number) =>
        sendUntil(urls, `${count} nodes leave it out`, async () =>
          (await listsOf()).every(([one]) => (one?.nodes ?? 0) === count),
        );
      third.answer(200);
      first.answer(200);
      assert.deepEqual(await listsOf(), [[], []]);
      const begun = Date.now();
      first.answer(500);
      await become(1);
      for (const [one = assert.fail(), ...others] of await listsOf()) {
        const { since, ...rest } = one;
        assert.deepEqual(rest, { channel: 'sms', provider: 'webhook', countries: [], nodes: 1 });
        // The clock of the database may differ by a little.
        assert.ok(Math.abs(Date.parse(since) - begun) < 60_000, since);
        assert.deepEqual(others, []);
      }
      third.answer(500);
      await become(2);
      const [line = '', ...others] = await deliveryOf(env);
      assert.match(line, /^doubtful sms webhook is left out on 2 nodes since 20/);
      assert.deepEqual(others, []);
      first.answer(200);
      await become(1);
      third.answer(200);
      await become(0);
      assert.deepEqual(await deliveryOf(env), []);
      assert.deepEqual(await askStore(env, 'select id from node_standings'), []);
    });

    it('by a node that was killed are no longer reported after half a minute', async (context) => {
      const { env, undo } = await place(context);
      let ahead = 0;
      const clock = {
        now: () => Date.now() + ahead,
        advance: (seconds: number) => {
          ahead += seconds * 1000;
        },
      };
      const { leftOut } = await start(undo, { ...env, SMS_URL: second.url }, {}, clock);
      const killed = await spawnGatehouse({ ...env, SMS_URL: `${first.url} ${second.url}` });
      undo(() => killed.stop('SIGKILL'));
      first.answer('cut');
      await sendUntil([killed.url], 'it is reported', async () => (await leftOut()).length > 0);
      assert.deepEqual(
        (await leftOut()).map(({ provider, nodes }) => [provider, nodes]),
        [['webhook', 1]],
      );
      assert.match((await deliveryOf(env)).join(), /^doubtful sms webhook is left out on 1 node since/);
      await killed.stop('SIGKILL');
      assert.equal((await askStore(env, 'select id from node_standings')).length, 1);
      clock.advance(30);
      assert.deepEqual(await leftOut(), []);
      await askStore(env, 'update node_standings set seen_at = seen_at - 30000');
      assert.deepEqual(await deliveryOf(env), []);
    });

    it('by a node that stops are no longer reported', async (context) => {
      const { env, undo } = await place(context);
      const { leftOut } = await start(undo, { ...env, SMS_URL: second.url }, quick);
      const node = await start(undo, { ...env, SMS_URL: `${first.url} ${second.url}` }, quick);
      first.answer(500);
      await sendUntil([node.url], 'it is reported', async () => (await leftOut()).length > 0);
      await node.stop();
      assert.deepEqual(await leftOut(), []);
    });
  });
}
