// What the results of ports count as, and that the results themselves stay as they are.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countCaptcha, countOutcomes, timeBlobs } from '../../../src/app/metrics/count-outcomes.ts';
import type { Metrics } from '../../../src/app/metrics/metric-definitions.ts';
import type { BlobStore } from '../../../src/files/blob-store.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { Ports } from '../../../src/store/ports.ts';

function open() {
  const counted: unknown[][] = [];
  const observed: [name: string, labels: unknown, isNumber: boolean][] = [];
  const metrics = {
    request: () => assert.fail(),
    count: (...args: unknown[]) => void counted.push(args),
    observe: (name: string, labels: unknown, value: unknown) => void observed.push([name, labels, Number(value) >= 0]),
  } as unknown as Metrics;
  return { metrics, counted, observed };
}

type Case = [what: string, port: string, verb: string, input: unknown, result: unknown, counted: unknown[][]];

const cases: Case[] = [
  [
    'a requested code',
    'sendRequests',
    'request',
    { challenge: { purpose: 'phone-login' } },
    undefined,
    [['codes_requested', { purpose: 'phone-login' }]],
  ],
  ['a requested link', 'sendRequests', 'request', { challenge: undefined }, undefined, [['links_requested', {}]]],
  ['a refused request', 'sendRequests', 'request', {}, new Failure('OTP_SEND_LIMIT'), []],
  [
    'a captcha that was used before',
    'sendRequests',
    'request',
    {},
    new Failure('CAPTCHA_INVALID'),
    [['captcha_checks', { outcome: 'replayed' }]],
  ],
  [
    'a suspension',
    'sendRequests',
    'noteSuspension',
    { rule: 'day' },
    undefined,
    [['limits_struck', { limit: 'sms-day' }]],
  ],
  ['a wrong code', 'signIns', 'signInWithPhone', {}, { kind: 'refused' }, []],
  [
    'a new user',
    'signIns',
    'signInWithPhone',
    {},
    { kind: 'signed in', isNewUser: true, evicted: [] },
    [['sign_ins', { method: 'sms', outcome: 'new' }]],
  ],
  [
    'a sign-in that ends another session',
    'signIns',
    'signInWithPhone',
    {},
    { kind: 'signed in', isNewUser: false, evicted: ['a', 'b'] },
    [
      ['sign_ins', { method: 'sms', outcome: 'known' }],
      ['sessions_ended', { reason: 'evicted' }, 2],
    ],
  ],
  [
    'a link',
    'signIns',
    'signInWithLink',
    {},
    { kind: 'expired' },
    [['sign_ins', { method: 'link', outcome: 'expired' }]],
  ],
  [
    'a refresh',
    'sessions',
    'rotate',
    {},
    { kind: 'renewed', isRepeat: false },
    [['refreshes', { outcome: 'rotated' }]],
  ],
  [
    'a stolen refresh token',
    'sessions',
    'rotate',
    {},
    { kind: 'reused' },
    [
      ['refreshes', { outcome: 'reused' }],
      ['sessions_ended', { reason: 'reused' }, 1],
    ],
  ],
  [
    'an expired session',
    'sessions',
    'rotate',
    {},
    { kind: 'expired' },
    [
      ['refreshes', { outcome: 'expired' }],
      ['sessions_ended', { reason: 'expired' }, 1],
    ],
  ],
  ['a session that had ended', 'sessions', 'rotate', {}, { kind: 'ended' }, [['refreshes', { outcome: 'ended' }]]],
  ['an unknown token', 'sessions', 'rotate', {}, { kind: 'invalid' }, [['refreshes', { outcome: 'invalid' }]]],
  [
    'sessions that a user ends',
    'sessions',
    'endSessions',
    { reason: 'logged out' },
    ['a'],
    [['sessions_ended', { reason: 'logged out' }, 1]],
  ],
  ['no sessions', 'sessions', 'endSessions', { reason: 'revoked' }, [], []],
  ['a bound address', 'bindings', 'bindEmail', {}, { kind: 'taken' }, [['emails_bound', { outcome: 'taken' }]]],
  ['a wrong code for an address', 'bindings', 'bindEmail', {}, { kind: 'refused' }, []],
  [
    'a deleted user',
    'users',
    'deleteUser',
    {},
    { sessionIds: ['a'], fileIds: [] },
    [['sessions_ended', { reason: 'account deleted' }, 1]],
  ],
  [
    'a stored file',
    'files',
    'settle',
    { file: { purpose: 'avatar', size: 7 } },
    { kind: 'stored' },
    [
      ['files_stored', { purpose: 'avatar' }],
      ['file_bytes', { direction: 'in' }, 7],
    ],
  ],
  ['a file that is already there', 'files', 'settle', { file: { purpose: 'avatar', size: 7 } }, { kind: 'lost' }, []],
  ['a deleted file', 'files', 'deleteFile', {}, true, [['files_deleted', {}]]],
  ['no deleted file', 'files', 'deleteFile', {}, false, []],
];

