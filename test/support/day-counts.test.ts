// What counts on which day: each event once, by its own time in UTC, and sums that may be put together in any way.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditKinds } from '../../src/kernel/audit.ts';
import {
  type CountedEvent,
  countDays,
  dayOf,
  firstCounted,
  settledUntil,
  writeDay,
} from '../../src/support/day-counts.ts';

const midnight = Date.UTC(2031, 4, 5);
const today = dayOf(midnight);
const event = (kind: string, detail = {}, at = midnight): CountedEvent => ({ kind, at, detail });
const short = (events: readonly CountedEvent[]) =>
  countDays(events).map(({ day, kind, amount }) => `${day - today} ${kind} ${amount}`);

describe('the counts of a day', () => {
  for (const [kind, detail, expected] of [
    ['login.succeeded', {}, ['0 signIns 1']],
    ['user.created', {}, ['0 signUps 1']],
    ['login.refused', {}, ['0 refused 1']],
    ['otp.failed', {}, ['0 wrongCodes 1']],
    ['message.sent', { channel: 'sms' }, ['0 sms 1']],
    ['message.sent', { channel: 'mail' }, ['0 mails 1']],
    ['message.sent', { channel: 'a channel of a later version' }, []],
    ['message.parked', { channel: 'sms' }, ['0 undelivered 1']],
    ['sms.suspended', {}, ['0 braked 1']],
    ['file.stored', { size: 7 }, ['0 files 1', '0 bytes 7']],
    ['file.stored', { size: 'unknown' }, ['0 files 1', '0 bytes 0']],
    ['a kind of a later version', {}, []],
  ] as const) {
    it(`the event ${kind} with ${JSON.stringify(detail)} counts as ${expected.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(short([event(kind, detail)]), expected));
  }

  it('no other event counts', () => {
    const counting = auditKinds.filter((kind) => short([event(kind, { channel: 'sms' })]).length > 0);
    assert.equal(counting.length, 8);
  });

  it('a day begins at midnight UTC', () => {
    const times = [midnight - 1, midnight, midnight + 86_399_999, midnight + 86_400_000];
    const events = times.map((at) => event('login.succeeded', {}, at));
    assert.deepEqual(short(events), ['-1 signIns 1', '0 signIns 2', '1 signIns 1']);
    assert.deepEqual([writeDay(today - 1), writeDay(today)], ['2031-05-04', '2031-05-05']);
  });

  it('counts of parts add up to the count of all', () => {
    const events = [
      event('login.succeeded'),
      event('file.stored', { size: 3 }),
      event('login.succeeded', {}, midnight - 1),
      event('login.succeeded'),
    ];
    for (let at = 0; at <= events.length; at++)
      assert.deepEqual(countDays(events.slice(at), countDays(events.slice(0, at))), countDays(events));
  });

  it('an event is counted five minutes after it was written, and the first count looks back 31 days', () => {
    const idAt = (at: number) => at.toString(16).padStart(12, '0');
    const time = (id: string) => id.slice(0, 8) + id.slice(9, 13);
    assert.equal(time(settledUntil(midnight)), idAt(midnight - 300_000));
    assert.equal(time(firstCounted(midnight + 5)), idAt(midnight - 31 * 86_400_000));
  });
});
