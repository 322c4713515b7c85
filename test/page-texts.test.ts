// The pages' texts in eight languages: the keys and the placeholders of English, nothing empty, nothing left in English.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Language, languages } from '../src/kernel/language.ts';
import { texts } from '../web/texts/all.ts';

/** Where a language says it just as English does. */
const sameAsEnglish: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  es: ['account.purposeAudio'],
  de: ['account.purposeAudio', 'account.purposeVideo', 'account.uploads', 'admin.person', 'inbox.plainText'],
  fr: ['account.email', 'account.purposeAudio', 'account.purposeDocument', 'common.navigation', 'inbox.messages'],
  pt: ['account.email'],
  ru: [],
  tr: ['account.purposeVideo'],
  zh: [],
};

const english = textsOf('en');

describe('the texts of the pages', () => {
  it('are there in every language of the service, and in no other', () => {
    assert.deepEqual(Object.keys(texts).toSorted(), languages.toSorted());
  });

  for (const language of languages) {
    const own = textsOf(language);

    it(`in ${language} have the keys of English, in its order`, () => {
      assert.deepEqual([...own.keys()], [...english.keys()]);
    });

    it(`in ${language} have the placeholders of English, each as often`, () => {
      for (const [key, text] of own) assert.deepEqual(placeholders(text), placeholders(english.get(key) ?? ''), key);
    });

    it(`in ${language} are whole: none empty, none with blanks around it, no brace but a placeholder’s`, () => {
      for (const [key, text] of own) {
        assert.ok(text !== '' && text.trim() === text, key);
        assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[{}]/, key);
      }
    });

    if (language === 'en') continue;

    it(`in ${language} are not the English ones, but where that is right`, () => {
      const same = [...own].filter(([key, text]) => text === english.get(key)).map(([key]) => key);
      assert.deepEqual(same.toSorted(), sameAsEnglish[language]);
    });
  }
});

/** Every text of a language, as `page.key`. */
function textsOf(language: Language): Map<string, string> {
  const pages = Object.entries<Readonly<Record<string, string>>>(texts[language]);
  return new Map(
    pages.flatMap(([page, entries]) => Object.entries(entries).map(([key, text]) => [`${page}.${key}`, text] as const)),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();
}
