// The guard of service keys: a bearer token from a server, a scope, and who is counted for a request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBackendGuard } from '../../../src/http/guards/backend.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { Failure } from '../../../src/kernel/failure.ts';

const caller = { keyId: 'key', scopes: ['users:read'] } as const;

function stage({ isAllowed = true, asksStore = false, limited = '' } = {}) {
  const seen: string[] = [];
  const count = (who: string) => {
    seen.push(who);
    if (who === limited) throw new Failure('RATE_LIMITED', { retryAfterSeconds: 5 });
  };
  const guard = createBackendGuard({
    check: async (key, beforeReading) => {
      if (asksStore) beforeReading();
      if (key === 'good') return caller;
      throw new Failure(key === 'none' ? 'NOT_FOUND' : 'SERVICE_KEY_INVALID');
    },
    isFromAllowed: () => isAllowed,
    countKey: count,
    countAddress: count,
  });
  const ask = (headers: Record<string, string>, scope: 'users:read' | 'users:write' | null = 'users:read') =>
    guard({ headers, clientAddress: '1.2.3.4' } as unknown as HttpRequest, scope ?? undefined).then(
      ({ keyId }) => keyId,
      (failure) => [failure.code, failure.detail?.list].filter(Boolean).join(' '),
    );
  return { ask, seen };
}

const authorization = 'Bearer good';

describe('the guard of service keys', () => {
  it('a valid key passes and is counted by itself, not by its address', async () => {
    const { ask, seen } = stage();
    assert.equal(await ask({ authorization }), 'key');
    assert.deepEqual(seen, ['key']);
  });

  it('a call that names no scope is open to no key', async () => {
    assert.equal(await stage().ask({ authorization }, null), 'SERVICE_SCOPE_MISSING —');
  });

  it('a valid key without the scope is refused with its name, and counted', async () => {
    const { ask, seen } = stage();
    assert.equal(await ask({ authorization }, 'users:write'), 'SERVICE_SCOPE_MISSING users:write');
    assert.deepEqual(seen, ['key']);
  });

  for (const [what, headers] of Object.entries<Record<string, string>>({
    'no key': {},
    'another key': { authorization: 'Bearer bad' },
    'another scheme': { authorization: 'Basic good' },
    'a key in another header': { 'x-api-key': 'good', rt: 'good', cookie: 'JWT=good' },
    'the origin of a page': { authorization, origin: 'https://app.example.com' },
    'an opaque origin': { authorization, origin: 'null' },
    'an empty origin': { authorization, origin: '' },
    'a fetch of the same site': { authorization, 'sec-fetch-site': 'same-origin' },
    'a fetch without a site': { authorization, 'sec-fetch-site': 'none' },
  }))
    it(`a request with ${what} is refused and counted by its address`, async () => {
      const { ask, seen } = stage();
      assert.equal(await ask(headers), 'SERVICE_KEY_INVALID');
      assert.deepEqual(seen, ['1.2.3.4']);
    });

  it('a valid key from outside SERVICE_FROM is refused like an unknown one', async () => {
    const { ask, seen } = stage({ isAllowed: false });
    assert.equal(await ask({ authorization }), 'SERVICE_KEY_INVALID');
    assert.deepEqual(seen, ['1.2.3.4']);
  });

  it('while there is no key, a request is counted by its address', async () => {
    const { ask, seen } = stage();
    assert.equal(await ask({ authorization: 'Bearer none' }), 'NOT_FOUND');
    assert.deepEqual(seen, ['1.2.3.4']);
  });

  it('a request is counted by its address once, before the store is asked for its sake', async () => {
    const { ask, seen } = stage({ asksStore: true });
    assert.equal(await ask({ authorization: 'Bearer bad' }), 'SERVICE_KEY_INVALID');
    assert.deepEqual(seen, ['1.2.3.4']);
  });

  it('an address or a key with too many requests is told so', async () => {
    assert.equal(await stage({ limited: '1.2.3.4' }).ask({ authorization: 'Bearer bad' }), 'RATE_LIMITED');
    assert.equal(
      await stage({ limited: '1.2.3.4', asksStore: true }).ask({ authorization: 'Bearer bad' }),
      'RATE_LIMITED',
    );
    assert.equal(await stage({ limited: 'key' }).ask({ authorization }), 'RATE_LIMITED');
  });
});
