// The security headers of every answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecurityHeaders } from '../../../src/http/server/security-headers.ts';

describe('the security headers', () => {
  const plain = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  it('an answer is not stored, framed, sniffed or allowed to load anything', () => {
    assert.deepEqual(createSecurityHeaders(false), plain);
  });

  it('only an answer over HTTPS demands HTTPS for a year', () => {
    assert.deepEqual(createSecurityHeaders(true), { ...plain, 'strict-transport-security': 'max-age=31536000' });
  });

  it('the headers cannot be changed by a handler', () => assert.ok(Object.isFrozen(createSecurityHeaders(true))));
});
