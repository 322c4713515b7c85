// Limits per caller: which counters a caller has, the block that lasts longest, and what is counted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CallerCounter,
  callerCounters,
  countCaller,
  findCallerBlock,
  findCounterBlock,
  readCounter,
} from '../../src/abuse/caller-limits.ts';
import { sha256 } from '../../src/kernel/crypto/digest.ts';
import { networksOf, widerNetworkOf } from '../../src/kernel/net/network.ts';
import { countersOf } from '../../src/support/recipient-limits.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { brakePolicy, hour, minute, noon, otpPolicy } from '../helpers/store/fixtures.ts';

const rules = [
  { count: 2, windowSeconds: 60 },
  { count: 5, windowSeconds: 3600 },
];
const times = (share: number) => rules.map((rule) => ({ ...rule, count: rule.count * share }));
const [ipv4 = assert.fail()] = callerCounters('acts', '192.0.2.1', rules);
const [own = assert.fail(), site = assert.fail(), provider = assert.fail()] = callerCounters(
  'acts',
  '2001:db8:5:6::/64',
  rules,
);

/** Counters as the store would keep them. */
function createCounting() {
  const kept = new Map<string, unknown>();
  const read = (id: string) => kept.get(id);
  const hit = (counters: readonly CallerCounter[], now: number): boolean => {
    if (findCallerBlock(counters, read, now) !== undefined) return false;
    for (const { id, value } of countCaller(counters, read, now)) kept.set(id, value);
    return true;
  };
  return { hit, read, kept };
}

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

describe('the counters of a caller', () => {
  it('an IPv4 address is counted alone and exactly', () => {
    assert.deepEqual(callerCounters('acts', '192.0.2.1', rules), [
      { id: `acts:${sha256('192.0.2.1')}`, network: '192.0.2.1', rules, isWide: false },
    ]);
  });

  it('an IPv6 network is counted exactly, and its /48 and /32 in spans with a larger share', () => {
    assert.deepEqual(callerCounters('acts', '2001:db8:5:6::/64', rules), [
      { id: `acts:${sha256('2001:db8:5:6::/64')}`, network: '2001:db8:5:6::/64', rules, isWide: false },
      { id: `acts:${sha256('2001:db8:5::/48')}`, network: '2001:db8:5::/48', rules: times(4), isWide: true },
      { id: `acts:${sha256('2001:db8::/32')}`, network: '2001:db8::/32', rules: times(40), isWide: true },
    ]);
  });

  it('a caller has no counter where the limit is off', () => {
    assert.deepEqual(callerCounters('acts', '192.0.2.1', []), []);
    assert.deepEqual(callerCounters('acts', '2001:db8:5:6::/64', []), []);
  });
});

describe('the block of a caller', () => {
  const full = [noon - 10_000, noon - 5000];
  const wideFull = { 3600: [[noon / (5 * minute), 20]] };
  const values: Record<string, unknown> = { [own.id]: full, [site.id]: wideFull };
  const blockOf = (counters: readonly CallerCounter[], kept = values) =>
    findCallerBlock(counters, (id) => kept[id], noon);
  const ownBlock = { rule: rules[0], retryAfterSeconds: 50 };
  const siteBlock = { rule: { count: 20, windowSeconds: 3600 }, retryAfterSeconds: 3900 };

  const cases: [what: string, readonly CallerCounter[], expected: unknown][] = [
    ['is none without a counter', [], undefined],
    ['is none where nothing is counted', [ipv4, provider], undefined],
    ['is that of its own address', [own], ownBlock],
    ['is that of its network', [site], siteBlock],
    ['is the longest', [own, site, provider], siteBlock],
    ['is the longest in whatever order they are', [provider, site, own], siteBlock],
  ];
  for (const [what, counters, expected] of cases) {
    it(`the block of a caller ${what}`, () => assert.deepEqual(blockOf(counters), expected));
  }

  it('the block of a caller is that of the narrowest network where two last equally long', () => {
    const counters = [ipv4, { ...ipv4, id: 'other', rules: [{ count: 1, windowSeconds: 65 }] }];
    const kept = { [ipv4.id]: [noon, noon], other: [noon - 5000] };
    assert.deepEqual(blockOf(counters, kept), { rule: rules[0], retryAfterSeconds: 60 });
  });

  it('the block of one counter is found in its value, exact or in spans', () => {
    assert.deepEqual(findCounterBlock(own, full, noon), ownBlock);
    assert.deepEqual(findCounterBlock(site, wideFull, noon), siteBlock);
    for (const counter of [own, site]) assert.equal(findCounterBlock(counter, undefined, noon), undefined);
  });
});

