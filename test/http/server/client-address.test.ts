// The IP address of a client: one text for all its spellings, and only the part of a proxy chain that trusted proxies wrote.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress, createClientAddress, createNetworkCheck } from '../../../src/http/server/client-address.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const direct = createClientAddress([]);
const octet = fc.nat(255);
const group = fc.nat(0xffff);
const port = fc.option(fc.nat(65_535), { nil: undefined });
const space = fc.constantFrom('', ' ', '\t', '  ');
const zone = fc.constantFrom('', '%eth0', '%1');
const letters = fc.constantFrom(
  (text: string) => text.toLowerCase(),
  (text: string) => text.toUpperCase(),
);

type Spelling = { readonly text: string; readonly canonical: string };

/** Dotted or in hexadecimal, mapped into IPv6 or not, with brackets, port, zone and spaces. */
const fourSpelling: fc.Arbitrary<Spelling> = fc
  .record({ octets: fc.tuple(octet, octet, octet, octet), form: fc.nat(3), port, zone, space, letters })
  .map(({ octets, form, port: number, zone: scope, space: blank, letters: spell }) => {
    const [a, b, c, d] = octets;
    const dotted = octets.join('.');
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    const inner = [dotted, `::ffff:${dotted}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${hex}`][form] ?? dotted;
    return { text: `${blank}${spell(dress(inner, scope, number))}${blank}`, canonical: dotted };
  });

/** Whole, padded with zeros, or with the longest run of zeros left out. */
const sixSpelling: fc.Arbitrary<Spelling> = fc
  .record({
    network: fc.tuple(fc.integer({ min: 1, max: 0xffff }), group, group, group),
    host: fc.tuple(group, group, group, group),
    zeros: fc.nat(3),
    form: fc.nat(2),
    port,
    zone,
    space,
    letters,
  })
  .map(({ network, host, zeros, form, port: number, zone: scope, space: blank, letters: spell }) => {
    const groups = [...network, ...host.map((value, at) => (at < zeros ? 0 : value))].map((value) =>
      value.toString(16),
    );
    const short =
      zeros > 1 ? [groups.slice(0, 4).join(':'), groups.slice(4 + zeros).join(':')].join('::') : groups.join(':');
    const inner = [groups.join(':'), groups.map((each) => each.padStart(4, '0')).join(':'), short][form] ?? short;
    return {
      text: `${blank}${spell(dress(inner, scope, number))}${blank}`,
      canonical: `${groups.slice(0, 4).join(':')}::/64`,
    };
  });

function dress(address: string, scope: string, number: number | undefined): string {
  if (number === undefined) return `${address}${scope}`;
  return address.includes(':') ? `[${address}${scope}]:${number}` : `${address}:${number}`;
}

const spelling = fc.oneof(fourSpelling, sixSpelling);

