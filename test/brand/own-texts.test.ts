// The texts of an operator: known texts only, with the placeholders that people need, short enough, and one SMS segment.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deriveNoticeToken, notMePath } from '../../src/auth/notices/notice.ts';
import { listTextRules, noticeLinkTail, parseTexts } from '../../src/brand/own-texts.ts';
import { languages } from '../../src/kernel/text/language.ts';
import { textsIn } from '../../src/kernel/text/texts.ts';
import { secrets } from '../helpers/people/auth-fakes.ts';
import { checkTimes, longTexts, mixedRuns, runs } from '../helpers/requests/long-texts.ts';

function problemsOf(texts: unknown, brandName = 'Acme', publicUrl = 'https://login.example.com'): string[] {
  const problems: string[] = [];
  parseTexts(texts, brandName, { publicUrl }, (path, trouble, cure) => problems.push(`${path} ${trouble}: ${cure}`));
  return problems;
}

const sms = (code: unknown, language = 'en') => problemsOf({ [language]: { sms: { code } } });
const lead = (text: unknown) => problemsOf({ en: { mail: { loginLink: { lead: text } } } });

describe('the texts of an operator', () => {
  for (const language of languages)
    it(`the mails of the product in ${language} are accepted as texts of an operator`, () => {
      assert.deepEqual(problemsOf({ [language]: { mail: textsIn(language).mail } }), []);
    });

  it('an SMS is accepted with its placeholders, also as a plural and with an apostrophe', () => {
    assert.deepEqual(sms('{code} is your {brand} code. Valid {minutes} min.'), []);
    assert.deepEqual(sms("Don't share {code}. {minutes, plural, one {# minute} other {# minutes}} left."), []);
  });

  for (const [text, problem] of [
    ['Your code. Valid {minutes} min.', /does not contain \{code\}: add \{code\}/],
    ['Your code: {code}', /does not contain \{minutes\}/],
    ['{code} {minutes} {name}', /has the unknown placeholder \{name\}: write only \{brand\}, \{code\}, \{minutes\}/],
    ['{code} {minutes} {url}', /has the unknown placeholder \{url\}/],
    ['{code {minutes}', /has a brace or a plural that is not closed/],
    ['{code} {minutes} <b>now</b>', /has a form that texts do not use|or a tag/],
    ['{code, number} {minutes}', /has a form that texts do not use/],
    ['{code, select, other {x}} {minutes}', /has a form that texts do not use/],
    ['{minutes, plural, =1 {{code}, # min} other {# min}}', /does not contain \{code\}/],
    ["'{code}' {minutes}", /does not contain \{code\}/],
    ['{code} {minutes}\n@evil.example #000000', /has a line break/],
    ['{code} {minutes} \u202e', /invisible character/],
    [' {code} {minutes}', /not a text of 1 to 160 characters/],
    ['', /not a text of 1 to 160 characters/],
    [7, /not a text/],
    [`{code} {minutes} ${'a'.repeat(160)}`, /not a text of 1 to 160 characters/],
  ] as const)
    it(`an SMS is refused: ${JSON.stringify(text).slice(0, 50)}`, () => assert.match(sms(text).join(), problem));

  it('an SMS must fit one segment with its last line, with the name and with the longest values', () => {
    const line = '\n\n@login.example.com #000000';
    const rest = 160 - line.length - '000000 60 '.length;
    assert.deepEqual(sms(`{code} {minutes} ${'a'.repeat(rest)}`), []);
    assert.match(
      sms(`{code} {minutes} ${'a'.repeat(rest + 1)}`).join(),
      /^texts\.en\.sms\.code does not fit one SMS: with its values it has 161 characters, and 160 fit: shorten it by 1 characters$/,
    );
    const other = 70 - line.length - '000000 60 '.length;
    assert.deepEqual(sms(`{code} {minutes} ${'я'.repeat(other)}`, 'ru'), []);
    assert.match(
      sms(`{code} {minutes} ${'я'.repeat(other + 2)}`, 'ru').join(),
      /has 72 characters, and 70 fit, because “я” is not in the basic alphabet of SMS: shorten it by 2 characters, or/,
    );
  });

  it('the link of a notice counts with its real length, and the notice needs it', () => {
    const token = deriveNoticeToken(secrets, 'message', { nonce: 'nonce', secretId: secrets.currentId });
    assert.equal(noticeLinkTail.length, `${notMePath}#${token}`.length);
    const notice = (text: string) => problemsOf({ en: { sms: { notice: { 'email-bound': text } } } });
    assert.deepEqual(notice('New e-mail address. Not you? {url}'), []);
    assert.match(notice('New e-mail address.').join(), /does not contain \{url\}/);
    assert.match(notice(`${'a'.repeat(120)} {url}`).join(), /does not fit one SMS/);
  });

  it('a mail needs what it is about, and its subject may leave it out', () => {
    assert.match(lead('Sign in.').join(), /^texts\.en\.mail\.loginLink\.lead does not contain \{minutes\}/);
    assert.deepEqual(problemsOf({ en: { mail: { bindingOtp: { subject: 'Your code' } } } }), []);
    const device = { en: { mail: { notice: { 'new-device': { lead: '{account} {time}' } } } } };
    assert.match(problemsOf(device).join(), /does not contain \{device\}/);
    assert.match(lead(`{minutes} ${'a'.repeat(1000)}`).join(), /1 to 1000 characters/);
  });

  it('an unknown language or text is refused, with the ones there are', () => {
    assert.match(problemsOf({ it: {} }).join(), /^texts\.it is not a language of the service: write one of en, /);
    assert.match(
      problemsOf({ en: { mail: { loginlink: {} } } }).join(),
      /loginlink is not a known text: write loginLink/,
    );
    assert.match(problemsOf({ en: { sms: { noticeWithoutLink: 'x' } } }).join(), /not a known text/);
    assert.match(problemsOf({ en: [] }).join(), /^texts\.en is not an object/);
    assert.match(problemsOf('x').join(), /^texts is not an object/);
    assert.match(problemsOf(JSON.parse('{"en": {"__proto__": {"x": "y"}}}')).join(), /__proto__ is not a known text/);
  });

  it('every text of SMS and mails has a rule, except those that are sent in English only', () => {
    const count = (value: unknown): number =>
      typeof value === 'string' ? 1 : Object.values(value as object).reduce((sum, each) => sum + count(each), 0);
    const { sms: messages, mail } = textsIn('en');
    assert.equal(listTextRules().length, count(messages) + count(mail) - 2);
  });

  it('the cost of the check is linear in the length of the text', async () => {
    const texts = longTexts([...runs, ...mixedRuns, '{', '{a', '{minutes,plural,other{']);
    await checkTimes('a text', texts, (text) => lead(text));
    await checkTimes('a short text', texts, (text) => lead(text.slice(0, 1000)));
  });
});
