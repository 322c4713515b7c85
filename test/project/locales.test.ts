// The texts of every language: the keys and placeholders of English, valid ICU MessageFormat, nothing empty, nothing left in English.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { failureMessage, mayBeMissing } from '../../src/http/interface/catalogue.ts';
import { failureCodes } from '../../src/kernel/failure.ts';
import { directionOf, type Language, languages, localeOf, nameOf } from '../../src/kernel/text/language.ts';
import { textsIn } from '../../src/kernel/text/texts.ts';
import { choosePlural } from '../../web/parts/choose-plural.ts';
import { smallestDetails, smallestFailure } from '../helpers/smallest-details.ts';

/** Keys whose text is the same as in English. A language that is not listed may do so with single words only. */
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  es: ['pages.account.purposeAudio', 'pages.admin.details.error', 'pages.admin.values.audio'],
  de: [
    'pages.account.purposeAudio',
    'pages.account.purposeVideo',
    'pages.account.uploads',
    'pages.admin.apps',
    'pages.admin.limits',
    'pages.admin.state',
    'pages.brand.link',
    'pages.inbox.plainText',
  ],
  fr: [
    'pages.account.email',
    'pages.account.kindDocument',
    'pages.account.purposeAudio',
    'pages.account.purposeDocument',
    'pages.admin.details.sessions',
    'pages.admin.values.audio',
    'pages.admin.values.document',
    'pages.admin.values.mail',
    'pages.brand.focus',
    'pages.brand.mails',
    'pages.brand.message',
    'pages.common.navigation',
    'pages.inbox.mail',
    'pages.inbox.messages',
  ],
  pt: ['pages.account.email', 'pages.admin.values.mail', 'pages.brand.link', 'pages.brand.mails'],
  ru: [],
  tr: ['pages.account.purposeVideo', 'pages.admin.values.video'],
  zh: [],
  ar: [],
  uk: [],
};

/** Informal words for the user, and second words for a thing that has one: account, e-mail address, sign in. */
const foreignWords: Readonly<Partial<Record<Language, RegExp>>> = {
  es: words('tu tus tú ti contigo puedes podrás tienes pierdes'),
  de: words('du dein deine deiner deinem deinen dir dich'),
  fr: words('tu ton ta tes toi'),
  pt: words('tu teu tua ti contigo ficheiro ficheiros iniciar inicie terminar termina contacte'),
  ru: words('ты твой твоя твоё твои тебя тебе тобой учётная учётной'),
  tr: words('sen senin sana seni'),
  zh: /你|账户|电子邮件|手机号/,
  ar: /إيميل|جوال|موبايل|محمول|أكونت/,
  uk: words('ти твій твоя твоє твої тебе тобі тобою акаунт акаунта аккаунт логін мейл'),
};

