// Closed lists of words: their members, and texts that are none.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findWord, listOf, readWord, unreachable } from '../../../src/kernel/text/closed-list.ts';

const words = ['sms', 'mail'] as const;

describe('a closed list of words', () => {
  it('the members of a record are its names, in their order', () =>
    assert.deepEqual(listOf<'a' | 'b'>({ b: true, a: true }), ['b', 'a']));

  for (const text of ['', 'SMS', 'sms ', 'toString', 'fax']) {
    it(`“${text}” is no member: it is not found, and reading it names it and all members`, () => {
      assert.equal(findWord(words, text), undefined);
      assert.throws(() => readWord(words, text, 'the channel'), {
        message: `the channel holds ${JSON.stringify(text)}, not one of: sms, mail`,
      });
    });
  }

  it('a member is found and read', () => {
    assert.equal(findWord(words, 'mail'), 'mail');
    assert.equal(readWord(words, 'sms', 'the channel'), 'sms');
  });

  it('a value that no branch handles is an error that shows it', () =>
    assert.throws(() => unreachable({ kind: 'new' } as never), /not handled: {"kind":"new"}/));
});
