// What the results of ports count as, and that the results themselves stay as they are.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import type { Scan, Verdict } from '../../../src/files/uploads/scanner.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { countCaptcha, countOutcomes, countScans, timeBlobs } from '../../../src/service/metrics/count-outcomes.ts';
import type { Metrics } from '../../../src/service/metrics/metric-definitions.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asFileId } from '../../helpers/people/ids.ts';

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
  ['a refused request', 'sendRequests', 'request', {}, new Failure('OTP_SEND_LIMIT', { retryAfterSeconds: 5 }), []],
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
  [
    'a number that needs proof',
    'signIns',
    'signInWithPhone',
    {},
    { kind: 'needs proof', userId: 'ann', lastUse: 1 },
    [['sign_ins', { method: 'sms', outcome: 'needs proof' }]],
  ],
  [
    'a claimed number',
    'signIns',
    'claimPhone',
    {},
    { kind: 'signed in', isNewUser: true, evicted: [] },
    [['sign_ins', { method: 'sms', outcome: 'new' }]],
  ],
  ['a lost claim', 'signIns', 'claimPhone', {}, { kind: 'lost' }, [['sign_ins', { method: 'sms', outcome: 'lost' }]]],
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
    { kind: 'renewed', renewal: 'rotated' },
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
  ['a proved session', 'proofs', 'prove', {}, { kind: 'renewed' }, [['proofs', { outcome: 'proved' }]]],
  ['a wrong code for a session', 'proofs', 'prove', {}, { kind: 'refused' }, []],
  ['a used code for a session', 'proofs', 'prove', {}, { kind: 'lost' }, [['proofs', { outcome: 'lost' }]]],
  [
    'a stolen refresh token in a proof',
    'proofs',
    'prove',
    {},
    { kind: 'reused' },
    [
      ['proofs', { outcome: 'reused' }],
      ['sessions_ended', { reason: 'reused' }, 1],
    ],
  ],
  [
    'an expired session in a proof',
    'proofs',
    'prove',
    {},
    { kind: 'expired' },
    [
      ['proofs', { outcome: 'expired' }],
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
  ['a taken number', 'phones', 'changePhone', {}, { kind: 'taken' }, [['phones_changed', { outcome: 'taken' }]]],
  ['a wrong code for a number', 'phones', 'changePhone', {}, { kind: 'refused' }, []],
  [
    'a changed number',
    'phones',
    'changePhone',
    {},
    { kind: 'changed', sessionIds: ['a', 'b'] },
    [
      ['phones_changed', { outcome: 'changed' }],
      ['sessions_ended', { reason: 'phone changed' }, 2],
    ],
  ],
  [
    'a change that cannot be undone yet',
    'notices',
    'redeemNotice',
    {},
    { kind: 'taken', sessionIds: ['a'] },
    [
      ['changes_disowned', {}],
      ['sessions_ended', { reason: 'not me' }, 1],
    ],
  ],
  [
    'a change that was not the user’s',
    'notices',
    'redeemNotice',
    {},
    { kind: 'ended', sessionIds: ['a', 'b'] },
    [
      ['changes_disowned', {}],
      ['sessions_ended', { reason: 'not me' }, 2],
    ],
  ],
  [
    'a sign-in that cancels a scheduled change of the number',
    'signIns',
    'signInWithPhone',
    {},
    { kind: 'signed in', isNewUser: false, evicted: [], hasCancelled: true },
    [
      ['sign_ins', { method: 'sms', outcome: 'known' }],
      ['scheduled_phone_changes', { outcome: 'cancelled' }],
    ],
  ],
  [
    'a cancelled change of the number',
    'scheduledPhones',
    'cancelPhoneChange',
    {},
    true,
    [['scheduled_phone_changes', { outcome: 'cancelled' }]],
  ],
  ['a cancellation of nothing', 'scheduledPhones', 'cancelPhoneChange', {}, false, []],
  [
    'changes of numbers that were due',
    'scheduledPhones',
    'applyPhoneChanges',
    {},
    [{ kind: 'applied', sessionIds: ['a', 'b'] }, { kind: 'taken' }, { kind: 'announced' }],
    [
      ['scheduled_phone_changes', { outcome: 'applied' }],
      ['sessions_ended', { reason: 'phone changed' }, 2],
      ['scheduled_phone_changes', { outcome: 'taken' }],
      ['scheduled_phone_changes', { outcome: 'announced' }],
    ],
  ],
  [
    'a link of a notice that cancels a scheduled change of the number',
    'notices',
    'redeemNotice',
    {},
    { kind: 'ended', sessionIds: [], hasCancelled: true },
    [
      ['changes_disowned', {}],
      ['scheduled_phone_changes', { outcome: 'cancelled' }],
    ],
  ],
  ['an unknown link of a notice', 'notices', 'redeemNotice', {}, { kind: 'lost' }, []],
  ['a code for an app', 'appStore', 'authorize', {}, { kind: 'issued' }, [['app_codes', { outcome: 'issued' }]]],
  [
    'a request of an app that needs consent',
    'appStore',
    'authorize',
    {},
    { kind: 'needs consent' },
    [['app_codes', { outcome: 'needs consent' }]],
  ],
  [
    'a sign-in of an app that ends another session',
    'appStore',
    'exchangeCode',
    {},
    { kind: 'started', evicted: ['a'] },
    [
      ['app_exchanges', { outcome: 'started' }],
      ['sessions_ended', { reason: 'evicted' }, 1],
    ],
  ],
  [
    'a code that an app gets nothing for',
    'appStore',
    'exchangeCode',
    {},
    { kind: 'refused', ended: [] },
    [['app_exchanges', { outcome: 'refused' }]],
  ],
  [
    'a code of an app that is used twice',
    'appStore',
    'exchangeCode',
    {},
    { kind: 'refused', ended: ['a'] },
    [
      ['app_exchanges', { outcome: 'reused' }],
      ['sessions_ended', { reason: 'reused' }, 1],
    ],
  ],
  [
    'a session that an app ends',
    'appStore',
    'endSession',
    {},
    ['a'],
    [['sessions_ended', { reason: 'logged out' }, 1]],
  ],
  ['a token of no app', 'appStore', 'endSession', {}, [], []],
  [
    'an app that a user allows no longer',
    'appStore',
    'withdrawConsent',
    {},
    ['a', 'b'],
    [['sessions_ended', { reason: 'revoked' }, 2]],
  ],
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
    ['that cannot be made', new Failure('CAPTCHA_UNAVAILABLE', { retryAfterSeconds: 5 }), 'unavailable'],
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
      openLocally: async () => undefined,
      readVariant: async () => undefined,
      keepVariant: async () => undefined,
      kind: 'disk',
    } as unknown as BlobStore;
    const timed = timeBlobs(blobs, metrics);
    await timed.keep(undefined as never, asFileId('id'), 'hash');
    await assert.rejects(timed.read(asFileId('id'), { start: 0, end: 0 }, 1), /gone/);
    await timed.remove(asFileId('id'));
    await timed.openLocally(asFileId('id'), 1);
    await timed.readVariant(asFileId('id'), 'name');
    await timed.keepVariant(asFileId('id'), 'name', Buffer.alloc(1));
    assert.deepEqual(observed, [
      ['storage_seconds', { act: 'keep' }, true],
      ['storage_seconds', { act: 'read' }, true],
      ['storage_seconds', { act: 'remove' }, true],
      ['storage_seconds', { act: 'read' }, true],
      ['storage_seconds', { act: 'read' }, true],
      ['storage_seconds', { act: 'keep' }, true],
    ]);
    assert.equal(timed.pump, undefined);
    assert.equal(timed.kind, 'disk');
    const pumped = timeBlobs({ ...blobs, pump: async () => async () => undefined }, metrics);
    await pumped.pump?.(asFileId('id'), { start: 0, end: 0 }, 1);
    assert.equal(observed.length, 7);
  });
});

describe('the counting of scans', () => {
  for (const [verdict, outcome, isMeasured] of [
    [{ kind: 'clean' }, 'clean', true],
    [{ kind: 'infected', signature: 'X' }, 'infected', true],
    [{ kind: 'unscanned', trouble: 'slow', detail: 'why' }, 'slow', false],
    [{ kind: 'unscanned', trouble: 'limit', detail: 'why' }, 'limit', false],
  ] as const satisfies readonly (readonly [Verdict, string, boolean])[])
    it(`a scan counts as ${outcome}, and ${isMeasured ? 'is measured' : 'is not measured'}`, async () => {
      const { metrics, counted, observed } = open();
      const scanner = countScans({ scan: async () => verdict }, metrics);
      assert.equal(await scanner.scan({} as Scan), verdict);
      assert.deepEqual(counted, [['scans', { outcome }]]);
      assert.deepEqual(observed, isMeasured ? [['scan_seconds', {}, true]] : []);
    });

  it('a scan that is abandoned counts as nothing', async () => {
    const { metrics, counted } = open();
    await assert.rejects(
      countScans({ scan: () => Promise.reject(new Error('gone')) }, metrics).scan({} as Scan),
      /gone/,
    );
    assert.deepEqual(counted, []);
  });
});
