// A provider that a URL names: which one it is, whether the URL is complete, and how its forms are listed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeForms,
  findProvider,
  formsOf,
  isBare,
  listForms,
  type Provider,
  readProviderUrl,
} from '../../../src/kernel/net/provider.ts';

const common = { isLocalOnly: false, plainHost: () => undefined } as const;
const account = {
  ...common,
  schemes: ['twilio'],
  forms: ['twilio://SID:TOKEN'],
  note: 'costs money',
  parameters: [],
  bare: 'account',
  isComplete: ({ id, secret }) => id !== '' && secret !== '',
} as const satisfies Provider;
const host = {
  ...common,
  schemes: ['smtp', 'smtps'],
  forms: ['smtp://host', 'smtps://host'],
  note: 'costs money',
  parameters: [],
  bare: 'host',
  isComplete: ({ host: place }) => place !== '',
} as const satisfies Provider;
const inbox = {
  ...common,
  schemes: ['inbox'],
  forms: ['inbox:'],
  parameters: [],
  bare: 'account',
  isComplete: isBare,
} as const satisfies Provider;
const all = [account, host, inbox] as const;

const none = { id: '', secret: '', host: '', path: '', query: {} };

describe('the provider of a URL', () => {
  for (const [text, expected] of [
    ['twilio://a:b', { ...none, scheme: 'twilio', id: 'a', secret: 'b' }],
    ['TWILIO://a:b', { ...none, scheme: 'twilio', id: 'a', secret: 'b' }],
    ['smtp://mail', { ...none, scheme: 'smtp', host: 'mail' }],
    ['smtps://mail', { ...none, scheme: 'smtps', host: 'mail' }],
    ['inbox:', { ...none, scheme: 'inbox' }],
    ['twilio://a', undefined],
    ['smtp://', undefined],
    ['smtpx://mail', undefined],
    ['inbox:x', undefined],
    ['smtp://%zz@mail', undefined],
    ['mail', undefined],
    ['', undefined],
  ] as const) {
    it(`${JSON.stringify(text)} is ${expected === undefined ? 'refused' : `read for ${expected.scheme}:`}`, () =>
      assert.deepEqual(readProviderUrl(all, text), expected));
  }

  it('a provider is found by any of its schemes, and a scheme of none is an error', () => {
    assert.equal(findProvider<Provider>(all, 'smtps'), host);
    assert.equal(findProvider<Provider>(all, 'smtp'), host);
    assert.throws(() => findProvider<Provider>(all, 'ftp'), /no provider for ftp:/);
  });
});

describe('the forms of providers', () => {
  it('all forms are listed in the order of the providers', () =>
    assert.deepEqual(formsOf(all), ['twilio://SID:TOKEN', 'smtp://host', 'smtps://host', 'inbox:']));

  for (const [providers, sentence] of [
    [[], ''],
    [[inbox], 'inbox:'],
    [[host], 'smtp://host or smtps://host'],
    [all, 'twilio://SID:TOKEN, smtp://host, smtps://host or inbox:'],
  ] as const) {
    it(`${formsOf(providers).length} forms make the sentence “${sentence}”`, () =>
      assert.equal(listForms(providers), sentence));
  }

  it('the documentation has the forms, then further sentences, then each note once', () =>
    assert.equal(
      describeForms(all, 'tried in order'),
      'twilio://SID:TOKEN, smtp://host, smtps://host, inbox:; tried in order; costs money',
    ));
});

describe('a URL that is only a scheme', () => {
  for (const [what, change, expected] of [
    ['nothing else', {}, true],
    ['a query', { query: { a: 'b' } }, true],
    ['an account', { id: 'a' }, false],
    ['a host', { host: 'a' }, false],
    ['a path', { path: '/' }, false],
  ] as const) {
    it(`a URL with ${what} is ${expected ? '' : 'not '}bare`, () =>
      assert.equal(isBare({ ...none, scheme: 'inbox', ...change }), expected));
  }
});
