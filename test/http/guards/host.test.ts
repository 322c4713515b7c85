// The host guard: a name that an attacker can own reaches no data, under any spelling.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHostGuard } from '../../../src/http/guards/host.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { seed } from '../../helpers/faults/rounds.ts';

function passes(publicUrl: string, host: string | undefined): boolean {
  try {
    createHostGuard(publicUrl)({ headers: { host } } as unknown as HttpRequest);
    return true;
  } catch (error) {
    const { code, detail } = error as { code: string; detail: object };
    assert.deepEqual([code, detail], ['REQUEST_INVALID', { field: 'host' }]);
    return false;
  }
}

describe('the host guard', () => {
  const own = 'https://id.example:8443';
  for (const host of [
    undefined,
    'id.example',
    'id.example:8443',
    'id.example:1',
    'ID.Example.',
    'id.example.:80',
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    '127.0.0.1:1',
    '192.168.1.7',
    '192.168.1.7.',
    '[::1]:8080',
    '[::1]',
    '[fe80::1]',
    '[::ffff:1.2.3.4]:80',
  ]) {
    it(`a request to ${host ?? 'no host'} passes`, () => assert.equal(passes(own, host), true));
  }

  for (const host of [
    '',
    '.',
    ':8080',
    'evil.example',
    'evil.example:8080',
    'EVIL.example.',
    'id.example.evil.example',
    'evil.id.example',
    '127.0.0.1.nip.io',
    '127.0.0.1..',
    'localhost.evil.example',
    'evil.localhost',
    '0x7f.1.example',
    '0x7f000001',
    '1.2.3',
    '2130706433',
    'evil.local',
    'evil.lan',
    'evil.internal',
    'evil.test',
    'evil.home.arpa',
    'evil',
    'evil:8080',
    '[evil]',
    '[::1',
    '::1',
    '::1]',
    '[1.2.3.4]',
    '[::1]x',
    'x[::1]',
    '[]',
  ]) {
    it(`a request to ${JSON.stringify(host)} is refused`, () => assert.equal(passes(own, host), false));
  }

  it('the own name may be an IPv6 address, and only localhost and addresses pass beside it', () => {
    assert.equal(passes('http://[2001:db8::1]:80', '[2001:db8::1]'), true);
    assert.equal(passes('http://[2001:db8::1]:80', 'id.example'), false);
  });

  it('every IP address passes at any port, and no name of another site does', () => {
    const port = fc.option(fc.nat(65_535), { nil: undefined });
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const withPort = (name: string, number: number | undefined) => (number === undefined ? name : `${name}:${number}`);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), port, (four, six, number) => {
        assert.ok(passes(own, withPort(four, number)));
        assert.ok(passes(own, withPort(`[${six}]`, number)));
        assert.ok(!passes(own, withPort(`${four}.example`, number)));
      }),
      { numRuns: 100, seed },
    );
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), port, (labels, number) => {
        const name = labels.join('.');
        assert.equal(passes(own, withPort(name, number)), name === 'localhost' || name === 'id.example');
      }),
      { numRuns: 100, seed },
    );
  });
});
