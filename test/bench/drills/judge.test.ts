// The figures of a drill and the goals that it misses, as tables of what was seen.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Drill, Goal } from '../../../bench/drills/drill.ts';
import { judgeDrill, missesDoubled } from '../../../bench/drills/judge.ts';
import { type CallSeen, openLedger } from '../../../bench/drills/ledger.ts';
import type { Arrival } from '../../../bench/drills/phones.ts';
import type { Observation } from '../../../bench/drills/run-drill.ts';

const drill: Drill = {
  part: 'sms',
  fault: 'test',
  how: 'nothing',
  alerts: ['Critical'],
  begin: async () => async () => undefined,
};
const rules = [
  { name: 'Critical', isCritical: true, forSeconds: 60 },
  { name: 'Warning', isCritical: false, forSeconds: 60 },
];
const pending = { name: 'Critical', pendingAt: 12_000, firingAt: undefined, lastAt: 12_000 };

/** A fault from second 10 to second 20. */
const seen = (more: Partial<Observation> = {}): Observation => ({
  drill,
  beganAt: 10_000,
  endedAt: 20_000,
  ledger: openLedger(),
  arrivals: [],
  alerts: [pending],
  rules,
  lost: [],
  ...more,
});

const call = (
  beganAt: number,
  milliseconds: number,
  status: number | undefined,
  code: string | null = null,
): CallSeen => ({
  what: 'POST /x',
  beganAt,
  endedAt: beganAt + milliseconds,
  status,
  code,
});
const arrival = (id: string, to: string, at: number): Arrival => ({ id, to, at, by: 'A', content: '123456' });
const calls = (...list: CallSeen[]) => ({ ledger: { ...openLedger(), calls: list } });

describe('the row of a drill', () => {
  it('a quiet drill misses nothing', () => {
    const { misses, signInShare, recoverySeconds, p99Seconds } = judgeDrill(seen());
    assert.deepEqual([misses, signInShare, recoverySeconds, p99Seconds], [[], undefined, 0, 0]);
  });

  it('counts as signed in who began during the fault and was in within ten seconds', () => {
    const signIns = [
      { channel: 'sms', beganAt: 9000, inAt: undefined },
      { channel: 'sms', beganAt: 11_000, inAt: 21_000 },
      { channel: 'sms', beganAt: 11_000, inAt: 21_001 },
      { channel: 'mail', beganAt: 19_000, inAt: 19_500 },
      { channel: 'sms', beganAt: 19_000, inAt: undefined },
      { channel: 'sms', beganAt: 20_000, inAt: undefined },
    ] as const;
    const { signIns: counted, signInShare } = judgeDrill(seen({ ledger: { ...openLedger(), signIns: [...signIns] } }));
    assert.deepEqual([counted, signInShare], [4, 0.5]);
  });

  it('a promise without a message is a lost code, a message that comes again is doubled', () => {
    const promises = [
      { to: 'ann', channel: 'sms', at: 11_000 },
      { to: 'bob', channel: 'sms', at: 11_000 },
    ] as const;
    const arrivals = [arrival('1', 'ann', 12_000), arrival('1', 'ann', 15_000), arrival('2', 'cid', 12_000)];
    const row = judgeDrill(seen({ ledger: { ...openLedger(), promises: [...promises] }, arrivals }));
    assert.deepEqual([row.codesLost, row.doubled, row.messages, row.misses], [1, 1, 2, ['codes']]);
  });

  const missed: Record<string, [Partial<Observation>, Goal[]]> = {
    'a message comes three times': [{ arrivals: [1, 2, 3].map((at) => arrival('1', 'ann', at)) }, ['codes']],
    'a session ends': [
      { ledger: { ...openLedger(), signOuts: [{ at: 12_000, code: 'REFRESH_TOKEN_REUSED' }] } },
      ['sign-outs'],
    ],
    'a file is gone': [{ lost: ['file f1'] }, ['writes']],
    'a call fails eleven seconds after the fault': [calls(call(31_000, 5, 503)), ['recovery']],
    'there is no answer then': [calls(call(31_000, 5, undefined)), ['recovery']],
    'a call is slow then': [calls(call(31_000, 5001, 200)), ['recovery']],
    'a brake is on then': [calls(call(31_000, 5, 429, 'SMS_SUSPENDED')), ['recovery']],
    'a call fails nine seconds after it': [calls(call(29_000, 5, 503)), []],
    'a call fails during the fault': [calls(call(19_000, 9000, 503)), []],
    'a wait between two codes is no failure': [calls(call(31_000, 5, 429, 'OTP_RESEND_TOO_SOON')), []],
    'a wrong code is no failure of the service': [calls(call(31_000, 5, 400, 'OTP_INVALID')), []],
    'a short fault shows no alert': [{ alerts: [] }, ['alerts']],
    'a long fault only makes it pending': [{ endedAt: 400_000 }, ['alerts']],
    'a long fault fires it too late': [{ endedAt: 400_000, alerts: [{ ...pending, firingAt: 190_001 }] }, ['alerts']],
    'a long fault fires it': [{ endedAt: 400_000, alerts: [{ ...pending, firingAt: 190_000 }] }, []],
    'an alert has no rule': [{ rules: [] }, ['alerts']],
    'a critical alert without a fault': [{ drill: { ...drill, part: 'nothing' } }, ['alerts']],
    'a critical alert is over before the time without a fault': [
      { drill: { ...drill, part: 'nothing' }, alerts: [{ ...pending, pendingAt: 0, lastAt: 9000 }] },
      [],
    ],
    'a warning without a fault': [
      { drill: { ...drill, part: 'nothing' }, alerts: [{ ...pending, name: 'Warning' }] },
      [],
    ],
    'an excuse': [{ lost: ['file f1'], drill: { ...drill, excuses: { writes: 'it was burnt' } } }, []],
  };
  for (const [what, [more, misses]] of Object.entries(missed)) {
    it(`misses ${misses.join(', ') || 'nothing'} when ${what}`, () => {
      assert.deepEqual(judgeDrill(seen(more)).misses, misses);
    });
  }

  it('one message in a hundred may be doubled, over all drills', () => {
    const table = [
      [0, 0, false],
      [2, 200, false],
      [2, 199, true],
    ] as const;
    for (const [doubled, messages, isMissed] of table) assert.equal(missesDoubled(doubled, messages), isMissed);
  });
});
