// The choice of a language by an Accept-Language header.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chooseLanguage, languages } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('the language of a request', () => {
  for (const [header, expected] of [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de-AT-1901', 'de'],
    ['zh-Hant-TW', 'zh'],
    ['fr, de', 'fr'],
    ['fr;q=0.5, de;q=0.8', 'de'],
    ['fr;q=0.8, de;q=0.8', 'fr'],
    ['xx, de', 'de'],
    ['xx', 'en'],
    ['*', 'en'],
    ['*, de', 'en'],
    ['de;q=0.9, *;q=0.5', 'de'],
    ['de;q=0', 'en'],
    ['de;q=0, fr;q=0.001', 'fr'],
    ['de;q=1.5, fr;q=0.2', 'fr'],
    ['de;q=-1, fr;q=0.2', 'fr'],
    ['de;q=x, fr;q=0.2', 'fr'],
    ['de;q=, fr', 'fr'],
    ['de ; q = 0.1 , fr ; q = 0.2', 'fr'],
    ['de;level=1;q=0.1, fr;q=0.2', 'fr'],
    ['de;level=1, fr;q=0.2', 'de'],
    ['de;q=0.1;q=1, fr;q=0.2', 'fr'],
    ['de_AT', 'en'],
    [',,,de', 'de'],
    [`${' '.repeat(998)}de`, 'de'],
    [`${' '.repeat(999)}de`, 'en'],
  ] as const) {
    it(`${JSON.stringify(header?.trim())} of ${header?.length ?? 0} characters gives ${expected}`, () =>
      assert.equal(chooseLanguage(header), expected));
  }

  it('whatever the header is, the language is one of ours', () => {
    const property = fc.property(fc.string(), (header) => {
      assert.ok(languages.includes(chooseLanguage(header)));
    });
    fc.assert(property, { seed, numRuns: 120 });
  });

  it('every language has texts of its own', () => {
    const texts = languages.map((language) => textsIn(language).sms.code);
    assert.equal(new Set(texts).size, languages.length);
  });
});