describe('the spelling of an IP address', () => {
  it('all spellings of an IPv4 address are one text, and all hosts of an IPv6 /64 are one text', () => {
    const behind = createClientAddress(['10.0.0.1']);
    fc.assert(
      fc.property(spelling, ({ text, canonical }) => {
        assert.equal(direct(text, undefined), canonical, text);
        assert.equal(behind('10.0.0.1', text), canonical, text);
        assert.equal(canonicalAddress(text), canonical, text);
        assert.equal(canonicalAddress(canonical), canonical);
      }),
      { numRuns: 500, seed },
    );
  });

  for (const [text, expected] of [
    ['9.8.7.6', '9.8.7.6'],
    ['9.8.7.6:80', '9.8.7.6'],
    ['[9.8.7.6]:80', '9.8.7.6'],
    ['[9.8.7.6]', '9.8.7.6'],
    [' 9.8.7.6\t', '9.8.7.6'],
    ['::ffff:9.8.7.6', '9.8.7.6'],
    ['::FFFF:908:706', '9.8.7.6'],
    ['[::ffff:9.8.7.6]:443', '9.8.7.6'],
    ['9.8.7.6%eth0', '9.8.7.6'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:db8:5:6::1', '2001:db8:5:6::/64'],
    ['2001:0DB8:0005:0006::1', '2001:db8:5:6::/64'],
    ['[2001:db8:5:6::9]:1234', '2001:db8:5:6::/64'],
    ['2001:db8:5:6::1%eth0', '2001:db8:5:6::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::9.8.7.6', '64:ff9b:0:0::/64'],
  ] as const) {
    it(`${JSON.stringify(text)} is ${expected}`, () => {
      assert.equal(direct(text, undefined), expected);
      assert.equal(canonicalAddress(text), expected);
    });
  }

  const hostile = [
    '',
    ' ',
    'unknown',
    '_hidden',
    'localhost',
    'evil.example',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.-4',
    '01.2.3.4',
    '1.2.3.08',
    '010.010.010.010',
    '::ffff:010.2.3.4',
    '::ffff:0x1.2.3.4',
    '0x1.2.3.4',
    '0x01020304',
    '16909060',
    '1.2.3.4/24',
    '1.2.3.4:',
    '1.2.3.4:80:80',
    '1.2.3.4 5',
    '1.2.3.4.',
    '１.2.3.4',
    '[::1',
    '::1]',
    '[]:80',
    ':::1',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    '%eth0',
    '1.2.3.4\0',
    '1.2.3.4, 5.6.7.8',
    `1.2.3.4%${'x'.repeat(100)}`,
    '1'.repeat(100_000),
  ];
  for (const text of hostile) {
    it(`${JSON.stringify(text.slice(0, 30))} is no IP address`, () => {
      assert.equal(direct(text, undefined), 'unknown');
      assert.equal(canonicalAddress(text), undefined);
    });
  }

  it('an IP address may be a hundred characters long with its zone, and no longer', () => {
    const long = (length: number) => `1.2.3.4%${'x'.repeat(length - 8)}`;
    assert.deepEqual(
      [100, 101].map((length) => direct(long(length), undefined)),
      ['1.2.3.4', 'unknown'],
    );
  });

  it('a connection without an IP address is unknown', () => {
    assert.equal(direct(undefined, undefined), 'unknown');
    assert.equal(createClientAddress(['10.0.0.1'])(undefined, '1.2.3.4'), 'unknown');
  });

  it('the same connection has the same address each time', () => {
    const address = createClientAddress([]);
    for (const round of [1, 2, 3]) assert.equal(address('::ffff:1.2.3.4', undefined), '1.2.3.4', `${round}`);
    assert.equal(address('::ffff:1.2.3.5', undefined), '1.2.3.5');
  });

  for (const [text, expected] of [
    ['2001:db8:5:6::/64', '2001:db8:5:6::/64'],
    ['2001:db8:5:6:0:0:0:0/64', '2001:db8:5:6::/64'],
    ['2001:db8:5:6::/48', undefined],
    ['2001:db8:5:6::/64/64', undefined],
  ] as const) {
    it(`an operator who types ${text} means ${expected ?? 'nothing'}`, () => {
      assert.equal(canonicalAddress(text), expected);
    });
  }
});

describe('the chain of proxies', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:f::/48', 'fd00::5'];
  const behind = createClientAddress(proxies);
  for (const [remote, forwarded, expected, why] of [
    ['203.0.113.1', '198.51.100.7', '203.0.113.1', 'a stranger is not believed'],
    ['10.0.0.1', undefined, '10.0.0.1', 'a proxy without a chain is the client'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7', 'a trusted proxy is believed'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7', 'a trusted proxy is believed in every spelling'],
    ['10.255.255.255', '198.51.100.7', '198.51.100.7', 'a network of proxies ends where it says'],
    ['11.0.0.0', '198.51.100.7', '11.0.0.0', 'outside of it nobody is believed'],
    ['192.0.2.7', '198.51.100.7', '198.51.100.7', 'a single proxy is believed'],
    ['192.0.2.8', '198.51.100.7', '192.0.2.8', 'its neighbour is not'],
    ['2001:db8:f:1::9', '198.51.100.7', '198.51.100.7', 'an IPv6 network is believed'],
    ['2001:db8:e:1::9', '198.51.100.7', '2001:db8:e:1::/64', 'its neighbour is not'],
    ['fd00::5', '198.51.100.7', '198.51.100.7', 'a single IPv6 proxy is believed'],
    ['fd00::6', '198.51.100.7', 'fd00:0:0:0::/64', 'its neighbour in the same /64 is not'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7', 'what the client wrote before is not believed'],
    ['10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7', 'a second trusted proxy is passed'],
    ['10.0.0.1', '198.51.100.7,192.0.2.7,10.0.0.2', '198.51.100.7', 'any number of trusted proxies is passed'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3', 'in a chain of proxies alone the first one is the client'],
    ['10.0.0.1', '', '10.0.0.1', 'an empty chain says nothing'],
    ['10.0.0.1', 'unknown', '10.0.0.1', 'an unreadable entry says nothing'],
    ['10.0.0.1', '198.51.100.7, unknown', '10.0.0.1', 'what is before an unreadable entry is not believed'],
    ['10.0.0.1', '198.51.100.7, ', '10.0.0.1', 'nor before an empty one'],
    ['10.0.0.1', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2', 'the last trusted proxy before it is the client'],
    ['garbage', '198.51.100.7', 'unknown', 'an unreadable connection is nobody'],
  ] as const) {
    it(`${why}: ${remote} with ${JSON.stringify(forwarded)} is ${expected}`, () => {
      assert.equal(behind(remote, forwarded), expected);
    });
  }

  it('without trusted proxies no chain is believed, also not that of a local connection', () => {
    for (const remote of ['127.0.0.1', '::1', '10.0.0.1'])
      assert.equal(direct(remote, '198.51.100.7'), direct(remote, undefined));
  });

  it('at most the last 32 entries of a chain are read', () => {
    const chain = (proxiesBefore: number) =>
      ['198.51.100.7', ...Array.from({ length: proxiesBefore }, () => '10.0.0.9')].join(',');
    assert.equal(behind('10.0.0.1', chain(31)), '198.51.100.7');
    assert.equal(behind('10.0.0.1', chain(32)), '10.0.0.9');
  });

  it('for any chain, the client is the last entry that no trusted proxy has, or the last one that can be read', () => {
    const trusted = fc
      .tuple(octet, fourSpelling)
      .map(([last]) => ({ text: `10.0.0.${last}`, canonical: `10.0.0.${last}`, isTrusted: true }));
    const stranger = spelling
      .filter(({ canonical }) => !/^(10\.|192\.0\.2\.7$|2001:db8:f:|fd00:)/.test(canonical))
      .map((known) => ({ ...known, isTrusted: false }));
    const garbage = fc
      .constantFrom('', 'unknown', '1.2.3', 'x'.repeat(200))
      .map((text) => ({ text, canonical: undefined, isTrusted: false }));
    const hop = fc.oneof(trusted, trusted, stranger, garbage);
    fc.assert(
      fc.property(fc.oneof(trusted, stranger), fc.array(hop, { minLength: 1, maxLength: 6 }), (remote, hops) => {
        let client = remote.canonical;
        let isBelieved = remote.isTrusted;
        for (const { canonical, isTrusted } of hops.toReversed()) {
          if (!isBelieved || canonical === undefined) break;
          client = canonical;
          isBelieved = isTrusted;
        }
        assert.equal(behind(remote.text, hops.map(({ text }) => text).join(',')), client);
      }),
      { numRuns: 500, seed },
    );
  });
});

describe('the networks of SERVICE_FROM', () => {
  const isIn = createNetworkCheck(
    ['10.1.0.0/16', '192.0.2.7', '2001:db8:0:1:0:0:0:a', '2001:db8:1::/112', 'fd00::/8'],
    ['127.0.0.1', '::1'],
  );
  const cases: readonly (readonly [remote: string | undefined, forwarded: string | undefined, isAllowed: boolean])[] = [
    ['10.1.255.255', undefined, true],
    ['::ffff:10.1.2.3', undefined, true],
    ['10.2.0.0', undefined, false],
    ['192.0.2.7', undefined, true],
    ['192.0.2.8', undefined, false],
    // Neighbours in one /64 are distinguished.
    ['2001:db8:0:1::a', undefined, true],
    ['2001:db8:0:1::b', undefined, false],
    ['2001:db8:1::ffff', undefined, true],
    ['2001:db8:1::1:0', undefined, false],
    ['fdff::1', undefined, true],
    // What a trusted proxy saw counts, and what others claim does not.
    ['127.0.0.1', '10.1.2.3', true],
    ['127.0.0.1', '10.1.2.3, 203.0.113.1', false],
    ['::1', '[2001:db8:0:1::a]:443', true],
    ['203.0.113.1', '10.1.2.3', false],
    ['127.0.0.1', undefined, false],
    ['127.0.0.1', 'nonsense', false],
    [undefined, '10.1.2.3', false],
    ['unknown', undefined, false],
  ];
  it('a proxy inside of the networks does not let in whom it cannot name', () => {
    const isInside = createNetworkCheck(['10.0.0.0/8'], ['10.0.0.1', '10.0.0.2']);
    assert.equal(isInside('10.0.0.1', '10.3.0.1'), true);
    for (const forwarded of ['unknown', '', '10.3.0.1, unknown', 'unknown, 10.0.0.2', '10.3.0.1, _hidden, 10.0.0.2'])
      assert.equal(isInside('10.0.0.1', forwarded), false, forwarded);
    // Without the header, the proxy asks for itself.
    assert.equal(isInside('10.0.0.1', undefined), true);
  });

  for (const [remote, forwarded, isAllowed] of cases)
    it(`a client at ${remote} that forwards for ${forwarded} is ${isAllowed ? 'inside' : 'outside'}`, () => {
      assert.equal(isIn(remote, forwarded), isAllowed);
    });
});
