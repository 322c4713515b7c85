// An act that is repeated and changes nothing writes no second event, so that an app which acts on events cannot loop.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEveryStore } from '../helpers/store/test-store.ts';
import { repeatedActs } from './repeated-acts.ts';

/** The code of a binding is asked for again each time: a send. */
const isAsked = (kind: string) => kind === 'otp.requested';

onEveryStore('an act that is repeated', (open) => {
  const eventIds = async () => new Set((await open().rows('audit_events')).map(({ id }) => id));
  const eventsBut = async (known: ReadonlySet<string>) =>
    (await open().rows('audit_events'))
      .filter(({ id, kind }) => !known.has(id) && !isAsked(kind))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [kind, prepare] of Object.entries(repeatedActs)) {
    if (typeof prepare === 'string') continue;
    it(`${kind}: once, when it is done twice in turn`, async () => {
      const act = await prepare(open());
      const known = await eventIds();
      await act();
      const first = await eventsBut(known);
      assert.equal(first.filter((event) => event.kind === kind).length, 1, JSON.stringify(first));
      await act();
      assert.deepEqual(await eventsBut(known), first);
    });
    // A code that is asked for replaces the one before.
    if (kind === 'email.bound') continue;
    it(`${kind}: once, when it is done twice at the same time`, async () => {
      const act = await prepare(open());
      const known = await eventIds();
      await Promise.all([act(), act()]);
      assert.equal((await eventsBut(known)).filter((event) => event.kind === kind).length, 1);
    });
  }
});
