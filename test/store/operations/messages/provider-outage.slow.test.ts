// An outage of the only SMS provider, with the default limits of production: it suspends no country, and an attack still does.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import type { SendOutcome } from '../../../../src/messages/delivery/sender.ts';
import { asPhone } from '../../../helpers/people/ids.ts';
import { newPhone } from '../../../helpers/store/fixtures.ts';
import { onEveryStore, type TestStore } from '../../../helpers/store/test-store.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';
import { outageWorld } from './outage-world.ts';

const second = 1000;
const accepted: SendOutcome = { kind: 'accepted' };
const down: SendOutcome = { kind: 'refused', error: 'HTTP 503' };

let callers = 0;

function newCaller(): string {
  callers += 1;
  return `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
}

/** The worker of each world ends with its test. */
function useWorld(open: () => TestStore) {
  let world: ReturnType<typeof outageWorld> | undefined;
  afterEach(() => world?.end());
  return (answer: Parameters<typeof outageWorld>[1]) => {
    world = outageWorld(open().ports, answer);
    return world;
  };
}

onEveryStore('an outage of the provider', (open) => {
  const openWorld = useWorld(open);
  beforeEach(async () => {
    for (const table of ['limits', 'outbox', 'challenges']) await open().query(`delete from ${table}`);
  });

  it('refuses nobody while one new user a second asks for a code for five minutes, nor when it is over', async () => {
    let isDown = true;
    const world = openWorld(() => (isDown ? down : accepted));
    const waiting = new Map<string, number>();
    const asked: { phone: string; at: number }[] = [];
    for (let at = 0; at < 412; at++) {
      isDown = at < 300;
      const phone = newPhone();
      await world.ask({ phone, ip: newCaller() });
      asked.push({ phone, at });
      waiting.set(phone, at);
      if (at % 3 === 0) await world.deliver();
      // Three of four users type the code at once, if it has not nearly expired.
      for (const [known, since] of [...waiting].filter(([one]) => world.accepted.has(one))) {
        waiting.delete(known);
        if (Number(known.slice(5, 10)) % 4 !== 0 && at - since < 280) await world.use(asPhone(known));
      }
      world.pass(second);
    }
    await world.deliver();
    assert.deepEqual(world.refusals, []);
    const without = asked.filter(({ phone, at }) => at >= 300 && !world.accepted.has(phone));
    assert.deepEqual(without, [], 'everybody who asks after the outage gets a code');
  });

  it('suspends no country after it, however many codes waited, and whether or not their users still want them', async () => {
    let isDown = true;
    const world = openWorld(() => (isDown ? down : accepted));
    const ask = () => world.ask({ phone: newPhone(), ip: newCaller() });
    for (let at = 0; at < 60; at++) {
      await Promise.all(Array.from({ length: 5 }, ask));
      await world.deliver();
      world.pass(second);
    }
    isDown = false;
    for (let at = 0; at < 60; at++) {
      await world.deliver();
      world.pass(second);
      assert.equal(await ask(), 'passed');
    }
    assert.equal(world.refusals.length, 0);
  });

  it('does not hide an attack: the country is suspended after as many messages as without it', async () => {
    let isDown = true;
    const world = openWorld(() => (isDown ? down : accepted));
    const attack = async () => {
      let passed = 0;
      for (let count = 0; count < 400; count++) {
        if ((await world.ask({ phone: newPhone(), ip: newCaller() })) !== 'passed') break;
        passed += 1;
        if (count % 10 === 9) {
          await world.deliver();
          world.pass(second);
        }
      }
      return passed;
    };
    for (let at = 0; at < 20; at++) {
      assert.equal(await world.ask({ phone: newPhone(), ip: newCaller() }), 'passed');
      await world.deliver();
      world.pass(second);
    }
    await waitUntil('every code is set aside', async () =>
      (await open().rows('outbox')).every(({ counted }) => counted?.endsWith('"sms-use:DE"]]}')),
    );
    isDown = false;
    for (let at = 0; at < 120; at++) {
      await world.deliver();
      world.pass(second);
    }
    assert.equal(await attack(), 200);
  });
});

onEveryStore('an attack without an outage', (open) => {
  const openWorld = useWorld(open);
  beforeEach(async () => {
    for (const table of ['limits', 'outbox', 'challenges']) await open().query(`delete from ${table}`);
  });

  for (const [what, each] of [
    ['that a provider sends at once', 1],
    ['that is faster than the provider', 1000],
  ] as const) {
    it(`${what} is stopped after 200 messages`, async () => {
      const world = openWorld(() => accepted);
      let passed = 0;
      for (let count = 0; count < 300; count++) {
        if ((await world.ask({ phone: newPhone(), ip: newCaller() })) === 'passed') passed += 1;
        if (count % each === each - 1) await world.deliver();
      }
      await world.deliver();
      assert.equal(passed, 200);
      assert.equal(world.accepted.size, 200);
    });
  }
});