describe('a counted caller', () => {
  it('a counted caller is counted on each counter, until its longest window has passed', () => {
    const counts = countCaller([own, site], () => undefined, noon);
    const spans = { 60: [[noon / 5000, 1]], 3600: [[noon / (5 * minute), 1]] };
    assert.deepEqual(counts, [
      { id: own.id, value: [noon], endsAt: noon + hour },
      { id: site.id, value: spans, endsAt: noon + 2 * hour },
    ]);
  });

  it('a counted caller is added to what was counted before', () => {
    const kept: Record<string, unknown> = { [own.id]: [noon - 1], [site.id]: { 3600: [[noon / (5 * minute), 6]] } };
    const [exact, wide] = countCaller([own, site], (id) => kept[id], noon);
    assert.deepEqual(exact?.value, [noon - 1, noon]);
    assert.deepEqual(wide?.value, { 60: [[noon / 5000, 1]], 3600: [[noon / (5 * minute), 7]] });
  });

  it('a counted caller is read back as the number of hits and the time of the last', () => {
    assert.deepEqual(readCounter(own, [noon - 9, noon - 5, noon - 1], noon), { hits: 3, lastAt: noon - 1 });
    assert.deepEqual(readCounter(site, { 3600: [[noon / (5 * minute), 6]] }, noon), { hits: 6, lastAt: noon });
    for (const counter of [own, site])
      assert.deepEqual(readCounter(counter, undefined, noon), { hits: 0, lastAt: undefined });
  });

  it('callers from any networks, at any pace, never exceed the limit of an address, a /48 or a /32', () => {
    const caller = fc.oneof(
      fc.nat(1).map((last) => `192.0.2.${last}`),
      fc.tuple(fc.nat(1), fc.nat(3)).map(([third, fourth]) => `2001:db8:${third}:${fourth}::/64`),
    );
    const steps = fc.array(fc.tuple(caller, fc.integer({ min: 0, max: 20_000 })), { size: 'max', maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const { hit } = createCounting();
        const passed: [at: number, network: string, most: number][] = [];
        const strict = [{ count: 1, windowSeconds: 60 }];
        let now = noon;
        for (const [address, pause] of all) {
          now += pause;
          const counters = callerCounters('acts', address, strict);
          if (!hit(counters, now)) continue;
          for (const counter of counters) passed.push([now, counter.network, counter.rules[0]?.count ?? 0]);
        }
        for (const [end, network, most] of passed) {
          const within = passed.filter(([at, other]) => other === network && at <= end && at > end - minute);
          assert.ok(within.length <= most, `${within.length} from ${network}`);
        }
      }),
      { numRuns: rounds(40), seed },
    );
  });
});

describe('limits of callers', () => {
  const usual = [
    { count: 20, windowSeconds: 3600 },
    { count: 60, windowSeconds: 86_400 },
  ];
  const createActs = () => {
    const { hit, kept } = createCounting();
    return { act: (address: string, now: number) => hit(callerCounters('acts', address, usual), now), kept };
  };
  const passed = (act: (address: string, now: number) => boolean, addresses: string[], now = noon) =>
    addresses.filter((address) => act(address, now)).length;

  it('a /48 gets four times and a /32 forty times the limit of one IP address', () => {
    const { act, kept } = createActs();
    const site = (third: number) => Array.from({ length: 300 }, (_, index) => `2001:470:${third}:${index}::/64`);
    assert.equal(passed(act, site(1)), 80);
    for (let third = 2; third <= 20; third++) passed(act, site(third).slice(0, 60));
    assert.equal(passed(act, site(30)), 0, 'ten of them have used up the limit of the provider');
    assert.equal(passed(act, ['2001:471:1:1::/64']), 1, 'another provider goes on');
    const largest = Math.max(...[...kept.values()].map((value) => JSON.stringify(value).length));
    assert.ok(largest < 1000, `${largest} bytes`);
  });

  it('each IPv4 address is limited on its own', () => {
    const { act } = createActs();
    assert.equal(passed(act, Array(30).fill('192.0.2.1')), 20);
    assert.equal(passed(act, ['192.0.2.2']), 1);
  });
});

describe('limits of callers as staff see them', () => {
  const perIp = [{ count: 1, windowSeconds: 3600 }];
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
    assert.ok((site?.blockedSeconds ?? 0) >= 3600);
    assert.deepEqual(guesses, { hits: 0, lastAt: undefined, blockedSeconds: 0 });
  });
});
