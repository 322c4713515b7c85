// Where the service listens, its public URL, and whom it trusts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnvReader, type Env } from '../../src/config/env-reader.ts';
import { type AddressConfig, readAddress } from '../../src/config/read-address.ts';

function read(env: Env): { address: AddressConfig; problems: string[] } {
  const reader = createEnvReader(env);
  const address = readAddress(reader);
  return { address, problems: reader.problems.map(({ name }) => name) };
}

describe('the public URL', () => {
  for (const [url, mode] of [
    ['http://localhost:9000', 'local'],
    ['http://app.localhost', 'local'],
    ['http://127.0.0.1', 'local'],
    ['http://[::1]:80', 'local'],
    ['https://localhost', 'local'],
    ['http://192.168.0.5', 'production'],
    ['https://id.example.com', 'production'],
    ['https://localhost.example.com', 'production'],
  ] as const) {
    it(`${url} means ${mode}`, () => assert.equal(read({ PUBLIC_URL: url }).address.mode, mode));
  }

  for (const [text, origin] of [
    ['https://ID.Example.com/', 'https://id.example.com'],
    ['https://id.example.com:443', 'https://id.example.com'],
    ['https://id.example.com:8443', 'https://id.example.com:8443'],
  ] as const) {
    it(`${text} is the origin ${origin}`, () => assert.equal(read({ PUBLIC_URL: text }).address.publicUrl, origin));
  }

  for (const text of [
    'id.example.com',
    'https://id.example.com/x',
    'https://a@id.example.com',
    'https://:b@id.example.com',
    'https://*.example.com',
    'https://id.example.com/?',
    'https://id.example.com#',
    'ftp://id.example.com',
    'javascript:alert(1)',
  ]) {
    it(`${text} is refused`, () => assert.deepEqual(read({ PUBLIC_URL: text }).problems, ['PUBLIC_URL']));
  }

  it('without a setting has the port, and the link of an e-mail follows it', () => {
    const { address } = read({ PORT: '9000' });
    assert.deepEqual(
      [address.publicUrl, address.loginLinkUrl],
      ['http://localhost:9000', 'http://localhost:9000/login/link'],
    );
    assert.equal(
      read({ PUBLIC_URL: 'https://id.example.com' }).address.loginLinkUrl,
      'https://id.example.com/login/link',
    );
  });
});

describe('the link of an e-mail', () => {
  for (const [text, isGood] of [
    ['https://app.example.com/login', true],
    ['myapp://login', true],
    ['/login', false],
    ['https://app.example.com/login#x', false],
    ['javascript:alert(1)', false],
    ['DATA:text/html,x', false],
  ] as const) {
    it(`${text} is ${isGood ? 'accepted' : 'refused'}`, () =>
      assert.deepEqual(read({ LOGIN_LINK_URL: text }).problems, isGood ? [] : ['LOGIN_LINK_URL']));
  }
});

describe('the trusted proxies', () => {
  for (const [text, expected] of [
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1\n192.0.2.0/24', ['10.0.0.0/8', '::1', '192.0.2.0/24']],
    ['2001:db8::/32', ['2001:db8::/32']],
    [',10.0.0.1,', ['10.0.0.1']],
    ['0.0.0.0/0', undefined],
    ['::/0', undefined],
    ['::ffff:10.0.0.0/8', undefined],
    ['::ffff:10.0.0.1', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/x', undefined],
    ['10.0.0', undefined],
    ['proxy.example.com', undefined],
    ['10.0.0.1,nonsense', undefined],
  ] as const) {
    it(`${JSON.stringify(text)} are ${expected?.length ?? 'refused'}`, () => {
      const { address, problems } = read({ TRUSTED_PROXIES: text });
      assert.deepEqual(address.trustedProxies, expected ?? []);
      assert.deepEqual(problems, expected === undefined ? ['TRUSTED_PROXIES'] : []);
    });
  }
});

describe('the ports', () => {
  it('of the metrics may be off, and must differ from that of the service', () => {
    assert.equal(read({ METRICS_PORT: 'off' }).address.listen.metricsPort, undefined);
    assert.equal(read({ METRICS_PORT: '1' }).address.listen.metricsPort, 1);
    assert.deepEqual(read({ PORT: '9464' }).problems, ['METRICS_PORT']);
    for (const text of ['0', '65536', 'on', '-1'])
      assert.deepEqual(read({ METRICS_PORT: text }).problems, ['METRICS_PORT']);
  });
});
