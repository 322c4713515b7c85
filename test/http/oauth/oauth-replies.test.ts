// What a browser gets at the authorization endpoint while the service cannot answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { showFailure } from '../../../src/http/oauth/oauth-replies.ts';
import type { HttpReply } from '../../../src/http/server/reply.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { Failure } from '../../../src/kernel/failure.ts';

describe('a failure at the authorization endpoint', () => {
  const show = (error: unknown, accept?: string) => {
    const seen: unknown[] = [];
    const reply = {
      code: (status: number) => seen.push(status) && reply,
      headers: (headers: Record<string, string>) => seen.push(headers['retry-after']) && reply,
    } as unknown as HttpReply;
    const request = { headers: { accept, 'accept-language': 'de' }, language: 'de' } as unknown as HttpRequest;
    const sendPage = (_reply: HttpReply, name: string, language: string, facts: object) => {
      seen.push(name, language, facts);
      return reply;
    };
    showFailure({ sendPage, publicUrl: 'https://id.example' }, error, request, reply);
    return { seen, failed: request.failed };
  };
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it('a person gets a page in their language while the database is away, and the log gets the reason', () => {
    const { seen, failed } = show(new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }), html);
    const description = 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.';
    const appError = { reason: 'later', appName: null, description };
    assert.deepEqual(seen, [503, '1', 'app-error', 'de', { appError }]);
    assert.equal(failed?.code, 'SERVICE_UNAVAILABLE');
  });

  it('a program, an address with too many requests and an unknown error are left to the handler of all errors', () => {
    const cases: [unknown, string | undefined][] = [
      [new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }), '*/*'],
      [new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }), undefined],
      [new Failure('RATE_LIMITED', { retryAfterSeconds: 5 }), html],
      [new Error('unknown'), html],
    ];
    for (const [error, accept] of cases) assert.throws(() => show(error, accept), error as Error);
  });
});
