// How listings look: aligned columns, times in UTC, masked recipients.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  countOf,
  isoTime,
  writeDetail,
  writeEmail,
  writePhone,
  writeTable,
  writeTime,
} from '../../src/commands/write-text.ts';
import { asEmail, asPhone } from '../helpers/people/ids.ts';

const at = Date.UTC(2031, 4, 5, 12, 3, 4, 567);

describe('a table', () => {
  it('columns are as wide as their widest cell, two spaces apart, and no line ends with spaces', () =>
    assert.equal(
      writeTable(
        ['id', 'name', 'n'],
        [
          ['a', 'Annabel', 1],
          ['bcd', '', 22],
        ],
      ),
      ['id   name     n', 'a    Annabel  1', 'bcd           22'].join('\n'),
    ));

  it('an empty last cell leaves no spaces behind', () => assert.equal(writeTable(['a', 'b'], [['x', '']]), 'a  b\nx'));

  it('a table without rows is its head', () => assert.equal(writeTable(['a', 'b'], []), 'a  b'));

  it('control characters of a cell are escaped before its width is measured', () =>
    assert.equal(writeTable(['a', 'b'], [['x\ny', 'z']]), `${'a'.padEnd(8)}  b\nx\\u000ay  z`));
});

describe('times, details and counts', () => {
  it('a time is written in UTC to the second, and in full for JSON', () => {
    assert.equal(writeTime(at), '2031-05-05 12:03:04Z');
    assert.equal(isoTime(at), '2031-05-05T12:03:04.567Z');
    assert.equal(writeTime(undefined), '-');
    assert.equal(isoTime(undefined), null);
    assert.equal(writeTime(0), '1970-01-01 00:00:00Z');
  });

  for (const [detail, expected] of [
    [{}, ''],
    [{ a: 1, b: true, c: 'x' }, 'a=1 b=true c=x'],
    [{ why: 'ticket 4711' }, 'why="ticket 4711"'],
    [{ why: '' }, 'why=""'],
    [{ why: 'a "b"' }, 'why="a \\"b\\""'],
    [{ why: 'a\u202eb' }, 'why=a\\u202eb'],
  ] as const) {
    it(`the detail ${JSON.stringify(detail)} is written as ${expected || 'nothing'}`, () =>
      assert.equal(writeDetail(detail), expected));
  }

  it('recipients are masked unless they are revealed', () => {
    assert.deepEqual(
      [writePhone(asPhone('+12025550123'), false), writePhone(asPhone('+12025550123'), true)],
      ['+12•••23', '+12025550123'],
    );
    assert.deepEqual(
      [writeEmail(asEmail('ann@b.cc'), false), writeEmail(asEmail('ann@b.cc'), true)],
      ['a•••@b.cc', 'ann@b.cc'],
    );
  });

  it('a count has its noun in the right number', () =>
    assert.deepEqual([countOf(0, 'file'), countOf(1, 'file'), countOf(2, 'file')], ['0 files', '1 file', '2 files']));
});
