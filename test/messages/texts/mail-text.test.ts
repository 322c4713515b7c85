// E-mails: subject, text and HTML in every language, with the link or the code, and nothing unescaped.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directionOf, languages } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';
import { mailTopics } from '../../../src/messages/message-kinds.ts';
import {
  writeBindingMail,
  writeLoginLinkMail,
  writeNoticeMail,
  writeReplacedMail,
} from '../../../src/messages/texts/mail-text.ts';

const url = 'https://id.example.com/login/link#token';

describe('an e-mail', () => {
  it('a mail in Arabic keeps the order of numbers in its sentences, and leaves the line of the link alone', () => {
    const values = { brand: 'Acme', account: '+49 *** 12', device: '', number: '+49 *** 34', at: 0 };
    const mail = writeNoticeMail('ar', 'phone-changed', values, url);
    for (const number of ['+49 *** 12', '+49 *** 34'])
      assert.ok(mail.text.includes(`\u2068${number}\u2069`), mail.text);
    assert.ok(mail.text.split('\n').includes(url));
    assert.match(mail.html, /<table role="presentation" dir="rtl"/);
    assert.doesNotMatch(mail.text, /[\u0660-\u0669]/);
  });

  for (const language of languages) {
    it(`the sign-in mail in ${language} has the link in text and HTML, and no placeholder`, () => {
      const mail = writeLoginLinkMail(language, { brand: 'Acme', minutes: 15 }, url);
      assert.equal(mail.text.split('\n').filter((line) => line === url).length, 1);
      assert.equal(mail.html.split(`href="${url}"`).length, 3);
      assert.match(mail.html, new RegExp(`<html lang="${language}" dir="${directionOf(language)}">`));
      for (const text of [mail.subject, mail.text]) assert.doesNotMatch(text, /[{}]/);
      assert.ok(mail.text.includes('15'));
    });

    it(`the mail with a code in ${language} has the code in text and HTML`, () => {
      const mail = writeBindingMail(language, { brand: 'Acme', code: '012345', minutes: 10 });
      assert.ok(mail.text.split('\n').includes('012345'));
      assert.match(mail.html, />012345<\/p>/);
      for (const text of [mail.subject, mail.text]) assert.doesNotMatch(text, /[{}]/);
    });

    it(`the mail about a replaced address in ${language} has neither a link nor a code`, () => {
      const mail = writeReplacedMail(language, { brand: 'Acme' });
      assert.doesNotMatch(mail.html, /href|monospace/);
      assert.doesNotMatch(mail.text, /https?:|\d{6}|[{}]/);
    });
  }

  const about = { account: '+49•••78', at: Date.UTC(2031, 4, 5, 12, 34), device: 'Firefox · Linux' };
  const values = { brand: 'Acme', number: '+44•••99', ...about };
  for (const language of languages) {
    for (const topic of mailTopics) {
      it(`the notice ${topic} in ${language} names account and time, has the link once as text, and no placeholder`, () => {
        const mail = writeNoticeMail(language, topic, values, 'https://id.example.com/not-me#token');
        assert.ok(
          mail.text.includes(values.account) && mail.text.includes('2031') && mail.text.includes('UTC'),
          mail.text,
        );
        assert.match(mail.text, /12[:.]34/);
        assert.equal(mail.text.split('\n').filter((line) => line === 'https://id.example.com/not-me#token').length, 1);
        assert.equal(mail.text.includes(values.device), topic === 'new-device');
        assert.equal(mail.text.includes(values.number), topic.startsWith('phone-') && topic !== 'phone-lost');
        for (const text of [mail.subject, mail.text]) assert.doesNotMatch(text, /[{}]/);
      });
    }
  }

  it('the notice of a change that cannot be undone promises only that the devices are signed out', () => {
    const textOf = (isFinal?: true) => writeNoticeMail('en', 'phone-changed', { ...values, isFinal }, url).text;
    assert.match(textOf(), /undoes the change/);
    assert.doesNotMatch(textOf(true), /undoes/);
    assert.match(textOf(true), /signs out every device/);
  });

  it('the notice of a device that nobody can name says so', () => {
    const { text } = writeNoticeMail('en', 'new-device', { ...values, device: '' }, 'https://id.example.com/not-me#t');
    assert.match(text, /unknown device/);
  });

  it('the text has the lead, the link, the note and the brand as paragraphs, and ends with a line break', () => {
    const { text } = writeLoginLinkMail('en', { brand: 'Acme', minutes: 15 }, url);
    const paragraphs = text.split('\n\n');
    assert.equal(paragraphs.length, 4);
    assert.deepEqual([paragraphs[1], paragraphs[3]], [url, 'Acme\n']);
    assert.equal(writeReplacedMail('en', { brand: 'Acme' }).text.split('\n\n').length, 3);
  });

  it('the three mails have three subjects, and the subject is the title of the page', () => {
    const values = { brand: 'Acme', code: '012345', minutes: 15 };
    const mails = [
      writeLoginLinkMail('en', values, url),
      writeBindingMail('en', values),
      writeReplacedMail('en', values),
    ];
    assert.equal(new Set(mails.map(({ subject }) => subject)).size, 3);
    for (const { subject, html } of mails) assert.ok(html.includes(`<title>${subject}</title>`));
  });

  it('a brand and a link with special characters are escaped in HTML and plain in text', () => {
    const { html, text } = writeLoginLinkMail('en', { brand: 'A&B', minutes: 15 }, `${url}"><script>`);
    assert.doesNotMatch(html, /<script|"><s/);
    assert.ok(html.includes('A&amp;B') && !html.includes('A&B'));
    assert.ok(text.includes('A&B') && text.includes('"><script>'));
  });

  it('the button has the text of the language', () => {
    const { html } = writeLoginLinkMail('de', { brand: 'Acme', minutes: 15 }, url);
    assert.ok(html.includes(`>${textsIn('de').mail.loginLink.button}</a>`));
  });
});
