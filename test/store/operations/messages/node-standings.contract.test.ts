// Contract of the standings of nodes: one for each node while it leaves something out, the newest, and none that is a day old.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NodeStanding, Omission, StandingStore } from '../../../../src/messages/delivery/node-standing.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { day, noon } from '../../../helpers/store/fixtures.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const twilio: Omission = { channel: 'sms', provider: 'twilio', since: noon };
const france: Omission = { channel: 'sms', provider: 'webhook-2', country: 'FR', since: noon - 1 };

onEveryStore('the standings of nodes', (open, kind) => {
  const standings = () => createOperatorPorts(open().store).standings;
  const standing = (node: string, omissions: readonly Omission[], seenAt = noon): NodeStanding => ({
    node,
    omissions,
    seenAt,
  });

  /** Another node with the same database. */
  async function withNode(work: (other: StandingStore) => Promise<void>): Promise<void> {
    const node = await openNode(kind, open().address, assert.fail);
    try {
      await work(createOperatorPorts(node).standings);
    } finally {
      await node.close();
    }
  }

  it('each node sees what every node leaves out, until that node says that all is well', async () => {
    assert.deepEqual(await standings().list({ now: noon }), []);
    await withNode(async (other) => {
      await standings().note(standing('a', [twilio, france]));
      await other.note(standing('b', [twilio]));
      for (const each of [standings(), other])
        assert.deepEqual(await each.list({ now: noon }), [standing('a', [twilio, france]), standing('b', [twilio])]);
      await standings().note(standing('a', [france], noon + 5000));
      assert.deepEqual(await other.list({ now: noon }), [
        standing('a', [france], noon + 5000),
        standing('b', [twilio]),
      ]);
      await standings().note(standing('a', []));
      await other.note(standing('never noted', []));
      assert.deepEqual(await standings().list({ now: noon }), [standing('b', [twilio])]);
    });
  });

  it('a node that ended without a word is listed for half a minute, and forgotten after a day when another one notes its standing', async () => {
    const nodesAt = async (now: number) => (await standings().list({ now })).map(({ node }) => node);
    assert.deepEqual(await nodesAt(noon + 29_999), ['b']);
    assert.deepEqual(await nodesAt(noon + 30_000), []);
    assert.deepEqual(await nodesAt(noon - 30_000), [], 'a clock that was set back lets it live no longer');
    await standings().note(standing('c', [twilio], noon + day));
    assert.deepEqual(await nodesAt(noon + day), ['c']);
    assert.deepEqual(await nodesAt(noon), ['b']);
    await standings().note(standing('c', [twilio], noon + day + 1));
    assert.deepEqual(await nodesAt(noon), []);
  });
});
