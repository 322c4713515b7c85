// The rules of the blob sweep: turns, steps, the stop, and which blobs may go.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SweepStep, sweepRules } from '../../../src/files/sweeps/blob-sweep.ts';
import {
  advanceSweep,
  claimSweep,
  describeSweep,
  neverSwept,
  type Orphan,
  recountSweep,
  type SweepState,
  seeOrphan,
} from '../../../src/files/sweeps/sweep-rules.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

const lease = sweepRules.leaseSeconds * 1000;
const rest = sweepRules.restSeconds * 1000;
const counts = { blobs: 10, orphans: 2, missing: 1 };
const underWay: SweepState = {
  pass: 4,
  place: 'fil_M',
  startedAt: noon - 1000,
  endedAt: undefined,
  counts,
  last: { blobs: 1000, orphans: 0, missing: 0 },
  holder: 'me',
  leaseUntil: noon + 1000,
};
const ended: SweepState = { ...underWay, endedAt: noon - rest, holder: '', leaseUntil: 0 };

describe('the turn of a sweep', () => {
  const claim = { holder: 'me', now: noon };
  const going = { pass: 4, place: 'fil_M', isStopped: false };
  const next = { pass: 5, place: '', isStopped: false };
  const many = { blobs: 1000, orphans: 21, missing: 0 };
  const cases: [what: string, SweepState, unknown][] = [
    ['of the first pass ever', neverSwept, { pass: 1, place: '', isStopped: false }],
    ['goes on with what the node holds', underWay, going],
    ['is not given while another node holds it', { ...underWay, holder: 'other' }, undefined],
    [
      'is not given at the moment in which another node gets it',
      { ...underWay, holder: 'other', leaseUntil: noon + lease },
      undefined,
    ],
    ['is given when the lease of another node has ended', { ...underWay, holder: 'other', leaseUntil: noon }, going],
    [
      'ignores a lease from a clock that ran ahead',
      { ...underWay, holder: 'other', leaseUntil: noon + lease + 1 },
      going,
    ],
    ['starts the next pass after a rest', ended, next],
    ['is not given during the rest', { ...ended, endedAt: noon - rest + 1 }, undefined],
    ['ignores an end from a clock that ran ahead', { ...ended, endedAt: noon + 1 }, next],
    ['is stopped where the last pass found too many', { ...ended, last: many }, { ...next, isStopped: true }],
    ['is stopped where this pass has found too many', { ...underWay, counts: many }, { ...going, isStopped: true }],
    [
      'is not stopped by what is little beside the last pass',
      { ...underWay, counts: { ...many, blobs: 30 }, last: { ...counts, blobs: 3000 } },
      going,
    ],
  ];
  for (const [what, state, turn] of cases) {
    it(what, () => assert.deepEqual(claimSweep(state, claim)?.turn, turn));
  }

  it('a sweep that never ran has no place, no holder and nothing counted', () => {
    const none = { blobs: 0, orphans: 0, missing: 0 };
    const state = { pass: 0, place: '', startedAt: 0, endedAt: 0, counts: none, last: none, holder: '', leaseUntil: 0 };
    assert.deepEqual(neverSwept, state);
  });

  it('leases to the node, and a new pass counts from nothing', () => {
    const held = { ...underWay, leaseUntil: noon + lease };
    assert.deepEqual(claimSweep(underWay, claim)?.state, held);
    assert.deepEqual(claimSweep(ended, claim)?.state, {
      ...held,
      pass: 5,
      place: '',
      startedAt: noon,
      counts: { blobs: 0, orphans: 0, missing: 0 },
    });
  });
});

describe('a step of the sweep', () => {
  const step: SweepStep = { ...counts, holder: 'me', pass: 4, from: 'fil_M', to: 'fil_Z', now: noon };
  const sum = { blobs: 20, orphans: 4, missing: 2 };
  const lost: [what: string, SweepState | undefined][] = [
    ['no sweep is known', undefined],
    ['another node holds it', { ...underWay, holder: 'other' }],
    ['another pass is under way', { ...underWay, pass: 5 }],
    ['it was done before', { ...underWay, place: 'fil_Z' }],
    ['the pass has ended', { ...underWay, endedAt: noon }],
  ];
  for (const [what, state] of lost) {
    it(`is lost where ${what}`, () => assert.deepEqual(advanceSweep(state, step), { kind: 'lost' }));
  }

  it('goes on under a new lease', () => {
    const state = { ...underWay, counts: sum, place: 'fil_Z', leaseUntil: noon + lease };
    assert.deepEqual(advanceSweep(underWay, step), { kind: 'on', state });
  });

  it('ends the pass, and tells what it found', () => {
    assert.deepEqual(advanceSweep(underWay, { ...step, to: undefined }), {
      kind: 'ended',
      state: { ...underWay, counts: sum, last: sum, endedAt: noon, holder: '', leaseUntil: 0 },
      found: { ...sum, endedAt: noon, isStopped: false },
      event: undefined,
    });
  });

  it('writes down the first pass that finds too many, not the next', () => {
    const last = { ...step, to: undefined, orphans: 28 };
    const first = advanceSweep(underWay, last);
    const detail = { blobs: 20, orphans: 30 };
    assert.deepEqual(first.kind === 'ended' && first.event, { kind: 'sweep.stopped', detail, now: noon });
    const next = advanceSweep({ ...underWay, last: { ...counts, orphans: 30 } }, last);
    assert.deepEqual(next.kind === 'ended' && [next.event, next.found.isStopped], [undefined, true]);
  });

  it('loses its place to a count by an operator', () => {
    const state = recountSweep(underWay, { ...sum, now: noon });
    assert.deepEqual(state, { ...underWay, last: sum, endedAt: noon, holder: '', leaseUntil: 0 });
  });

  it('is not stopped by what an interrupted pass had counted before an operator counted again', () => {
    const state = recountSweep({ ...underWay, counts: { blobs: 50, orphans: 50, missing: 0 } }, { ...sum, now: noon });
    assert.equal(describeSweep(state).isStopped, false);
  });

  it('shows the last whole pass, since the start of the one under way', () => {
    const shown = { ...underWay.last, endedAt: noon - 1000, isStopped: false };
    assert.deepEqual(describeSweep(underWay), shown);
    assert.deepEqual(describeSweep(ended), { ...shown, endedAt: noon - rest });
  });
});

describe('a blob without a record', () => {
  const known: Orphan = { firstSeenAt: noon - day, firstPass: 3, lastPass: 4, keptUntil: 0 };
  const kept = noon + 30 * day;
  const cases: [what: string, Orphan | undefined, isDue: boolean, firstPass: number][] = [
    ['seen for the first time', undefined, false, 5],
    ['seen in each pass for a day', known, true, 3],
    ['seen for less than a day', { ...known, firstSeenAt: noon - day + 1 }, false, 3],
    ['that a pass in between did not see', { ...known, lastPass: 3 }, false, 5],
    ['seen in this pass alone', { ...known, firstPass: 5, lastPass: 5 }, false, 5],
  ];
  for (const [what, orphan, isDue, firstPass] of cases) {
    it(`${what} ${isDue ? 'may go' : 'stays'}`, () => {
      const seen = seeOrphan(orphan, 5, noon);
      assert.equal(seen.isDue, isDue);
      const firstSeenAt =
        orphan === undefined || (firstPass === 5 && orphan.firstPass !== 5) ? noon : orphan.firstSeenAt;
      assert.deepEqual(seen.orphan, { firstSeenAt, firstPass, lastPass: 5, keptUntil: kept });
    });
  }
});
