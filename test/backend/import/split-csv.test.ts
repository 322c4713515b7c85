// Cutting CSV: quotes, line breaks, and the same records whatever chunks the text comes in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestRecord, SourceError, type Splitter } from '../../../src/backend/import/foreign-user.ts';
import { splitCsv } from '../../../src/backend/import/split-csv.ts';

const all = (splitter: Splitter, ...chunks: string[]) => [...chunks.flatMap(splitter.push), ...splitter.end()];
const header = 'phone,name\n';
const rows = (text: string) => all(splitCsv({ needs: ['phone'] }), header + text);
const row = (line: number, phone: string, name: string) => ({ line, value: { phone, name } });

describe('splitCsv', () => {
  it('a record has the value of each column, whatever ends its line', () => {
    const expected = [row(2, '1', 'a'), row(3, '2', ' b ')];
    assert.deepEqual(rows('1,a\n2, b \n'), expected);
    assert.deepEqual(rows('1,a\r\n2, b '), expected);
    assert.deepEqual(
      rows('\n1,a\n\n').map(({ line }) => line),
      [3],
    );
  });

  it('a quoted field may contain commas, quotes and line breaks, and the next record knows its line', () => {
    assert.deepEqual(rows('"1","a, ""b""\r\nc"\r\n2,\n'), [row(2, '1', 'a, "b"\r\nc'), row(4, '2', '')]);
    assert.deepEqual(rows('1,say "yes"\n'), [row(2, '1', 'say "yes"')]);
  });

  it('chunks cut at any place give the same records', () => {
    const text = `${header}"1","a ""b""\r\nc"\r\n2,"",\r\n3\r\n4,d`;
    const whole = all(splitCsv({}), text);
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(all(splitCsv({}), text.slice(0, at), text.slice(at)), whole, String(at));
  });

  it('a line with too few or too many fields, or text after a closing quote, is a problem of that line only', () => {
    assert.deepEqual(rows('1\n1,2,3\n"1"x,a\n2,b,,\n'), [
      { line: 2, problem: 'the line has 1 fields instead of 2' },
      { line: 3, problem: 'the line has 3 fields instead of 2' },
      { line: 4, problem: 'a quoted field goes on after its closing quote' },
      row(5, '2', 'b'),
    ]);
  });

  it('a file without a header has the given columns, and the last may be missing', () => {
    assert.deepEqual(all(splitCsv({ names: ['phone', 'name'] }), '1\n2,b,\n'), [row(1, '1', ''), row(2, '2', 'b')]);
  });

  it('a line of a file without a header that is too short is a problem', () => {
    const splitter = splitCsv({ names: ['phone', 'name', 'note'], least: 2 });
    assert.deepEqual(
      all(splitter, '1\n2,b\n').map((entry) => ('problem' in entry ? entry.problem : entry.line)),
      ['the line has 1 fields instead of 3', 2],
    );
  });

  it('a text that stands for a missing value counts as no text', () => {
    assert.deepEqual(rows('1,null\n2,NULL\n3,\\N\n4,Null\n'), [
      row(2, '1', ''),
      row(3, '2', ''),
      row(4, '3', ''),
      row(5, '4', 'Null'),
    ]);
  });

  it('where a backslash protects the comma, it is a part of the field, wherever the chunks end', () => {
    const text = `${header}1,a\\, b\n2,\\,\n`;
    for (let at = 0; at <= text.length; at++) {
      const splitter = splitCsv({ needs: ['phone'], hasBackslashes: true });
      assert.deepEqual(all(splitter, text.slice(0, at), text.slice(at)), [row(2, '1', 'a, b'), row(3, '2', ',')]);
    }
    assert.deepEqual(rows('1,a\\\n'), [row(2, '1', 'a\\')]);
  });

  it('a record that is too long is skipped, and the next one is read', () => {
    const long = 'x'.repeat(longestRecord);
    assert.deepEqual(rows(`1,${long}\n2,b\n`), [
      { line: 2, problem: 'the record is longer than 1 MiB' },
      row(3, '2', 'b'),
    ]);
  });

  it('commas count towards the length of a record, so that empty fields cannot fill the memory', () => {
    assert.deepEqual(rows(`1${','.repeat(longestRecord)}\n2,b\n`), [
      { line: 2, problem: 'the record is longer than 1 MiB' },
      row(3, '2', 'b'),
    ]);
    assert.deepEqual(rows(`1,"a"x,`), [{ line: 2, problem: 'a quoted field goes on after its closing quote' }]);
  });

  it('the first line tells whether commas, semicolons or tabs separate the fields', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['phone,name\r\n1,"a;b"\r\n', 'a;b'],
      ['phone;name\r\n1;a, b\r\n', 'a, b'],
      ['phone\tname\n1\ta;b', 'a;b'],
      ['"phone";"name"\n"1";"a ""b"";"\n', 'a "b";'],
    ];
    for (const [text, name] of cases)
      assert.deepEqual(all(splitCsv({ needs: ['phone'], start: text }), text), [row(2, '1', name)], text);
  });

  it('a row of separators only is no record', () => {
    assert.deepEqual(rows('1,a\n,\n , \n2,b\n,,\n'), [row(2, '1', 'a'), row(5, '2', 'b')]);
  });

  it('a file without the needed columns, with a column twice, or with an open quote is refused', () => {
    assert.throws(() => all(splitCsv({ needs: ['phone', 'email'] }), 'telephone\n1\n'), /none of: phone, email/);
    assert.throws(() => all(splitCsv({}), 'phone,phone\n'), /the column phone twice/);
    assert.throws(
      () => rows('1,a\n2,"b\n3,c\n'),
      new SourceError('A quoted field in the record of line 3 has no end.'),
    );
  });
});