function words(list: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${list.replaceAll(' ', '|')})(?!\\p{L})`, 'iu');
}

/** The page texts that are filled in by `fillCount`. All others have no plural, because the `fill` of the pages knows none. */
const counted = ['usage', 'counted', 'deleteLead', 'signOutLead', 'leftOut', 'leftOutFor'].map(
  (name) => `pages.admin.${name}`,
);

const names =
  'field list limit allow requestId brand code recipient duration used max types size sent total speed left type trash reserved';
const values = {
  ...Object.fromEntries(
    [
      ...names.split(' '),
      ...'file subject purpose other name time encoding user device country account url number app'.split(' '),
    ].map((name) => [name, `<${name}>`]),
  ),
  ...{
    left: 3,
    wait: 'in 42 seconds',
    minutes: 5,
    count: 7,
    segments: 1,
    characters: 2,
    longest: 160,
    letters: 'abcd',
  },
  ...{ most: 9, opened: 8, app: 'Shop', files: 12, sessions: 1, nodes: 2, provider: 'twilio', today: 3 },
  ...{ subject: '+49•••12', countries: 'France', role: 'viewer', title: 'Sign-ins', day: '5 May' },
};
const english = textsOf('en');

describe('the languages', () => {
  it('the languages are those that have a file of texts', () => {
    const files = readdirSync(new URL('../../locales/', import.meta.url)).filter((name) => name.endsWith('.json'));
    assert.deepEqual(
      files.map((name) => name.replace('.json', '')).toSorted(),
      languages.toSorted((one, other) => (one < other ? -1 : 1)),
    );
  });

  it('every language is named as the platform names it, in the direction of its script', () => {
    const script = (language: Language) => new Intl.Locale(language).maximize().script;
    for (const language of languages) {
      const own = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? '';
      assert.ok(nameOf(language).toLowerCase().endsWith(own.toLowerCase()), `${nameOf(language)} is not ${own}`);
      assert.equal(directionOf(language), script(language) === 'Arab' || script(language) === 'Hebr' ? 'rtl' : 'ltr');
    }
  });

  it('the platform knows every language for plurals, sorting and times', () => {
    assert.deepEqual(Intl.PluralRules.supportedLocalesOf([...languages]), [...languages]);
  });
});

for (const language of languages) {
  const own = textsOf(language);

  describe(`the texts in ${language}`, () => {
    it(`the texts in ${language} have the keys of English, in its order`, () => {
      assert.deepEqual([...own.keys()], [...english.keys()]);
    });

    it(`the texts in ${language} have the placeholders of English, of the same kind and number`, () => {
      for (const [key, text] of own)
        assert.deepEqual(placeholders(text, language), placeholders(english.get(key) ?? '', 'en'), key);
    });

    it(`the texts in ${language} parse as ICU MessageFormat, and every placeholder is filled in`, () => {
      for (const [key, text] of own) {
        const filled = String(new IntlMessageFormat(text, language).format(values));
        assert.doesNotMatch(filled, /[{}]|undefined|NaN/, key);
      }
    });

    it(`the plurals in ${language} have every form that a number chooses, and no other`, () => {
      const rules = new Intl.PluralRules(language);
      const chosen = new Set(['other', ...Array.from({ length: 1001 }, (_, count) => rules.select(count))]);
      const wanted = unchangedByNumbers.includes(language) ? ['other'] : [...chosen].toSorted();
      for (const [key, text] of own)
        for (const forms of pluralsIn(text, language))
          assert.deepEqual(forms.filter((form) => !form.startsWith('=')).toSorted(), wanted, key);
    });

    it(`the texts in ${language} are neither empty nor surrounded by blanks`, () => {
      for (const [key, text] of own) assert.ok(text !== '' && text.trim() === text, key);
    });

    it(`the page texts in ${language} use only placeholders, and plurals only if the page supports them`, () => {
      for (const [key, text] of own) {
        if (!key.startsWith('pages.')) continue;
        const rest = counted.includes(key) ? choosePlural(text, values, language) : text;
        assert.doesNotMatch(rest.replaceAll(/\{\w+\}/g, ''), /[{}'<]/, key);
      }
    });

    it(`the pages choose the same plurals as ICU in ${language}`, () => {
      for (const key of counted) {
        const text = own.get(key) ?? assert.fail(key);
        for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 101, 1234, 1_000_000]) {
          const counts = { ...values, count, files: count, sessions: count, nodes: count };
          const shown = new IntlMessageFormat(choosePlural(text, counts, language), localeOf(language)).format(values);
          assert.equal(shown, new IntlMessageFormat(text, localeOf(language)).format(counts));
        }
      }
    });

    it(`the texts in ${language} address the user formally, and name a thing by one word`, () => {
      for (const [key, text] of own) assert.doesNotMatch(text, foreignWords[language] ?? /^$/, key);
    });

    if (language === 'en') return;

    it(`the texts in ${language} differ from English, except the listed ones`, () => {
      const same = [...own].filter(([key, text]) => text === english.get(key)).map(([key]) => key);
      const allowed = sameAsEnglish[language] ?? same.filter((key) => !/\s/.test(english.get(key) ?? ''));
      assert.deepEqual(same.toSorted(), allowed);
    });
  });
}

describe('the values of the failure messages', () => {
  for (const language of languages) {
    it(`every failure message in ${language} shows what its code requires, and has a branch for what may be missing`, () => {
      for (const code of failureCodes) {
        const text = textsIn(language).api.failure[code];
        const missing: readonly string[] = Object.entries(mayBeMissing).find(([name]) => name === code)?.[1] ?? [];
        const required = Object.keys(smallestDetails[code]).map((name) =>
          name === 'retryAfterSeconds' ? 'wait' : name,
        );
        for (const name of shownIn(text, language, missing)) assert.ok(required.includes(name), `${code}: ${name}`);
        assert.doesNotMatch(failureMessage(language, smallestFailure(code)), /[{}]|undefined|\bnone\b/, code);
        const chosen = placeholders(text, language).flatMap((one) => /^(\w+) = none$/.exec(one)?.[1] ?? []);
        assert.deepEqual(chosen.toSorted(), missing.toSorted(), code);
      }
    });

    it(`a rule that excludes files has a text without values in ${language}`, () => {
      for (const text of Object.values(textsIn(language).api.fileRule)) assert.doesNotMatch(text, /[{}]/);
    });
  }

  it('a message is not written without a value that it shows', () => {
    for (const code of ['OTP_RESEND_TOO_SOON', 'REQUEST_INVALID', 'OTP_INVALID'] as const)
      assert.throws(() => failureMessage('en', { code, detail: {} } as never), /not provided/, code);
  });
});

/** The names that a text uses, without those that may be missing where they are there: behind their branch for `none`. */
function shownIn(text: string, language: Language, missing: readonly string[]): string[] {
  const visit = (elements: readonly Element[], known: readonly string[]): string[] =>
    elements.flatMap(({ type, value, options = {} }) => {
      const name = String(value);
      const isGuard = type === 5 && missing.includes(name) && 'none' in options;
      const isNamed = type !== 0 && type !== 7 && !isGuard && !known.includes(name);
      const inner = Object.entries(options).flatMap(([branch, option]) =>
        visit(option.value, isGuard && branch !== 'none' ? [...known, name] : known),
      );
      return isNamed ? [name, ...inner] : inner;
    });
  return visit(new IntlMessageFormat(text, language).getAst() as Element[], []);
}

describe('a plural on a page', () => {
  it('a plural on a page prefers the exact number, then the category, then the default branch', () => {
    const text = 'You have {left, plural, =0 {no tries} one {# try} other {# tries}} of {most}.';
    const shown = [0, 1, 2].map((left) => choosePlural(text, { left }, 'en'));
    assert.deepEqual(shown, [
      'You have no tries of {most}.',
      'You have 1 try of {most}.',
      'You have 2 tries of {most}.',
    ]);
    assert.equal(choosePlural('{left, plural, other {# 次}}', { left: 1 }, 'zh'), '1 次');
    assert.equal(choosePlural('{left, plural, one {# one} other {# other}}', { left: 1000 }, 'en'), '1,000 other');
  });

  it('a page text without a plural stays as it is', () => {
    assert.equal(choosePlural('{used} of {max}', { used: 1, max: 2 }, 'en'), '{used} of {max}');
  });
});

/** Languages in which a noun after a number has one form, whatever the number is. */
const unchangedByNumbers: readonly Language[] = ['tr'];

/** Every text of a language, as `section.key`. */
function textsOf(language: Language): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: object, path: string) => {
    for (const [key, inner] of Object.entries(value) as [string, string | object][]) {
      if (typeof inner === 'string') texts.set(path + key, inner);
      else walk(inner, `${path}${key}.`);
    }
  };
  walk(textsIn(language), '');
  return texts;
}

type Element = { type: number; value?: unknown; options?: Record<string, { value: Element[] }> };

/** The forms of each plural, such as `one` and `other`. */
function pluralsIn(text: string, language: Language): string[][] {
  const visit = (elements: readonly Element[]): string[][] =>
    elements.flatMap(({ type, options = {} }) => [
      ...(type === 6 ? [Object.keys(options)] : []),
      ...Object.values(options).flatMap((option) => visit(option.value)),
    ]);
  return visit(new IntlMessageFormat(text, language).getAst() as Element[]);
}

/** Name and kind of each placeholder. Of a plural only the branch that every language has, because the number of branches depends on the language. */
function placeholders(text: string, language: Language): string[] {
  const visit = (elements: readonly Element[]): string[] =>
    elements.flatMap(({ type, value, options = {} }) => [
      ...(type === 0 || type === 7 ? [] : [`${String(value)} ${type}`]),
      ...Object.entries(options)
        .filter(([name]) => type !== 6 || name === 'other')
        .flatMap(([name, option]) => [...(type === 5 ? [`${String(value)} = ${name}`] : []), ...visit(option.value)]),
    ]);
  return visit(new IntlMessageFormat(text, language).getAst() as Element[]).toSorted();
}
