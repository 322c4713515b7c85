// The origin guard: a browser page of another site cannot change data with a user's cookie.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOriginGuard } from '../../../src/http/guards/origin.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';

const cors = ['https://app.example', 'https://other.example:8443'];

function passes(
  publicUrl: string,
  headers: Record<string, string | undefined>,
  origins: readonly string[] = cors,
): boolean {
  try {
    createOriginGuard(publicUrl, origins)({ headers } as unknown as HttpRequest);
    return true;
  } catch (error) {
    assert.equal((error as { code: string }).code, 'CSRF_REJECTED');
    return false;
  }
}

describe('the origin guard', () => {
  const own = 'https://id.example';
  for (const [origin, expected] of [
    [own, true],
    ['https://app.example', true],
    ['https://other.example:8443', true],
    ['https://other.example', false],
    ['http://id.example', false],
    ['https://id.example:8443', false],
    ['https://ID.example', false],
    ['https://id.example.evil.example', false],
    ['https://evil.example', false],
    ['https://id.example/', false],
    ['https://id.example0', false],
    ['https://xid.example', false],
    ['HTTPS://ID.EXAMPLE', false],
    ['https://app.example:444', false],
    ['https://app.example.evil.example', false],
    ['https://id.example, https://evil.example', false],
    ['*', false],
    ['http://localhost', false],
    ['null', false],
    ['', false],
  ] as const) {
    it(`a request from the origin ${JSON.stringify(origin)} ${expected ? 'passes' : 'is refused'}`, () => {
      assert.equal(passes(own, { origin }), expected);
      // The site of the request does not matter beside its origin.
      for (const site of ['same-origin', 'cross-site', 'none'])
        assert.equal(passes(own, { origin, 'sec-fetch-site': site }), expected);
    });
  }

  for (const [site, expected] of [
    [undefined, true],
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
    ['Same-Origin', false],
    ['same-origin, cross-site', false],
    ['nonsense', false],
    ['', false],
  ] as const) {
    it(`a request without an origin and from the site ${JSON.stringify(site)} ${expected ? 'passes' : 'is refused'}`, () => {
      assert.equal(passes(own, { 'sec-fetch-site': site }), expected);
    });
  }

  it('without configured origins only our own passes', () => {
    assert.equal(passes(own, { origin: own }, []), true);
    assert.equal(passes(own, { origin: 'https://app.example' }, []), false);
  });

  for (const publicUrl of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
    it(`${publicUrl} is the same service under every loopback name, at its port and scheme`, () => {
      for (const origin of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
        assert.equal(passes(publicUrl, { origin }), true, origin);
      for (const origin of [
        'http://localhost:8081',
        'http://localhost',
        'https://localhost:8080',
        'http://127.0.0.2:8080',
      ])
        assert.equal(passes(publicUrl, { origin }), false, origin);
    });
  }

  it('a loopback name at the usual port has no port in its origin', () => {
    assert.equal(passes('http://localhost', { origin: 'http://127.0.0.1' }), true);
    assert.equal(passes('https://localhost', { origin: 'https://[::1]' }), true);
  });
});
