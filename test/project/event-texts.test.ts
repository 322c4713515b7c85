// Every kind of event has words on the admin page, in every language, and no words are left over.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { locales } from '../../locales/languages.ts';
import { languages } from '../../src/kernel/text/language.ts';
import { timelineKinds } from '../../src/support/trace-recipients.ts';

describe('the words for events', () => {
  for (const language of languages) {
    it(`every kind of event has its words in ${language}, and no two kinds that staff must tell apart share them`, () => {
      const { events } = locales[language].pages.admin;
      assert.deepEqual(Object.keys(events).toSorted(), [...timelineKinds].toSorted());
      const words = Object.entries(events).filter(([kind]) => kind !== 'otp.wrong');
      assert.equal(new Set(words.map(([, text]) => text)).size, words.length);
      for (const [kind, text] of words) assert.ok(!text.includes(kind), kind);
    });
  }
});
