// What an answer counts as: a request, a failure, a limit, and bytes of files.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnsweredRequest } from '../../../src/http/server/answered-request.ts';
import { countAnswers } from '../../../src/service/metrics/count-answers.ts';
import type { Metrics } from '../../../src/service/metrics/metric-definitions.ts';

const answer: AnsweredRequest = {
  method: 'GET',
  route: '/x',
  status: 200,
  seconds: 0.5,
  failure: undefined,
  fileBytes: 0,
};

function count(changes: Partial<AnsweredRequest>): unknown[] {
  const counted: unknown[] = [];
  const metrics = {
    request: (...answered: unknown[]) => counted.push(['request', ...answered]),
    count: (...args: unknown[]) => counted.push(args),
    observe: () => assert.fail('nothing else is measured'),
  } as unknown as Metrics;
  countAnswers(metrics)({ ...answer, ...changes });
  const [first, ...rest] = counted;
  const { method, route, status, seconds } = { ...answer, ...changes };
  assert.deepEqual(first, ['request', method, route, status, seconds]);
  return rest;
}

describe('an answer', () => {
  for (const [what, changes, expected] of [
    ['that succeeds counts as a request only', {}, []],
    ['with bytes of a file counts them', { fileBytes: 7 }, [['file_bytes', { direction: 'out' }, 7]]],
    [
      'that fails counts its code',
      { failure: { code: 'NOT_FOUND' } },
      [['failures', { route: '/x', code: 'NOT_FOUND' }]],
    ],
    [
      'that hits a quota counts the quota',
      { failure: { code: 'RATE_LIMITED', quota: 'sends-per-ip' } },
      [
        ['failures', { route: '/x', code: 'RATE_LIMITED' }],
        ['limits_struck', { limit: 'sends-per-ip' }],
      ],
    ],
    [
      'after too many wrong codes counts that limit',
      { failure: { code: 'OTP_ATTEMPTS_EXCEEDED' } },
      [
        ['failures', { route: '/x', code: 'OTP_ATTEMPTS_EXCEEDED' }],
        ['limits_struck', { limit: 'attempts' }],
      ],
    ],
    [
      'over the quota of files counts that limit',
      { failure: { code: 'FILE_QUOTA_EXCEEDED' } },
      [
        ['failures', { route: '/x', code: 'FILE_QUOTA_EXCEEDED' }],
        ['limits_struck', { limit: 'file-quota' }],
      ],
    ],
  ] as [string, Partial<AnsweredRequest>, unknown[]][]) {
    it(what, () => assert.deepEqual(count(changes), expected));
  }
});
