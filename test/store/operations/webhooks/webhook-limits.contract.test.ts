// A full queue of webhooks: commits succeed and queue nothing for that endpoint, the events stay readable and can be replayed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { limitQueues } from '../../../../src/backend/webhooks/limit-queues.ts';
import { createOperatorPorts, createPorts } from '../../../../src/store/ports.ts';
import { newPhone, noon, signIn } from '../../../helpers/store/fixtures.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

onEveryStore('the bound of a queue of webhooks', (open, kind) => {
  it('a full queue takes no new event, delays no sign-in and leaves other endpoints alone, until it has room', async (test) => {
    const node = await openNode(kind, open().address, undefined, ['slow', 'good']);
    test.after(() => node.close());
    const ports = createPorts(node);
    /** A node that knows no endpoint, such as the command line, judges the same. */
    const limit = (now: number, endpoint = 'slow') => open().ports.webhooks.limit({ endpoint, most: 4, room: 3, now });
    const waiting = async () => {
      const rows = (await open().rows('webhooks')).filter((row) => row.done_at === null);
      return ['slow', 'good'].map((endpoint) => rows.filter((row) => row.endpoint === endpoint).length);
    };
    const room = { fullSince: undefined };
    const full = { fullSince: noon + 1 };

    await signIn(ports, newPhone(), noon);
    assert.deepEqual(await waiting(), [2, 2]);
    assert.deepEqual(await limit(noon), { before: room, after: room });
    await signIn(ports, newPhone(), noon);
    assert.deepEqual(await limit(noon + 1), { before: room, after: full });
    assert.deepEqual(await limit(noon + 2), { before: full, after: full });

    const { userId } = await signIn(ports, newPhone(), noon + 3);
    assert.deepEqual(await waiting(), [4, 6]);
    assert.deepEqual(await limit(noon, 'good'), { before: room, after: { fullSince: noon } });
    await open().query("update webhooks set done_at = 1, state = 'delivered' where endpoint = 'slow' returning id");
    assert.deepEqual(await limit(noon + 4), { before: full, after: room });

    const missed = (await open().rows('audit_events')).filter((row) => row.user_id === userId && row.order_no !== null);
    assert.equal(missed.length, 2);
    const { webhookLog } = createOperatorPorts(node);
    await webhookLog.replay({ ids: missed.map(({ id }) => id), most: 9, endpoints: ['slow'], now: noon + 5 });
    assert.equal((await waiting())[0], 2);
    await signIn(ports, newPhone(), noon + 6);
    assert.deepEqual(await waiting(), [4, 6]);
  });

  it('a service judges every endpoint by the usual bound, and tells a change once', async () => {
    const deps = { webhooks: open().ports.webhooks, clock: { now: () => noon } };
    const reports = await limitQueues(deps, ['slow', 'new']);
    assert.deepEqual(reports, [
      { endpoint: 'slow', fullSince: undefined, missedSince: undefined, isNews: false },
      { endpoint: 'new', fullSince: undefined, missedSince: undefined, isNews: false },
    ]);
  });
});
