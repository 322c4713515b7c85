// Every error becomes a failure code: ours as it is, and any other without a word about it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createErrorHandler } from '../../../src/http/server/error-handler.ts';
import type { HttpReply } from '../../../src/http/server/reply.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { memoryLog } from '../../helpers/blobs/memory-files.ts';

function handle(error: unknown) {
  const { log, lines } = memoryLog();
  const route = { path: '/api/x/:id' };
  const request = {
    id: 'req-1',
    url: '/api/x/1',
    headers: {},
    language: 'en',
    route,
  } as unknown as HttpRequest;
  const sent: Record<string, unknown> = {};
  const reply = {
    code: (status: number) => Object.assign(reply, { sent: Object.assign(sent, { status }) }),
    headers: (headers: object) => Object.assign(reply, { sent: Object.assign(sent, { headers }) }),
    type: (type: string) => Object.assign(reply, { sent: Object.assign(sent, { type }) }),
    send: (body: string) => Object.assign(sent, JSON.parse(body) as object),
  };
  createErrorHandler({ publicUrl: 'https://id.example' }, log)(error, request, reply as unknown as HttpReply);
  return { sent, lines, request };
}

describe('the error handler', () => {
  for (const [what, error, expected] of [
    ['a failure of ours', new Failure('OTP_EXPIRED'), 'OTP_EXPIRED'],
    ['a failure of ours with a field', new Failure('REQUEST_INVALID', { field: 'phone' }), 'REQUEST_INVALID phone'],
    ['an error with a status', { statusCode: 400 }, 'INTERNAL_ERROR'],
    ['an unknown error', new TypeError('secret'), 'INTERNAL_ERROR'],
    ['a text', 'secret', 'INTERNAL_ERROR'],
  ] as const) {
    it(`${what} is answered with ${expected}`, () => {
      const [code = '', field] = expected.split(' ');
      const { sent, lines, request } = handle(error);
      assert.equal(sent.codeError, code);
      assert.equal(sent.type, 'application/json; charset=utf-8');
      if (field !== undefined) assert.ok(String(sent.message).includes(field), String(sent.message));
      assert.deepEqual(request.failed, { code, quota: undefined });
      assert.ok(!JSON.stringify(sent).includes('secret'));
      const line = ['error', 'fault', { requestId: 'req-1', route: '/api/x/:id', error }];
      assert.deepEqual(lines, code === 'INTERNAL_ERROR' ? [line] : []);
    });
  }

  it('an unknown error tells the id of the request, with which an operator finds it', () => {
    assert.ok(String(handle(new Error('x')).sent.message).includes('req-1'));
  });

  it('the quota and the cause of a failure are kept for metrics and log, not for the client', () => {
    const policy = { name: 'resend', quota: 5, windowSeconds: 60, resetSeconds: 7 } as const;
    const cause = new Error('secret');
    const { sent, request } = handle(new Failure('RATE_LIMITED', { retryAfterSeconds: 7, policy }, cause));
    assert.deepEqual([request.failed, request.failureCause], [{ code: 'RATE_LIMITED', quota: 'resend' }, cause]);
    assert.ok(!JSON.stringify(sent).includes('secret'));
    assert.equal(sent.status, 429);
  });
});
