// Frequent warnings: each kind at most once per interval, with the number of those that were left out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogFields } from '../../../src/kernel/process/telemetry.ts';
import { createRateLimitedWarnings } from '../../../src/kernel/work/rate-limited-warnings.ts';

function open() {
  const lines: [event: string, facts: LogFields | undefined][] = [];
  const clock = { now: 0 };
  const refuse = () => assert.fail('only warnings are written');
  const log = {
    debug: refuse,
    info: refuse,
    error: refuse,
    warn: (event: string, facts?: LogFields) => void lines.push([event, facts]),
  };
  return { lines, clock, warn: createRateLimitedWarnings(log, 1000, () => clock.now) };
}

describe('rate-limited warnings', () => {
  it('the first warning of a kind is logged at once, without a count', () => {
    const { lines, warn } = open();
    warn('disk', 'disk is full', { free: 0 });
    assert.deepEqual(lines, [['disk is full', { free: 0 }]]);
  });

  it('within the interval a kind is left out, and from its end on it is logged with the number left out', () => {
    const { lines, clock, warn } = open();
    for (const now of [0, 1, 999, 1000]) {
      clock.now = now;
      warn('disk', 'disk is full', { now });
    }
    assert.deepEqual(lines, [
      ['disk is full', { now: 0 }],
      ['disk is full', { now: 1000, leftOut: 2 }],
    ]);
  });

  it('the count starts again after each logged warning, and is absent if nothing was left out', () => {
    const { lines, clock, warn } = open();
    for (const now of [0, 1, 1000, 2000]) {
      clock.now = now;
      warn('disk', 'full', {});
    }
    assert.deepEqual(
      lines.map(([, facts]) => facts),
      [{}, { leftOut: 1 }, {}],
    );
  });

  it('the interval runs from the logged warning, not from those that were left out', () => {
    const { lines, clock, warn } = open();
    for (const now of [0, 900, 1800]) {
      clock.now = now;
      warn('disk', 'full', { now });
    }
    assert.deepEqual(
      lines.map(([, facts]) => facts),
      [{ now: 0 }, { now: 1800, leftOut: 1 }],
    );
  });

  it('kinds do not hide each other, even with the same text', () => {
    const { lines, warn } = open();
    warn('read', 'storage refused', { act: 'read' });
    warn('keep', 'storage refused', { act: 'keep' });
    assert.equal(lines.length, 2);
  });
});
