// How an answer of Vonage is judged: by the status of each part, not by that of HTTP.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from '../../../src/adapters/sms/vonage.ts';

const parts = (...statuses: unknown[]) => JSON.stringify({ messages: statuses.map((status) => ({ status })) });

describe('an answer of Vonage', () => {
  for (const [status, text, kind, error] of [
    [200, parts('0'), 'accepted', undefined],
    [200, parts('0', '0'), 'accepted', undefined],
    [200, parts(0), 'accepted', undefined],
    [200, parts('0', '1'), 'doubtful', 'sent in part'],
    [200, parts('1', '0'), 'doubtful', 'sent in part'],
    [200, parts('1'), 'refused', 'status 1'],
    [200, parts('4'), 'refused', 'status 4'],
    [200, parts('33'), 'of recipient', 'status 33'],
    [200, parts('12'), 'of recipient', 'status 12'],
    [200, parts('9'), 'refused', 'status 9'],
    [200, parts('3'), 'hopeless', 'status 3'],
    [200, parts('6'), 'hopeless', 'status 6'],
    [200, parts('7'), 'hopeless', 'status 7'],
    [200, parts('15'), 'hopeless', 'status 15'],
    [200, parts('29'), 'hopeless', 'status 29'],
    [200, parts(), 'doubtful', 'HTTP 200 without a status'],
    [200, parts('x'), 'doubtful', 'HTTP 200 without a status'],
    [200, parts('0', ''), 'doubtful', 'HTTP 200 without a status'],
    [200, '{"messages":[null]}', 'doubtful', 'HTTP 200 without a status'],
    [200, '{"messages":"0"}', 'doubtful', 'HTTP 200 without a status'],
    [200, '{}', 'doubtful', 'HTTP 200 without a status'],
    [200, '', 'doubtful', 'HTTP 200 without a status'],
    [401, parts('0'), 'refused', 'HTTP 401'],
    [302, '', 'refused', 'HTTP 302'],
    [500, '', 'refused', 'HTTP 500'],
  ] as const) {
    it(`${status} with ${text || 'nothing'} is ${kind}`, () =>
      assert.deepEqual(
        judge({ kind: 'answered', status, text, retryAfter: undefined }),
        error === undefined
          ? { kind }
          : kind === 'of recipient'
            ? { kind: 'refused', error, isOfRecipient: true }
            : { kind, error, ...(error === 'status 1' && { waitMilliseconds: 1000 }) },
      ));
  }
});
