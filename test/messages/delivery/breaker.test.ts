// The circuit breaker of a provider: when it opens, how it is probed, when it closes, and what it never does.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  admitsAt,
  type Breaker,
  closedBreaker,
  isLeftOut,
  judgeProvider,
  letThrough,
  noteFailure,
  noteOverdue,
  notePause,
  noteSuccess,
} from '../../../src/messages/delivery/breaker.ts';
import type { SendOutcome } from '../../../src/messages/delivery/sender.ts';
import { noon } from '../../helpers/store/fixtures.ts';

/** f: failure, s: success. */
const after = (outcomes: string, start = closedBreaker) =>
  [...outcomes].reduce((breaker, one) => (one === 'f' ? noteFailure : noteSuccess)(breaker, noon), start);
const opened = after('fff');

describe('the breaker of a provider', () => {
  const verdicts: [SendOutcome, first: string, later: string][] = [
    [{ kind: 'accepted' }, 'works', 'works'],
    [{ kind: 'hopeless', error: 'e' }, 'works', 'works'],
    [{ kind: 'refused', error: 'e', isOfRecipient: true }, 'works', 'works'],
    [{ kind: 'refused', error: 'e' }, 'fails', 'unknown'],
    [{ kind: 'doubtful', error: 'e' }, 'fails', 'unknown'],
  ];
  for (const [outcome, first, later] of verdicts) {
    it(`hears ${JSON.stringify(outcome)} as ${first}, and of a message that failed before as ${later}`, () =>
      assert.deepEqual(
        [0, 1, 5].map((tries) => judgeProvider(outcome, tries)),
        [first, later, later],
      ));
  }

  const cases: [outcomes: string, kind: Breaker['kind']][] = [
    ['', 'closed'],
    ['ff', 'closed'],
    ['ffsff', 'closed'],
    ['fff', 'open'],
    ['ssfff', 'open'],
    ['fsfsfsfsf', 'closed'],
    ['fsfsfsfsfsf', 'open'],
    ['ffsssssssssssssssssssff', 'closed'],
    ['fffs', 'closed'],
    ['fffff', 'open'],
  ];
  for (const [outcomes, kind] of cases) {
    it(`is ${kind} after ${outcomes || 'nothing'}`, () => assert.equal(after(outcomes).kind, kind));
  }

  it('opens before they end if three sends take too long', () => {
    assert.equal(noteOverdue(closedBreaker, 2, noon).kind, 'closed');
    assert.equal(noteOverdue(closedBreaker, 3, noon).kind, 'open');
    assert.equal(noteOverdue(opened, 3, noon), opened);
  });

  const pauses = (isUrgent: boolean) => {
    let breaker = opened;
    let now = noon;
    return Array.from({ length: 8 }, () => {
      const at = admitsAt(breaker, now, isUrgent);
      const pause = (at - now) / 1000;
      now = at;
      breaker = letThrough(breaker, now);
      return pause;
    });
  };

  it('is probed after a second, then ever more rarely while another provider takes the messages', () =>
    assert.deepEqual(pauses(false), [1, 2, 4, 8, 16, 30, 30, 30]));

  it('is probed every two seconds while there is no other', () =>
    assert.deepEqual(pauses(true), [1, 2, 2, 2, 2, 2, 2, 2]));

  it('lets one message through at a time while it is open, and all while it is closed', () => {
    const probed = letThrough(opened, noon + 1000);
    assert.ok(admitsAt(probed, noon + 1000, true) > noon + 1000);
    assert.equal(letThrough(closedBreaker, noon), closedBreaker);
    assert.equal(admitsAt(closedBreaker, noon, false), noon);
  });

  it('keeps its probes rare if it fails again within a minute, and forgets after that', () => {
    const probed = [1, 2, 3].reduce((breaker) => letThrough(breaker, noon), opened);
    const closed = noteSuccess(probed, noon);
    const failing = (now: number) => [1, 2, 3].reduce((breaker) => noteFailure(breaker, now), closed);
    assert.equal(failing(noon + 59_999).probes, 3);
    assert.equal(failing(noon + 60_000).probes, 0);
  });

  it('leaves a provider alone for as long as it asks, a minute at most', () => {
    const paused = notePause(closedBreaker, 7000, noon);
    assert.deepEqual(
      [paused.kind, isLeftOut(paused, noon + 6999), isLeftOut(paused, noon + 7000)],
      ['closed', true, false],
    );
    assert.equal(admitsAt(paused, noon, true), noon + 7000);
    assert.equal(admitsAt(notePause(closedBreaker, 86_400_000, noon), noon, true), noon + 60_000);
    // A shorter wait does not end a longer one.
    assert.equal(admitsAt(notePause(paused, 1000, noon), noon, true), noon + 7000);
  });

  it('never keeps a provider out for longer than a minute, whatever happened and wherever the clock goes', () => {
    const event = fc.constantFrom('success', 'failure', 'overdue', 'pause', 'probe');
    const step = fc.record({ event, milliseconds: fc.integer({ min: -90_000, max: 90_000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isUrgent) => {
        let breaker = closedBreaker;
        let now = noon;
        for (const { event: what, milliseconds } of steps) {
          now += milliseconds;
          if (what === 'success') breaker = noteSuccess(breaker, now);
          if (what === 'failure') breaker = noteFailure(breaker, now);
          if (what === 'overdue') breaker = noteOverdue(breaker, 3, now);
          if (what === 'pause') breaker = notePause(breaker, Math.abs(milliseconds) * 9, now);
          if (what === 'probe') breaker = letThrough(breaker, now);
          assert.ok(admitsAt(breaker, now, isUrgent) - now <= 60_000);
          assert.ok(breaker.failures.length <= 20);
          if (breaker.kind === 'open') assert.equal(noteSuccess(breaker, now).kind, 'closed');
        }
      }),
    );
  });
});
