// Test recipients are found by their exact text, until their time ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTestRecipient } from '../../../src/auth/codes/test-recipient.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const first = { recipient: '+15550100001', code: '111111', until: noon + 1 };
const ended = { recipient: '+15550100002', code: '222222', until: noon };
const again = { ...ended, code: '333333', until: noon + 9 };

describe('a test recipient', () => {
  const cases: [what: string, recipient: string, expected: typeof first | undefined][] = [
    ['is found by its text', '+15550100001', first],
    ['is not found after its end, but a later entry is', '+15550100002', again],
    ['is not found by another text', '+15550100003', undefined],
  ];
  for (const [what, recipient, expected] of cases) {
    it(`a test recipient ${what}`, () => {
      assert.equal(findTestRecipient([first, ended, again], recipient, noon), expected);
    });
  }

  it('a test recipient is not found in the millisecond of its end', () => {
    assert.equal(findTestRecipient([first], first.recipient, noon), first);
    assert.equal(findTestRecipient([first], first.recipient, noon + 1), undefined);
  });
});
