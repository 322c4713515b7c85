// The server of an app reads events: its cursor is checked, a call without news writes nothing, and no event is skipped.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EventReading, type EventStore, type PlacedEvent, writeCursor } from '../../src/backend/event-log.ts';
import { readEvents } from '../../src/backend/read-events.ts';
import { writeWebhook } from '../../src/backend/webhooks/webhook-event.ts';
import { asUserId } from '../helpers/people/ids.ts';

const era = '019a8f4e-6c1b-7d0a-9c55-0b8f3f1d2a44';
const cursor = (position: number) => writeCursor({ era, position });

const event = (position: number, kind = 'user.created'): PlacedEvent => ({
  id: `event ${position}`,
  kind,
  userId: asUserId('ann'),
  detail: { why: 'secret' },
  at: 1000,
  position,
});

function storeOf(first: EventReading, second?: Exclude<EventReading, { kind: 'behind' }>) {
  const asked: unknown[] = [];
  const events: EventStore = {
    read: async (query) => {
      asked.push(['read', query]);
      return first;
    },
    placeAndRead: async (query) => {
      asked.push(['place', query]);
      assert.ok(second);
      return second;
    },
  };
  return { asked, events };
}

const page = (list: readonly PlacedEvent[], position: number) => ({
  kind: 'page' as const,
  events: list,
  end: { era, position },
});

describe('reading events', () => {
  it('gives the events as webhooks post them, and the cursor that follows', async () => {
    const store = storeOf(page([event(4), event(5, 'user.blocked')], 7));
    const { events, next } = await readEvents(store, { after: cursor(3), limit: 2 });
    assert.deepEqual(
      events.map((one) => JSON.stringify(one)),
      [event(4), event(5, 'user.blocked')].map(writeWebhook),
    );
    assert.equal(next, cursor(7));
    assert.deepEqual(store.asked, [['read', { after: { era, position: 3 }, most: 2 }]]);
  });

  it('gives positions only if some events have none', async () => {
    const store = storeOf({ kind: 'behind' }, page([event(1)], 1));
    const { events, next } = await readEvents(store, { after: undefined, limit: 9 });
    assert.deepEqual([events.length, next], [1, cursor(1)]);
    const query = { after: undefined, most: 9 };
    assert.deepEqual(store.asked, [
      ['read', query],
      ['place', query],
    ]);
  });

  it('refuses a text that is no cursor before it asks the store', async () => {
    const store = storeOf({ kind: 'expired' });
    await assert.rejects(readEvents(store, { after: 'x', limit: 1 }), {
      code: 'REQUEST_INVALID',
      detail: { field: 'after' },
    });
    assert.deepEqual(store.asked, []);
  });

  for (const [name, store] of [
    ['at once', storeOf({ kind: 'expired' })],
    ['when positions are given', storeOf({ kind: 'behind' }, { kind: 'expired' })],
  ] as const)
    it(`refuses a cursor that is found too old ${name}`, () =>
      assert.rejects(readEvents(store, { after: cursor(1), limit: 1 }), { code: 'CURSOR_EXPIRED' }));

  it('ends a page before an event that only a later version knows', async () => {
    const store = storeOf(page([event(4), event(5, 'user.merged'), event(6)], 6));
    const { events, next } = await readEvents(store, { after: cursor(3), limit: 3 });
    assert.deepEqual([events.map(({ id }) => id), next], [['event 4'], cursor(4)]);
  });
});
