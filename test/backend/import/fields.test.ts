// The spellings of one value in the exports of different services.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFalse, isRounded, isTrue, objectOf, textOf, timeOf, without } from '../../../src/backend/import/fields.ts';

describe('the fields of a foreign record', () => {
  it('timeOf reads milliseconds, seconds, ISO 8601 and the form of PostgreSQL, and nothing else', () => {
    const time = Date.UTC(2024, 0, 31, 8, 15);
    for (const value of [
      time,
      String(time),
      time / 1000,
      `${time / 1000}.0`,
      '2024-01-31T08:15:00Z',
      '2024-01-31T09:15:00+01:00',
      '2024-01-31 08:15:00+00',
      '2024-01-31 08:15:00.000000+00',
    ])
      assert.equal(timeOf(value), time, String(value));
    assert.equal(timeOf('2024-01-31 08:15:00.123456+00'), time + 123);
    for (const value of [undefined, null, '', 'never', {}, true]) assert.equal(timeOf(value), undefined);
  });

  it('isTrue and isFalse accept a clear word only', () => {
    for (const value of [true, 1, 'true', 'TRUE', 't', '1', 'yes', 'Y', 'on'])
      assert.deepEqual([isTrue(value), isFalse(value)], [true, false]);
    for (const value of [false, 0, 'false', 'FALSE', 'f', '0', 'no', 'N', 'off'])
      assert.deepEqual([isTrue(value), isFalse(value)], [false, true]);
    for (const value of [undefined, null, '', 'maybe', {}])
      assert.deepEqual([isTrue(value), isFalse(value)], [false, false]);
  });

  it('textOf trims a text, and an empty one counts as no text', () => {
    assert.deepEqual([' a ', 7, '', '  ', null, {}].map(textOf), [
      'a',
      '7',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('isRounded knows a number that JavaScript cannot hold exactly', () => {
    const values = [9007199254740991, -7, 'a', undefined, JSON.parse('9007199254740993'), JSON.parse('1e400')];
    assert.deepEqual(values.map(isRounded), [false, false, false, false, true, true]);
  });

  it('objectOf reads JSON in a text and keeps a text that is no JSON, and without removes fields', () => {
    const values = [{ a: 1 }, '{"a":1}', '', 'null', null, undefined, 'a', '[1]'].map(objectOf);
    assert.deepEqual(values, [{ a: 1 }, { a: 1 }, undefined, undefined, undefined, undefined, 'a', [1]]);
    assert.deepEqual(without({ a: 1, b: 2 }, ['a']), { b: 2 });
    assert.equal(without({ a: 1 }, ['a']), undefined);
    assert.equal(without('text', ['a']), 'text');
  });
});
