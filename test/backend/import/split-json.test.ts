// Cutting one large JSON document into the objects of its list, whatever chunks it comes in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestRecord, type Splitter } from '../../../src/backend/import/foreign-user.ts';
import { splitJson } from '../../../src/backend/import/split-json.ts';

const all = (splitter: Splitter, ...chunks: string[]) => [...chunks.flatMap(splitter.push), ...splitter.end()];
const values = (text: string) =>
  all(splitJson('users'), text).map((entry) => ('value' in entry ? entry.value : entry.problem));

describe('splitJson', () => {
  it('the objects of the named list or of a top-level list are found, and no others', () => {
    assert.deepEqual(values('{"kind":"x","users":[{"a":1},{"b":[{"c":2}]}],"next":{"a":3}}'), [
      { a: 1 },
      { b: [{ c: 2 }] },
    ]);
    assert.deepEqual(values(' [ {"a":1} , {} ] '), [{ a: 1 }, {}]);
    assert.deepEqual(values('{"other":[{"a":1}],"x":{"users":[{"a":2}]},"users":[{"a":3}]}'), [{ a: 3 }]);
    assert.deepEqual(values('{"users":[]}'), []);
  });

  it('several documents may follow each other, as pages of an answer do', () => {
    assert.deepEqual(values('{"users":[{"a":1}],"next":"t"}\n{"users":[{"a":2}]}'), [{ a: 1 }, { a: 2 }]);
  });

  it('brackets and quotes in texts do not count', () => {
    assert.deepEqual(values('{"users":[{"a":"}]\\"{["},{"b":"\\\\"}]}'), [{ a: '}]"{[' }, { b: '\\' }]);
  });

  it('chunks cut at any place give the same records, with the line where each begins', () => {
    const text = '{"users": [\n{\n "a": "x\\"}"\n},\n{"b": {"c": []}}\n]}\n';
    const whole = all(splitJson('users'), text);
    assert.deepEqual(
      whole.map(({ line }) => line),
      [2, 5],
    );
    for (let at = 0; at <= text.length; at++)
      assert.deepEqual(all(splitJson('users'), text.slice(0, at), text.slice(at)), whole, String(at));
  });

  it('a record that is too long or no JSON is a problem of that record only', () => {
    const long = 'x'.repeat(longestRecord);
    assert.deepEqual(values(`{"users":[{"a":"${long}"},{"a" 1},{"a":2}]}`), [
      'the record is longer than 1 MiB',
      'the record is not JSON',
      { a: 2 },
    ]);
  });

  it('a file that ends too early, has no such list, or closes too much is refused', () => {
    assert.throws(() => values('{"users":[{"a":1},{"a":'), /it is not complete/);
    assert.throws(() => values('{"people":[{"a":1}]}'), /no list "users"/);
    assert.throws(() => values('{"users":[]}]'), /was not opened/);
  });
});
