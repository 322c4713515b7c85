// The networks that contain a client: their texts, their shares, and the wider network that ties a client to its request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networksOf, widerNetworkOf } from '../../../src/kernel/net/network.ts';

describe('the networks of a client', () => {
  it('an IPv6 client is in its /64, its /48 with four times the limit, and its /32 with forty times', () => {
    assert.deepEqual(networksOf('2001:db8:5:6::/64'), [
      { text: '2001:db8:5:6::/64', share: 1 },
      { text: '2001:db8:5::/48', share: 4 },
      { text: '2001:db8::/32', share: 40 },
    ]);
  });

  it('two /64 of one /48 share it, and two /48 of one /32 share that', () => {
    const [, site, provider] = networksOf('2001:db8:5:6::/64');
    assert.deepEqual(networksOf('2001:db8:5:7::/64').slice(1), [site, provider]);
    assert.deepEqual(networksOf('2001:db8:6:6::/64')[2], provider);
    assert.notDeepEqual(networksOf('2001:db8:6:6::/64')[1], site);
  });

  for (const text of ['192.0.2.7', 'unknown', '', '2001:db8::1', '::/64/']) {
    it(`${text || 'an empty text'} is a network of its own`, () =>
      assert.deepEqual(networksOf(text), [{ text, share: 1 }]));
  }
});

describe('the wider network of a client', () => {
  for (const [address, expected] of [
    ['192.0.2.7', '192.0.2.0/24'],
    ['192.0.2.255', '192.0.2.0/24'],
    ['2001:db8:5:6::/64', '2001:db8:5::/48'],
    ['unknown', undefined],
    ['', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4.5', undefined],
  ] as const) {
    it(`${address || 'an empty text'} has ${expected ?? 'none'}`, () =>
      assert.equal(widerNetworkOf(address), expected));
  }
});
