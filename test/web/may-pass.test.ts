// Proves which failures a page tries again by itself.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ErrorCode, GatehouseError } from '../../client/src/gatehouse-error.ts';
import { mayPass } from '../../web/parts/may-pass.ts';

describe('a failure that may pass', () => {
  const cases: readonly (readonly [code: ErrorCode, status: number, mayPass: boolean])[] = [
    ['NETWORK', 0, true],
    ['NETWORK', 401, true],
    ['NETWORK', 404, true],
    ['RATE_LIMITED', 429, true],
    ['INTERNAL_ERROR', 500, true],
    ['SERVICE_UNAVAILABLE', 503, true],
    ['SESSION_REVOKED', 401, false],
    ['REQUEST_INVALID', 400, false],
    ['FILE_UNREADABLE', 0, false],
  ];
  for (const [code, status, expected] of cases)
    it(`${code} with status ${status} ${expected ? 'may pass' : 'stays'}`, () =>
      assert.equal(mayPass(new GatehouseError({ code, message: '', status })), expected));
});