describe('the results of ports', () => {
  for (const [what, port, verb, input, result, expected] of cases) {
    it(`${what} counts as ${expected.map(([name]) => name).join(' and ') || 'nothing'}, and passes through`, async () => {
      const { metrics, counted } = open();
      const empty = { sendRequests: {}, signIns: {}, sessions: {}, bindings: {}, users: {}, files: {} };
      const asked: unknown[] = [];
      const call = async (given: unknown) => {
        asked.push(given);
        return result;
      };
      const ports = { ...empty, [port]: { [verb]: call, other: 'kept' }, more: 'kept' } as unknown as Ports;
      const watched = countOutcomes(ports, metrics) as unknown as Record<string, Record<string, typeof call>>;
      assert.equal(await watched[port]?.[verb]?.(input), result);
      assert.deepEqual(asked, [input]);
      assert.deepEqual(counted, expected);
      assert.equal(watched.more as unknown, 'kept');
    });
  }
});

describe('the checks of a captcha', () => {
  for (const [what, error, outcome] of [
    ['that passes', undefined, 'passed'],
    ['that is refused', new Failure('CAPTCHA_INVALID'), 'refused'],
    ['that cannot be made', new Failure('CAPTCHA_UNAVAILABLE'), 'unavailable'],
    ['that breaks', new Error('x'), 'unavailable'],
  ] as const) {
    it(`one ${what} counts as ${outcome}`, async () => {
      const { metrics, counted } = open();
      const spend = { id: 'x', sweepAt: 1 };
      const check = async () => {
        if (error !== undefined) throw error;
        return spend;
      };
      const watched = countCaptcha({ check }, metrics);
      if (error === undefined) assert.equal(await watched.check('t', 'ip'), spend);
      else await assert.rejects(watched.check('t', 'ip'), error);
      assert.deepEqual(counted, [['captcha_checks', { outcome }]]);
    });
  }
});

describe('the time of storage calls', () => {
  it('is measured whether the call succeeds or fails, and a storage without a pump has none', async () => {
    const { metrics, observed } = open();
    const blobs = {
      keep: async () => undefined,
      read: async () => Promise.reject(new Error('gone')),
      remove: async () => undefined,
      kind: 'disk',
    } as unknown as BlobStore;
    const timed = timeBlobs(blobs, metrics);
    await timed.keep(undefined as never, 'id', 'hash');
    await assert.rejects(timed.read('id', { start: 0, end: 0 }, 1), /gone/);
    await timed.remove('id');
    assert.deepEqual(observed, [
      ['storage_seconds', { act: 'keep' }, true],
      ['storage_seconds', { act: 'read' }, true],
      ['storage_seconds', { act: 'remove' }, true],
    ]);
    assert.equal(timed.pump, undefined);
    assert.equal(timed.kind, 'disk');
    const pumped = timeBlobs({ ...blobs, pump: async () => async () => undefined }, metrics);
    await pumped.pump?.('id', { start: 0, end: 0 }, 1);
    assert.equal(observed.length, 4);
  });
});
