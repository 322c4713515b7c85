// The moment that a database was set back to.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMoment } from '../../../src/commands/backup/recover.ts';

const now = Date.UTC(2031, 4, 5, 12);

describe('the moment of a recovery', () => {
  for (const [text, expected] of [
    ['2031-05-05T12:00:00Z', '2031-05-05T12:00:00.000Z'],
    ['2031-05-05 11:59Z', '2031-05-05T11:59:00.000Z'],
    ['2031-01-31T04:30:00.25Z', '2031-01-31T04:30:00.250Z'],
    ['2031-01-31T04:30:00+02:00', '2031-01-31T02:30:00.000Z'],
    ['2031-01-31T04:30:00-0530', '2031-01-31T10:00:00.000Z'],
    ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000Z'],
  ] as const) {
    it(`${text} is ${expected}`, () => assert.equal(readMoment(text, now), expected));
  }

  for (const text of [
    '',
    'yesterday',
    '2031-01-31',
    '2031-01-31T04:30',
    '2031-01-31T04:30:00',
    '2031-02-31T04:30:00Z',
    '2031-02-29T00:00Z',
    '2031-13-01T00:00Z',
    '2031-01-31T25:00Z',
    '2031-01-31T04:30:00Z ',
    '1772254800000',
  ]) {
    it(`“${text}” is refused`, () => assert.throws(() => readMoment(text, now), /takes a time with its time zone/));
  }

  it('a moment in the future is refused, and this very moment is not', () => {
    assert.throws(() => readMoment('2031-05-05T12:00:00.001Z', now), /--to is in the future/);
    assert.equal(readMoment('2031-05-05T14:00:00+02:00', now), '2031-05-05T12:00:00.000Z');
  });
});
