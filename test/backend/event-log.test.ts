// The log of events that apps read: cursors, pages, and which cursors are too old.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cutPage,
  type EventPlace,
  isBehind,
  isExpired,
  type PlacedEvent,
  readCursor,
  sweepLog,
  writeCursor,
} from '../../src/backend/event-log.ts';

const era = '019a8f4e-6c1b-7d0a-9c55-0b8f3f1d2a44';
const otherEra = '019a8f4e-6c1b-7d0a-9c55-0b8f3f1d2a45';
const log = { era, lastPosition: 9, sweptPosition: 4 };

const at = (position: number): EventPlace => ({ era, position });
const event = (position: number): PlacedEvent => ({
  id: `e${position}`,
  kind: 'user.created',
  detail: {},
  at: 0,
  position,
});

describe('a cursor of events', () => {
  for (const position of [0, 1, 17, 999_999_999_999_999]) {
    it(`at position ${position} is read back from its text`, () => {
      const text = writeCursor(at(position));
      assert.match(text, /^[\w-]{50,72}$/);
      assert.deepEqual(readCursor(text), at(position));
    });
  }

  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const strange = {
    'empty text': '',
    'a plain number': '17',
    'an era without a position': encode(era),
    'a negative position': encode(`${era} -1`),
    'a position with a leading zero': encode(`${era} 01`),
    'a position with a fraction': encode(`${era} 1.5`),
    'a position beyond exact numbers': encode(`${era} 9999999999999999`),
    'an era in capitals': encode(`${era.toUpperCase()} 1`),
    'an era that is too short': encode(`${era.slice(1)} 1`),
    'a text before the era': encode(`x${era} 1`),
    'a text after the position': encode(`${era} 1 `),
    'a padded text': `${writeCursor(at(1))}=`,
    'a text with a stray character': `${writeCursor(at(1))}!`,
  };
  for (const [name, text] of Object.entries(strange))
    it(`${name} is no cursor`, () => assert.equal(readCursor(text), undefined));

  const ages: [string, EventPlace | undefined, boolean][] = [
    ['no cursor', undefined, false],
    ['the last position', at(9), false],
    ['the last swept position', at(4), false],
    ['a position before the last swept one', at(3), true],
    ['a position that was never given', at(10), true],
    ['a position of another era', { era: otherEra, position: 5 }, true],
  ];
  for (const [name, after, expected] of ages)
    it(`${name} is ${expected ? '' : 'not '}too old`, () => {
      assert.equal(isExpired(after, log), expected);
      assert.equal(cutPage({ after, most: 1 }, log, []).kind === 'expired', expected);
    });
});

describe('a page of events', () => {
  it('that is full ends at its last event', () => {
    const events = [event(5), event(6)];
    assert.deepEqual(cutPage({ after: at(4), most: 2 }, log, events), { kind: 'page', events, end: at(6) });
  });

  it('that is not full ends at the last position, even if its event is gone', () => {
    const events = [event(7), event(8)];
    assert.deepEqual(cutPage({ after: at(6), most: 3 }, log, events), { kind: 'page', events, end: at(9) });
    assert.deepEqual(cutPage({ after: at(9), most: 3 }, log, []), { kind: 'page', events: [], end: at(9) });
  });

  const cases: [string, number | undefined, number[], boolean, boolean][] = [
    ['is full', 4, [5, 6], true, false],
    ['is not full and an event waits for its position', 8, [9], true, true],
    ['is empty and an event waits for its position', 9, [], true, true],
    ['has the last position', 8, [9], false, false],
    ['follows the last position', 9, [], false, false],
    ['is not full and a position was given meanwhile', 7, [8], false, true],
    ['is empty and a position was given meanwhile', 8, [], false, true],
    ['is empty without a cursor', undefined, [], false, true],
  ];
  for (const [name, after, positions, hasUnplaced, expected] of cases)
    it(`that ${name} ${expected ? 'lacks' : 'does not lack'} events`, () => {
      const query = { after: after === undefined ? undefined : at(after), most: 2 };
      assert.equal(isBehind(query, log, positions.map(event), hasUnplaced), expected);
    });

  it('of a log whose events were all swept lacks nothing', () =>
    assert.equal(isBehind({ after: undefined, most: 2 }, { ...log, sweptPosition: 9 }, [], false), false));
});

describe('a sweep of events', () => {
  const cases: [string, number | undefined, boolean, number, number][] = [
    ['that removed nothing changes nothing', undefined, false, 9, 4],
    ['raises the swept position to the highest one', 8, false, 9, 8],
    ['of an older event changes nothing', 2, false, 9, 4],
    ['of an event that nobody read makes every cursor too old', 5, true, 10, 10],
    ['of nothing but an event that nobody read does the same', undefined, true, 10, 10],
  ];
  for (const [name, highest, hasUnplaced, lastPosition, sweptPosition] of cases)
    it(name, () => {
      assert.deepEqual(sweepLog(log, { highest, hasUnplaced }), { era, lastPosition, sweptPosition });
    });
});
