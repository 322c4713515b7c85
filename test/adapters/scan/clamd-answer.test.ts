// What an answer of clamd means: only its exact words after the whole file mean clean, and names that it gives are bounded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readVerdict } from '../../../src/adapters/scan/clamd-answer.ts';

const limit = { kind: 'unscanned', trouble: 'limit' };
const refused = { kind: 'unscanned', trouble: 'refused' };

const cases: readonly [text: string, isWhole: boolean, isSent: boolean, expected: Record<string, unknown>][] = [
  ['stream: OK', true, true, { kind: 'clean' }],
  ['stream: OK\n', true, true, { kind: 'clean' }],
  ['stream: OK', false, true, { ...refused, detail: 'clamd answered "stream: OK"' }],
  ['stream: OK', true, false, { ...refused, detail: 'clamd answered "stream: OK"' }],
  ['stream: ok', true, true, refused],
  ['OK', true, true, refused],
  ['other: OK', true, true, refused],
  ['stream: OK FOUND', true, true, { kind: 'infected', signature: 'OK' }],
  ['stream: Win.Test.EICAR_HDB-1 FOUND', true, true, { kind: 'infected', signature: 'Win.Test.EICAR_HDB-1' }],
  ['stream: Eicar(0a1b:68) FOUND', false, false, { kind: 'infected', signature: 'Eicar(0a1b:68)' }],
  ['stream: <b>"\u00e9\n FOUND', true, true, { ...refused, detail: 'clamd answered "stream: <b>\\"?? FOUND"' }],
  ['stream: <b>"\u00e9 FOUND', true, true, { kind: 'infected', signature: '_b___' }],
  [`stream: ${'x'.repeat(3000)} FOUND`, true, true, { kind: 'infected', signature: 'x'.repeat(100) }],
  ['stream:  FOUND', true, true, refused],
  ['stream: FOUND', true, true, refused],
  ['stream: Name FOUND then more', true, true, refused],
  ['INSTREAM size limit exceeded. ERROR', true, false, limit],
  ['INSTREAM size limit exceeded', false, true, limit],
  [
    'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND',
    true,
    true,
    { ...limit, detail: 'clamd did not scan the whole file: Heuristics.Limits.Exceeded.MaxFileSize' },
  ],
  ['stream: Heuristics.Encrypted.Zip FOUND', true, true, { kind: 'infected', signature: 'Heuristics.Encrypted.Zip' }],
  ['stream: Can’t allocate memory ERROR', true, true, refused],
  ['COMMAND READ TIMED OUT', true, true, { ...refused, detail: 'clamd answered "COMMAND READ TIMED OUT"' }],
  ['UNKNOWN COMMAND', true, true, refused],
  ['', true, true, { ...refused, detail: 'clamd answered ""' }],
  ['z'.repeat(4000), true, true, { ...refused, detail: `clamd answered "${'z'.repeat(200)}"` }],
];

describe('an answer of clamd', () => {
  for (const [text, isWhole, isSent, expected] of cases) {
    const name = `${JSON.stringify(text.slice(0, 60))}${isWhole ? '' : ' without an end'}${isSent ? '' : ' before the file was sent'}`;
    it(`the answer ${name} means ${expected.trouble ?? expected.kind}`, () => {
      const verdict = readVerdict({ text, isWhole }, isSent);
      assert.deepEqual(Object.fromEntries(Object.entries(verdict).filter(([key]) => key in expected)), expected);
    });
  }
});
