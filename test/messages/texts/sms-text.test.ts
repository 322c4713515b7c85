// The text of an SMS: code, origin-bound line, and one segment in every language.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Language, languages } from '../../../src/kernel/text/language.ts';
import { smsTopics } from '../../../src/messages/message-kinds.ts';
import { checkSmsTexts, fitsOneSegment, writeNoticeSms, writeSms } from '../../../src/messages/texts/sms-text.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const values = { brand: 'Acme', host: 'id.example.com', code: '012345', minutes: 5 };

describe('the text of an SMS', () => {
  for (const language of languages) {
    it(`in ${language} it names brand, code and minutes, ends with the origin-bound line and fits one segment`, () => {
      const text = writeSms(language, values);
      const [first = '', ...rest] = text.split('\n');
      assert.ok(first.includes('Acme') && first.includes('012345') && first.includes('5'), first);
      assert.deepEqual(rest, ['', '@id.example.com #012345']);
      assert.doesNotMatch(text, /[{}]/);
      assert.ok(fitsOneSegment(text));
    });
  }

  it('a text that does not fit in its language is sent in English', () => {
    const long = { ...values, brand: 'A'.repeat(30) };
    assert.deepEqual(checkSmsTexts(long.brand, long.host), {
      isFit: true,
      fallbacks: languages.filter((language) => language !== 'en' && writeSms(language, long) === writeSms('en', long)),
    });
    assert.ok(checkSmsTexts(long.brand, long.host).fallbacks.includes('ru'));
  });

  it('no language falls back with a short brand and host', () => {
    assert.deepEqual(checkSmsTexts('Acme', 'id.example.com'), { isFit: true, fallbacks: [] });
  });

  it('a brand and a host that fit no segment are reported, in every language', () => {
    const check = checkSmsTexts('A'.repeat(30), `${'a'.repeat(120)}.example.com`);
    assert.deepEqual(check, { isFit: false, fallbacks: languages });
  });
});

describe('one segment of an SMS', () => {
  for (const [what, text, expected] of [
    ['160 characters of GSM 7', 'a'.repeat(160), true],
    ['161 characters of GSM 7', 'a'.repeat(161), false],
    ['160 characters with line breaks and umlauts of GSM 7', `ä\n${'Ü'.repeat(158)}`, true],
    ['70 characters with one outside GSM 7', `ç${'a'.repeat(69)}`, true],
    ['71 characters with one outside GSM 7', `ç${'a'.repeat(70)}`, false],
    ['70 characters of Cyrillic', 'я'.repeat(70), true],
    ['35 characters that need two units each', '\u{1f600}'.repeat(35), true],
    ['36 characters that need two units each', '\u{1f600}'.repeat(36), false],
    ['a curly brace, which needs an escape in GSM 7', `{${'a'.repeat(70)}`, false],
    ['nothing', '', true],
  ] as const) {
    it(`${what} ${expected ? 'fit' : 'do not fit'}`, () => assert.equal(fitsOneSegment(text), expected));
  }

  it('whatever brand is allowed, the text names the code and ends with its line', () => {
    const brand = fc.string({ unit: fc.constantFrom(...'aZ 9é我я.&'), minLength: 1, maxLength: 30 });
    const property = fc.property(brand, fc.constantFrom(...languages), (name, language) => {
      const text = writeSms(language, { ...values, brand: name });
      assert.ok(text.endsWith('\n\n@id.example.com #012345') && text.includes(name), text);
    });
    fc.assert(property, { seed, numRuns: 100 });
  });
});

describe('the text of a notice by SMS', () => {
  const url = `https://id.example.com/not-me#${'x'.repeat(32)}`;
  for (const language of languages) {
    for (const topic of smsTopics) {
      it(`the notice ${topic} in ${language} has brand and link, and fits one segment`, () => {
        const text = writeNoticeSms(language, topic, { brand: 'Acme', url });
        assert.ok(text.includes('Acme') && text.endsWith(url), text);
        assert.ok(fitsOneSegment(text), text);
        assert.doesNotMatch(text, /[{}]/);
      });
    }
  }

  it('a notice in a language of the Latin script does not fall back to English', () => {
    const needOtherScript: readonly Language[] = ['ru', 'zh', 'ar', 'uk'];
    for (const language of languages.filter((each) => each !== 'en' && !needOtherScript.includes(each)))
      for (const topic of smsTopics) {
        const [own, english] = [language, 'en' as const].map((each) =>
          writeNoticeSms(each, topic, { brand: 'Acme', url }),
        );
        assert.notEqual(own, english, `${topic} in ${language}`);
      }
  });

  for (const topic of smsTopics) {
    it(`the notice ${topic} whose link fits no segment is sent without the link, and still says what it is about`, () => {
      const text = writeNoticeSms('de', topic, { brand: 'Acme', url: `https://${'a'.repeat(160)}.example` });
      assert.doesNotMatch(text, /https/);
      assert.match(text, topic.startsWith('phone-') ? /phone number/ : /e-mail address/);
      assert.ok(fitsOneSegment(text), text);
    });
  }
});
