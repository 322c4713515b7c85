// The look of an operator in messages: colours, links and own texts, and what stays as it is without them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textsIn } from '../../src/kernel/text/texts.ts';
import { writeLoginLinkMail, writeNoticeMail, writeReplacedMail } from '../../src/messages/texts/mail-text.ts';
import { type MessageLook, messageTextsIn, usualLook } from '../../src/messages/texts/message-look.ts';
import { writeNoticeSms, writeSms } from '../../src/messages/texts/sms-text.ts';

const look: MessageLook = {
  colours: { accent: '#0f766e', onAccent: '#fefefe', dark: '#79d0c6' },
  links: { terms: 'https://a.example/t?a=1&b=2', privacy: null, support: 'mailto:help@a.example' },
  texts: {
    en: {
      sms: { code: '{code} for {minutes} minutes', notice: { 'email-bound': 'New address: {url}' } },
      mail: { loginLink: { subject: 'Hello from {brand}', button: 'Open {brand}' }, notice: { button: 'Not me' } },
    },
  },
};
const url = 'https://id.example/login/link#token';

describe('the look of an operator', () => {
  it('a mail has its colours: the name, the button and its text, and the name in dark mail programs', () => {
    const { html } = writeLoginLinkMail('en', { brand: 'Acme', minutes: 15 }, url, look);
    assert.ok(html.includes('font-weight:700;color:#0f766e">Acme</p>'));
    assert.ok(html.includes('background:#0f766e;color:#fefefe;'));
    assert.ok(html.includes('(prefers-color-scheme:dark){.name{color:#79d0c6!important}'));
    assert.ok(!/<(?:img|script|link)\b/.test(html), 'nothing is loaded');
  });

  it('a mail has its links at the end: the address of support in full, and none that is not set', () => {
    const { html, text } = writeReplacedMail('en', { brand: 'Acme' }, look);
    assert.ok(html.includes('<a href="mailto:help@a.example" style="color:#6b7280">help@a.example</a>'));
    assert.ok(html.includes('<a href="https://a.example/t?a=1&amp;b=2" style="color:#6b7280">Terms</a>'));
    assert.ok(!html.includes('Privacy'));
    assert.ok(text.endsWith('\n\nAcme\nSupport: help@a.example\nTerms: https://a.example/t?a=1&b=2\n'), text);
    assert.ok(writeReplacedMail('de', { brand: 'Acme' }, look).text.includes(`${textsIn('de').pages.common.terms}: `));
  });

  it('a mail without links ends with the name', () => {
    assert.ok(writeReplacedMail('en', { brand: 'Acme' }, usualLook).text.endsWith('\n\nAcme\n'));
  });

  it('a text of the operator replaces that text, and no other', () => {
    const mail = writeLoginLinkMail('en', { brand: 'Acme', minutes: 15 }, url, look);
    assert.equal(mail.subject, 'Hello from Acme');
    assert.ok(mail.html.includes('>Open Acme</a>') && mail.text.includes('It works once and expires in 15 minutes.'));
    assert.equal(writeLoginLinkMail('de', { brand: 'Acme', minutes: 15 }, url, look).subject, 'Anmeldung bei Acme');
    const about = { brand: 'Acme', account: '+44', device: '', at: 0 };
    assert.ok(writeNoticeMail('en', 'email-bound', about, url, look).html.includes('>Not me</a>'));
    assert.deepEqual(messageTextsIn('en', look.texts).mail.proofOtp, textsIn('en').mail.proofOtp);
  });

  it('an SMS has the text of the operator, and the line that browsers look for', () => {
    const values = { brand: 'Acme', host: 'id.example', code: '012345', minutes: 5 };
    assert.equal(writeSms('en', values, look.texts), '012345 for 5 minutes\n\n@id.example #012345');
    assert.equal(writeSms('fr', values, look.texts), writeSms('fr', values));
    assert.equal(writeNoticeSms('en', 'email-bound', { brand: 'Acme', url }, look.texts), `New address: ${url}`);
  });
});
