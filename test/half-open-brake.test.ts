// The brake on codes that nobody uses, as a rule alone: closed, half-open, and what a pump of six hours gets out of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countUse, isHeldBack, isPumped, type UseSlot } from '../src/abuse/sms-brake.ts';

const rule = { share: 0.8, least: 50 };
const minute = 60_000;
const slot = 10 * minute;
const noon = Date.UTC(2031, 4, 5, 12);

/** A country's messages, and who asks for them. */
function createCountry() {
  let slots: readonly UseSlot[] = [];
  const country = {
    sent: 0,
    /** False where the brake holds it. */
    send: (now: number, opened = 1): boolean => {
      if (isHeldBack(slots, rule, now)) return false;
      slots = countUse(slots, now, now, { opened, sent: 1 });
      country.sent += 1;
      return true;
    },
    use: (openedAt: number, now: number): void => {
      slots = countUse(slots, openedAt, now, { used: 1 });
    },
    isPumped: (now: number) => isPumped(slots, rule, now),
  };
  return country;
}

describe('the brake on unused codes', () => {
  const pumped = () => {
    const country = createCountry();
    for (let count = 0; count < 50; count++) assert.ok(country.send(noon));
    return country;
  };

  it('is closed in the first slot in which it holds, and half-open from the next', () => {
    const country = pumped();
    assert.equal(country.send(noon + 2 * slot), false);
    assert.equal(country.send(noon + 3 * slot - 1), false);
    for (const expected of [true, true, true, false]) assert.equal(country.send(noon + 3 * slot), expected);
    assert.equal(country.send(noon + 4 * slot), true);
  });

  it('lets whoever comes honestly through within ten minutes of a pump that has ended, and everybody soon after', () => {
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
    assert.equal(refused, 10, 'only those of the closed slot');
  });

  it('lets a rush through at the pace at which its codes are used', () => {
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

  it('holds a pump of six hours, however fast, to fewer than 400 messages', (context) => {
    const paces = [1, 3, 10, 60, 250];
    const totals = paces.map((perMinute) => {
      const country = createCountry();
      for (let now = noon; now < noon + 36 * slot; now += minute) {
        // Repeated codes open none, and are messages all the same.
        for (let count = 0; count < perMinute; count++) country.send(now, count % 3 === 0 ? 1 : 0);
      }
      return country.sent;
    });
    context.diagnostic(`messages in six hours at ${paces.join(', ')} a minute: ${totals.join(', ')}`);
    assert.ok(Math.max(...totals) < 400, totals.join(' '));
  });

  it('holds a pump that knows the rule and stays below each of its counts as long as it can', () => {
    const country = createCountry();
    const plan = [49, 150, 49];
    plan.forEach((count, index) => {
      for (let sent = 0; sent < count; sent++) country.send(noon + index * slot);
    });
    for (let now = noon + 3 * slot; now < noon + 36 * slot; now += minute) country.send(now);
    assert.ok(country.sent < 400, `${country.sent}`);
  });

  it('does not mistake a rush for a pump: it opens again as soon as a fifth of the codes is used', () => {
    const country = createCountry();
    for (let count = 0; count < 200; count++) assert.ok(country.send(noon));
    assert.equal(country.send(noon), false, 'two hundred messages and not one code used');
    for (let count = 0; count < 41; count++) country.use(noon, noon + minute);
    assert.equal(country.send(noon + minute), true);
    assert.equal(country.isPumped(noon + minute), false);
  });

  it('never holds a country where most codes are used', () => {
    const country = createCountry();
    for (let now = noon; now < noon + 36 * slot; now += minute) {
      for (let count = 0; count < 10; count++) {
        assert.ok(country.send(now));
        if (count < 3) country.use(now, now);
      }
    }
  });
});
