// Contract of the queues of webhooks: each user's queue gets its turn, each event is claimed by one node, and none is lost on the way back.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWebhooks } from '../../../../src/backend/webhooks/deliver-webhooks.ts';
import type { WebhookEndpoint } from '../../../../src/backend/webhooks/endpoint.ts';
import type { ClaimedWebhook, WebhookClaim } from '../../../../src/backend/webhooks/webhook-queue.ts';
import { createPorts } from '../../../../src/store/ports.ts';
import { noon } from '../../../helpers/store/fixtures.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const later = noon + 30_000;
const shown = (claimed: readonly ClaimedWebhook[]) => claimed.map(({ id, tries }) => `${id}:${tries}`);

onEveryStore('the queues of webhooks', (open, kind) => {
  const webhooks = () => open().ports.webhooks;
  let endpoint = '';
  let endpoints = 0;
  const claim = (more: Partial<WebhookClaim>, queue = webhooks()) =>
    queue.claim({ endpoint, now: noon, most: 9, mostOfQueue: 9, after: '', except: [], leaseSeconds: 30, ...more });
  const look = (now = noon) => webhooks().look({ endpoint, now });

  /** Queues events of users for a new endpoint: `ann 1` is one of ann. */
  async function queue(names: readonly string[], isOfOldVersion = false): Promise<void> {
    endpoint = `endpoint ${++endpoints}`;
    for (const [at, name] of names.entries()) {
      const [user = ''] = name.split(' ');
      const line = isOfOldVersion ? 'null' : `'${user}'`;
      const [id, event] = [`${name}`, `${endpoint} ${name}`];
      await open().query(`insert into webhooks
        (id, event_id, endpoint, type, state, tries, due_at, created_at, done_at, last_error, line) values
        ('${endpoints} ${id}', '${event}', '${endpoint}', 'user.created', 'queued', 0, ${noon - 100 + at}, ${noon}, null, null, ${line})
        returning id`);
      await open().query(`insert into audit_events (id, kind, user_id, recipient, detail, created_at) values
        ('${event}', 'user.created', '${user}', null, '{}', ${noon}) returning id`);
    }
  }
  const entries = (...names: string[]) => names.map((name) => `${endpoints} ${name}`);

  it('each queue has its turn before one has the next, and none that has its turn already', async () => {
    await queue(['ann 1', 'ann 2', 'ann 3', 'ann 4', 'ann 5', 'bob 1', 'cid 1', 'cid 2']);
    assert.deepEqual(shown(await claim({ most: 2, mostOfQueue: 2 })), entries('ann 1:1', 'ann 2:1', 'bob 1:1'));
    assert.deepEqual(shown(await claim({ most: 1, after: 'bob' })), entries('cid 1:1', 'cid 2:1'));
    assert.deepEqual(shown(await claim({ after: 'cid', except: ['ann'] })), []);
    assert.deepEqual(shown(await claim({ after: 'cid', mostOfQueue: 1 })), entries('ann 3:1'));
    assert.deepEqual(shown(await claim({ after: 'ann' })), entries('ann 4:1', 'ann 5:1'));
    assert.deepEqual(shown(await claim({})), []);
    assert.deepEqual(await look(), { isInQueue: false, isBack: false });
  });

  it('an event whose lease or pause is over joins its queue again, in the order of the times when they are due', async () => {
    await queue(['ann 1', 'ann 2', 'ann 3', 'bob 1']);
    const [first, second, third] = await claim({ mostOfQueue: 2 });
    assert.deepEqual(
      shown([first, second, third].flatMap((each) => each ?? [])),
      entries('ann 1:1', 'ann 2:1', 'bob 1:1'),
    );
    await webhooks().retry({ id: second?.id ?? '', dueAt: later - 1000, error: 'HTTP 500', behind: [] });
    await webhooks().finish({ id: third?.id ?? '', now: noon });
    assert.deepEqual(await look(later - 1001), { isInQueue: true, isBack: false });
    assert.equal(await webhooks().queueUp({ endpoint, now: later - 1001, most: 9 }), 0);
    assert.deepEqual(await look(later), { isInQueue: true, isBack: true });
    assert.equal(await webhooks().queueUp({ endpoint, now: later, most: 1 }), 1);
    assert.equal(await webhooks().queueUp({ endpoint, now: later, most: 9 }), 1);
    assert.deepEqual(await look(later), { isInQueue: true, isBack: false });
    assert.deepEqual(shown(await claim({ now: later })), entries('ann 3:1', 'ann 2:2', 'ann 1:2'));
  });

  it('an event whose try failed, and those behind it, are due again together, so none of them comes before it', async () => {
    await queue(['ann 1', 'ann 2', 'ann 3']);
    const [first, ...behind] = (await claim({})).map(({ id }) => id);
    // The lease of those behind ends while the first one is posted, and they join their queue meanwhile.
    assert.equal(await webhooks().queueUp({ endpoint, now: later, most: 9 }), 3);
    const retry = { id: first ?? '', dueAt: later + 1000, error: 'HTTP 500', behind };
    await webhooks().retry(retry);
    for (const now of [later, later + 999])
      assert.deepEqual(await look(now), { isInQueue: false, isBack: false }, 'none is due without the others');
    assert.equal(await webhooks().queueUp({ endpoint, now: later + 1000, most: 9 }), 3);
    assert.deepEqual(shown(await claim({ now: later + 1000 })), entries('ann 1:2', 'ann 2:1', 'ann 3:1'));
  });

  it('a receiver that is slower than a lease gets the events of a user in order, those of the next claim too', async () => {
    await queue(Array.from({ length: 40 }, (_, at) => `ann ${String(at).padStart(2, '0')}`));
    await open().query(`update webhooks set created_at = due_at where endpoint = '${endpoint}'`);
    let now = later;
    const posted: string[] = [];
    const all = Promise.withResolvers<void>();
    const post: WebhookEndpoint['post'] = async (id) => {
      posted.push(id);
      if (posted.length === 40) all.resolve();
      now += 1;
      await sleep(20);
      return { kind: 'delivered', status: 204 };
    };
    const parts = { webhooks: webhooks(), clock: { now: () => now }, report: () => undefined };
    const times = { leaseSeconds: 0.5, sendMilliseconds: 200, pollMilliseconds: 5 };
    const worker = startWebhooks({ ...parts, endpoints: [{ id: endpoint, host: 'app.example.com', post }] }, times);
    await all.promise;
    await worker.stop();
    assert.deepEqual(posted, posted.toSorted());
  });

  it('an event that is given back, or was queued by an older version, comes into the queue of its user', async () => {
    await queue(['ann 1', 'bob 1', 'ann 2'], true);
    assert.deepEqual(await look(), { isInQueue: false, isBack: true });
    assert.equal(await webhooks().queueUp({ endpoint, now: noon, most: 9 }), 3);
    const claimed = await claim({});
    assert.deepEqual(shown(claimed), entries('ann 1:1', 'ann 2:1', 'bob 1:1'));
    assert.deepEqual(
      claimed.map(({ queue: name, event }) => [name, event?.userId]),
      [
        ['ann', 'ann'],
        ['ann', 'ann'],
        ['bob', 'bob'],
      ],
    );
    await webhooks().release({ ids: claimed.map(({ id }) => id), dueAt: noon });
    assert.equal(await webhooks().queueUp({ endpoint, now: noon, most: 9 }), 3);
    assert.deepEqual(shown(await claim({})), entries('ann 1:1', 'ann 2:1', 'bob 1:1'));
  });

  it('two nodes that claim at the same time never get the same event, and together they get all', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `user${index % 5} ${100 + index}`);
    await queue(names);
    const other = await openNode(kind, open().address);
    const queues = [webhooks(), createPorts(other).webhooks];
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => claim({ mostOfQueue: 2 }, queues[index % 2])),
    );
    const rest = [await claim({ mostOfQueue: 40 }), await claim({ mostOfQueue: 40 })];
    await other.close();
    const ids = [...claims, ...rest].flat().map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), entries(...names).toSorted());
  });
});
