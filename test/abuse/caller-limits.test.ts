// Limits of callers as pure rules: IPv6 networks are counted with the IP addresses in them, precisely enough and in little memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callerCounters, countCaller, findCallerBlock } from '../../src/abuse/caller-limits.ts';
import { addToTally, findTallyBlock, readTally, type Tally } from '../../src/abuse/tally.ts';
import { networksOf, widerNetworkOf } from '../../src/kernel/network.ts';
import { countersOf } from '../../src/support/recipient-limits.ts';
import { brakePolicy, otpPolicy } from '../helpers/store/fixtures.ts';

const hour = 3600;
const rules = [
  { count: 20, windowSeconds: hour },
  { count: 60, windowSeconds: 24 * hour },
];
const noon = Date.UTC(2031, 4, 5, 12);

describe('the networks of a caller', () => {
  it('the networks of a caller are its /64, /48 and /32 for IPv6, and the IP address alone otherwise', () => {
    assert.deepEqual(networksOf('2001:db8:5:6::/64'), [
      { text: '2001:db8:5:6::/64', share: 1 },
      { text: '2001:db8:5::/48', share: 4 },
      { text: '2001:db8::/32', share: 40 },
    ]);
    for (const text of ['192.0.2.7', 'unknown', '0192f0c1-7d1e-7000-8000-000000000000', ''])
      assert.deepEqual(networksOf(text), [{ text, share: 1 }]);
  });

  it('the neighbourhood of a caller is its /24 for IPv4 and its /48 for IPv6', () => {
    assert.equal(widerNetworkOf('192.0.2.7'), '192.0.2.0/24');
    assert.equal(widerNetworkOf('2001:db8:5:6::/64'), '2001:db8:5::/48');
    assert.equal(widerNetworkOf('unknown'), undefined);
  });
});

describe('limits of callers as staff see them', () => {
  const perIp = [{ count: 1, windowSeconds: hour }];
  const sends = {
    sms: { resendAfterSeconds: [], perRecipient: [], perIp },
    mail: { resendAfterSeconds: [], perRecipient: [], perIp },
  };
  const otp = { sms: otpPolicy, mail: otpPolicy };
  const seen = (text: string) => countersOf({ kind: 'address', text }, { sends, otp, brake: brakePolicy });

  it('staff see the limits of an IP address and of the networks that contain it', () => {
    const names = seen('2001:db8:5:6::/64').map(({ kind, name }) => `${kind}: ${name}`);
    assert.deepEqual(names, [
      'address: messages requested from this IP address',
      'network: messages requested from 2001:db8:5::/48',
      'network: messages requested from 2001:db8::/32',
      'guesses: wrong codes from this IP address',
      'guesses: wrong codes from 2001:db8:5::/48',
      'guesses: wrong codes from 2001:db8::/32',
    ]);
    assert.equal(seen('192.0.2.7').length, 2);
  });

  it('staff see how much a network has used and how long it is blocked, even for a limit that is off', () => {
    const kept = new Map<string, unknown>();
    const read = (id: string) => kept.get(id);
    for (let index = 0; index < 4; index++) {
      const counters = callerCounters('sends-ip', `2001:db8:5:${index}::/64`, perIp);
      for (const { id, value } of countCaller(counters, read, noon)) kept.set(id, value);
    }
    const [own, site, provider, guesses] = seen('2001:db8:5:9::/64').map(({ id, read: look }) => look(read(id), noon));
    assert.deepEqual(own, { hits: 0, lastAt: undefined, blockedSeconds: 0 });
    assert.deepEqual([site?.hits, provider?.hits, provider?.blockedSeconds], [4, 4, 0]);
    assert.ok((site?.blockedSeconds ?? 0) >= hour);
    assert.deepEqual(guesses, { hits: 0, lastAt: undefined, blockedSeconds: 0 });
  });
});

describe('limits of callers', () => {
  const createCounting = () => {
    const kept = new Map<string, unknown>();
    const read = (id: string) => kept.get(id);
    const act = (address: string, now: number): boolean => {
      const counters = callerCounters('acts', address, rules);
      if (findCallerBlock(counters, read, now) !== undefined) return false;
      for (const { id, value } of countCaller(counters, read, now)) kept.set(id, value);
      return true;
    };
    return { act, kept };
  };
  const passed = (act: (address: string, now: number) => boolean, addresses: string[], now = noon) =>
    addresses.filter((address) => act(address, now)).length;

  it('a /48 gets four times and a /32 forty times the limit of one IP address', () => {
    const { act, kept } = createCounting();
    const site = (third: number) => Array.from({ length: 300 }, (_, index) => `2001:470:${third}:${index}::/64`);
    assert.equal(passed(act, site(1)), 80);
    for (let third = 2; third <= 20; third++) passed(act, site(third).slice(0, 60));
    assert.equal(passed(act, site(30)), 0, 'ten of them have used up the limit of the provider');
    assert.equal(passed(act, ['2001:471:1:1::/64']), 1, 'another provider goes on');
    const largest = Math.max(...[...kept.values()].map((value) => JSON.stringify(value).length));
    assert.ok(largest < 1000, `${largest} bytes`);
  });

  it('each IPv4 address is limited on its own', () => {
    const { act } = createCounting();
    assert.equal(passed(act, Array(30).fill('192.0.2.1')), 20);
    assert.equal(passed(act, ['192.0.2.2']), 1);
  });

  it('a tally never exceeds its limit in any window, and its reported wait is at most one slot too long', () => {
    const rule = { count: 30, windowSeconds: hour };
    const steps = fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 150 });
    fc.assert(
      fc.property(steps, (pauses) => {
        let now = noon;
        let tally: Tally = {};
        const hits: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const block = findTallyBlock(tally, [rule], now);
          const recent = hits.filter((hit) => hit > now - hour * 1000).length;
          if (block === undefined) {
            assert.ok(recent < 30);
            hits.push(now);
            tally = addToTally(tally, [rule], now);
            continue;
          }
          const late = hits.filter((hit) => hit > now - (hour * 13 * 1000) / 12).length;
          assert.ok(late >= 30, 'refuses only what a window plus one slot would refuse');
          assert.equal(findTallyBlock(tally, [rule], now + block.retryAfterSeconds * 1000), undefined);
        }
        assert.ok((tally[hour]?.length ?? 0) <= 13);
        assert.equal(
          readTally(tally, now).hits,
          (tally[hour] ?? []).reduce((sum, [, count]) => sum + count, 0),
        );
      }),
      { numRuns: 200 },
    );
  });
});
