// Tests how the requests of one IP address are counted: no double burst where two windows meet, and bounded memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateGuard } from '../../../src/http/guards/rate.ts';

const rule = { count: 100, windowSeconds: 60 };

describe('the limit of requests', () => {
  /** How many of that many requests at once pass. */
  const passing = (check: (address: string) => void, address: string, tries: number) =>
    Array.from({ length: tries }).filter(() => {
      try {
        check(address);
        return true;
      } catch {
        return false;
      }
    }).length;

  const waitOf = (refused: () => void): number => {
    try {
      refused();
    } catch (refusal) {
      return (refusal as { detail: { retryAfterSeconds: number } }).detail.retryAfterSeconds;
    }
    return 0;
  };

  it('the request limit allows no double burst where two windows meet', () => {
    let now = 59_999;
    const check = createRateGuard([rule], 'requests-per-ip', () => now);
    assert.equal(passing(check, 'a', 500), 100);
    now = 60_001;
    assert.ok(passing(check, 'a', 500) <= 1);
    now = 90_000;
    const half = passing(check, 'a', 500);
    assert.ok(half >= 45 && half <= 51, `${half} half a window later`);
    now = 1_000_000;
    assert.equal(passing(check, 'a', 500), 100);
  });

  it('the request limit counts IPv6 networks with the IP addresses in them', () => {
    const check = createRateGuard([rule], 'requests-per-ip', () => 10_000);
    const site = (third: number) => Array.from({ length: 10 }, (_, index) => `2001:db8:${third}:${index}::/64`);
    const all = (addresses: string[]) => addresses.reduce((sum, address) => sum + passing(check, address, 150), 0);
    assert.equal(passing(check, '2001:db8:1:0::/64', 500), 100, 'a refused request does not count for its network');
    assert.equal(all(site(1)), 300, 'four times as many in a /48');
    for (let third = 2; third <= 10; third++) assert.equal(all(site(third)), 400);
    assert.equal(all(site(11)), 0, 'forty times as many in a /32');
    assert.equal(passing(check, '2001:db9:1:1::/64', 1), 1);
  });

  it('the request limit reports a wait after which the request passes', () => {
    let now = 10_000;
    const check = createRateGuard([{ count: 1, windowSeconds: 60 }], 'requests-per-ip', () => now);
    check('a');
    const waited = waitOf(() => check('a'));
    assert.ok(waited > 0 && waited <= 60, `${waited}`);
    now += waited * 1000;
    check('a');
  });

  it('the request limit never reports a longer wait than needed', () => {
    for (const begin of [0, 30_000, 59_000]) {
      let now = begin;
      const check = createRateGuard([rule], 'requests-per-ip', () => now);
      assert.equal(passing(check, 'a', 500), 100);
      for (now = 60_001; now < 119_000; now += 2700) {
        passing(check, 'a', 500);
        const waited = waitOf(() => check('a'));
        assert.ok(waited <= 2, `${waited} s at ${now} ms`);
        now += waited * 1000;
        check('a');
      }
    }
  });

  it('the request limit forgets no busy IP address while others flood its memory, and its memory is bounded', () => {
    const check = createRateGuard([rule], 'requests-per-ip', () => 1000);
    assert.equal(passing(check, 'busy', 100), 100);
    const before = process.memoryUsage().heapUsed;
    for (let stranger = 0; stranger < 120_000; stranger++) {
      check(`stranger ${stranger}`);
      if (stranger % 1000 === 0) assert.equal(passing(check, 'busy', 1), 0);
    }
    const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
    assert.ok(grown < 128, `${Math.round(grown)} MiB`);
  });
});
