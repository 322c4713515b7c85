// The spending brake on unused codes, as a pure rule: when it trips, what it lets through, and how much six hours of pumping get.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countUse, hasUnusedCodes, isSuspended, type UseSlot } from '../../src/abuse/sms-brake.ts';

const rule = { share: 0.8, least: 50 };
const minute = 60_000;
const slot = 10 * minute;
const noon = Date.UTC(2031, 4, 5, 12);

/** The messages of a country and the users who request them. */
function createCountry() {
  let slots: readonly UseSlot[] = [];
  const country = {
    sent: 0,
    /** False if the brake refuses the message. */
    send: (now: number, opened = 1): boolean => {
      if (isSuspended(slots, rule, now)) return false;
      slots = countUse(slots, now, now, { opened, sent: 1 });
      country.sent += 1;
      return true;
    },
    use: (openedAt: number, now: number): void => {
      slots = countUse(slots, openedAt, now, { used: 1 });
    },
    hasUnusedCodes: (now: number) => hasUnusedCodes(slots, rule, now),
  };
  return country;
}

describe('the brake on unused codes', () => {
  const pumped = () => {
    const country = createCountry();
    for (let count = 0; count < 50; count++) assert.ok(country.send(noon));
    return country;
  };

  it('the brake on unused codes refuses everything in the slot in which it trips, and lets three messages per slot through afterwards', () => {
    const country = pumped();
    assert.equal(country.send(noon + 2 * slot), false);
    assert.equal(country.send(noon + 3 * slot - 1), false);
    for (const expected of [true, true, true, false]) assert.equal(country.send(noon + 3 * slot), expected);
    assert.equal(country.send(noon + 4 * slot), true);
  });

  it('the brake on unused codes lets honest users through within ten minutes after pumping ends', () => {
    const country = pumped();
    let refused = 0;
    let firstAt = 0;
    // A sign-in every minute, the code used half a minute later.
    for (let now = noon + 2 * slot; now < noon + 6 * slot; now += minute) {
      if (!country.send(now)) {
        refused += 1;
        continue;
      }
      firstAt ||= now;
      country.use(now, now + minute / 2);
    }
    assert.equal(firstAt, noon + 3 * slot);
    assert.equal(refused, 10, 'only those of the slot in which it tripped');
  });

  it('the brake on unused codes lets a rush through as fast as its codes are used', () => {
    const country = pumped();
    const now = noon + 3 * slot;
    let passed = 0;
    for (let round = 0; round < 5; round++) {
      const opened = Array.from({ length: 40 }).filter(() => country.send(now + round * minute)).length;
      for (let count = 0; count < opened; count++) country.use(now, now + round * minute + 30_000);
      passed += opened;
    }
    assert.ok(passed >= 100, `${passed} of 200`);
  });

  it('the brake on unused codes holds six hours of pumping, at any pace, below 400 messages', (context) => {
    const paces = [1, 3, 10, 60, 250];
    const totals = paces.map((perMinute) => {
      const country = createCountry();
      for (let now = noon; now < noon + 36 * slot; now += minute) {
        // Repeated codes open no new code but are messages all the same.
        for (let count = 0; count < perMinute; count++) country.send(now, count % 3 === 0 ? 1 : 0);
      }
      return country.sent;
    });
    context.diagnostic(`messages in six hours at ${paces.join(', ')} a minute: ${totals.join(', ')}`);
    assert.ok(Math.max(...totals) < 400, totals.join(' '));
  });

  it('the brake on unused codes holds an attacker who knows the rule below 400 messages', () => {
    const country = createCountry();
    const plan = [49, 150, 49];
    plan.forEach((count, index) => {
      for (let sent = 0; sent < count; sent++) country.send(noon + index * slot);
    });
    for (let now = noon + 3 * slot; now < noon + 36 * slot; now += minute) country.send(now);
    assert.ok(country.sent < 400, `${country.sent}`);
  });

  it('the brake on unused codes goes off again once a fifth of the codes of a rush are used', () => {
    const country = createCountry();
    for (let count = 0; count < 200; count++) assert.ok(country.send(noon));
    assert.equal(country.send(noon), false, 'two hundred messages and not one code used');
    for (let count = 0; count < 41; count++) country.use(noon, noon + minute);
    assert.equal(country.send(noon + minute), true);
    assert.equal(country.hasUnusedCodes(noon + minute), false);
  });

  it('the brake on unused codes never trips for a country where most codes are used', () => {
    const country = createCountry();
    for (let now = noon; now < noon + 36 * slot; now += minute) {
      for (let count = 0; count < 10; count++) {
        assert.ok(country.send(now));
        if (count < 3) country.use(now, now);
      }
    }
  });
});
