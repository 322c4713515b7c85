// Values in the texts of messages.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillIn } from '../../../src/messages/texts/message-texts.ts';

describe('a text with values', () => {
  for (const [text, values, expected] of [
    ['{brand}: {code}', { brand: 'Acme', code: '012345' }, 'Acme: 012345'],
    ['{minutes, plural, one {# minute} other {# minutes}}', { brand: '', minutes: 1 }, '1 minute'],
    ['{minutes, plural, one {# minute} other {# minutes}}', { brand: '', minutes: 5 }, '5 minutes'],
    ['{code}{minutes}', { brand: '' }, '0'],
    ['{brand}', { brand: '{code} <b>' }, '{code} <b>'],
  ] as const) {
    it(`“${text}” with ${JSON.stringify(values)} is “${expected}”`, () =>
      assert.equal(fillIn('en', text, values), expected));
  }

  it('the plural follows the language, also for the same text', () => {
    const text = '{minutes, plural, one {one} few {few} other {other}}';
    assert.equal(fillIn('ru', text, { brand: '', minutes: 3 }), 'few');
    assert.equal(fillIn('en', text, { brand: '', minutes: 3 }), 'other');
  });
});
