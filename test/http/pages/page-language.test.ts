// The language of a page: what an app names, then the cookie of the language switch, then Accept-Language.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pageLanguage } from '../../../src/http/pages/page-language.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('the language of a page', () => {
  for (const [named, cookie, header, expected] of [
    ['', undefined, undefined, 'en'],
    ['', undefined, 'de-AT, fr;q=0.5', 'de'],
    ['', 'gatehouse_lang=ar', 'de', 'ar'],
    ['', 'JWT=x; gatehouse_lang=uk; RT=y', 'de', 'uk'],
    ['', 'gatehouse_lang=xx', 'de', 'de'],
    ['', 'gatehouse_lang=', 'de', 'de'],
    ['', 'gatehouse_lang=AR', 'de', 'de'],
    ['', 'gatehouse_lang=ar-EG', 'de', 'de'],
    ['', 'gatehouse_lang=__proto__', 'de', 'de'],
    ['', 'gatehouse_lang="ar"', undefined, 'en'],
    ['', 'gatehouse_lang=ar; gatehouse_lang=fr', undefined, 'ar'],
    ['', 'gatehouse_language=ar', undefined, 'en'],
    ['fr', 'gatehouse_lang=ar', 'de', 'fr'],
    ['xx fr-CA', 'gatehouse_lang=ar', 'de', 'fr'],
    ['FR', undefined, 'de', 'fr'],
    ['xx', 'gatehouse_lang=ar', 'de', 'ar'],
    ['xx', undefined, 'de', 'de'],
  ] as const) {
    it(`an app that names “${named}”, the cookies ${cookie ?? 'none'} and Accept-Language ${header ?? 'none'} give ${expected}`, () => {
      const headers = { cookie, 'accept-language': header };
      assert.equal(pageLanguage({ headers }, named), expected);
    });
  }

  it('whatever the app, the cookie and the header say, the language is one of ours', () => {
    const property = fc.property(fc.string(), fc.string(), fc.string(), (named, cookie, header) => {
      const headers = { cookie: `gatehouse_lang=${cookie}`, 'accept-language': header };
      assert.ok(languages.includes(pageLanguage({ headers }, named)));
    });
    fc.assert(property, { seed, numRuns: 120 });
  });
});
