// Every provider of the registry: its URL forms are parsed, its sender carries its name, and no scheme belongs to two providers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  captchaProviders,
  mailProviders,
  messageProviderNames,
  smsProviders,
  storageProviders,
} from '../../src/adapters/providers.ts';
import { readConfig } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';
import { listForms, type Provider, readProviderUrl } from '../../src/kernel/net/provider.ts';
import { parseProviderUrl } from '../../src/kernel/net/provider-url.ts';
import type { MailProvider, SmsProvider } from '../../src/messages/delivery/message-provider.ts';

const registries = {
  SMS_URL: smsProviders,
  MAIL_URL: mailProviders,
  CAPTCHA_URL: captchaProviders,
  STORAGE_URL: storageProviders,
} as const satisfies Record<string, readonly Provider[]>;

const parts = {
  inbox: { keep: async () => undefined },
  announce: () => undefined,
  webhookSecret: undefined,
  from: 'id@example.com',
  ownHost: 'id.example.com',
};

/** A complete URL of this form. */
const fill = (form: string) =>
  form
    .replace(/:\/\/…$/, '://SITE:SECRET@host')
    .replaceAll('…', 'x')
    .replace(':port', ':9');

describe('the provider registry', () => {
  for (const [name, providers] of Object.entries(registries)) {
    const schemes = providers.flatMap((provider: Provider) => provider.schemes);

    it(`every scheme of ${name} belongs to one provider`, () => {
      assert.deepEqual(schemes, [...new Set(schemes)]);
    });

    it(`every form of ${name} is parsed and appears in the documentation and the cure`, () => {
      const result = readConfig({ [name]: 'no such provider' });
      const cure = 'problems' in result ? (result.problems[0]?.cure ?? '') : assert.fail('accepted');
      for (const provider of providers as readonly Provider[])
        for (const form of provider.forms) {
          assert.ok(readProviderUrl([provider], fill(form)), form);
          assert.ok(settings[name as keyof typeof registries].meaning.includes(form), form);
          assert.ok(cure.includes(form) || form === 'inbox:', `${form} in ${cure}`);
        }
    });
  }

  const messageProviders: [MailProvider | SmsProvider, 'sms' | 'mail'][] = [
    ...smsProviders.map((provider): [SmsProvider, 'sms'] => [provider, 'sms']),
    ...mailProviders.map((provider): [MailProvider, 'mail'] => [provider, 'mail']),
  ];
  for (const [provider, channel] of messageProviders)
    for (const scheme of provider.schemes)
      it(`the sender for ${scheme}: carries the name of its provider, for ${channel}`, async () => {
        const url = parseProviderUrl(`${scheme}://id:secret@host?from=x`, provider.bare) ?? assert.fail(scheme);
        const sender = await provider.createSender(url, parts);
        assert.deepEqual([sender.name, sender.channel], [provider.name, channel]);
        assert.ok(messageProviderNames.some((name) => name === sender.name));
        await sender.close?.();
        assert.equal(provider.createCheck === undefined, provider.name === 'inbox');
      });

  it('forms are listed as in a sentence', () => {
    const form = (text: string): Provider => ({ ...smsProviders[0], forms: [text] });
    assert.equal(listForms([form('a')]), 'a');
    assert.equal(listForms([form('a'), form('b'), form('c')]), 'a, b or c');
  });
});

describe('the problems of settings that name a provider', () => {
  const cureOf = (env: Record<string, string>, name: string): string => {
    const result = readConfig(env);
    const problems = 'problems' in result ? result.problems : assert.fail('accepted');
    return problems.find((problem) => problem.name === name)?.cure ?? assert.fail(JSON.stringify(problems));
  };

  it('the cure of a bad provider setting shows every form', () => {
    const patterns = {
      SMS_URL: /^write webhook\+https:\/\/…, twilio:\/\/SID:TOKEN@\?from=….* or \S+, or inbox:$/,
      MAIL_URL: /^write smtp:\/\/user:password@host:587.* or \S+$/,
      CAPTCHA_URL: /^write altcha:, open:, turnstile:\/\/SITEKEY:SECRET, .* or \S+$/,
      STORAGE_URL: /^write s3:\/\/KEY:SECRET@host:port\/bucket\?region=….*, or leave it out for the disk$/,
    };
    for (const [name, pattern] of Object.entries(patterns)) assert.match(cureOf({ [name]: 'x' }, name), pattern);
    assert.equal(
      cureOf({ SMS_URL: 'webhook+http://10.0.0.7/' }, 'SMS_URL'),
      'write webhook+https://…, or add tls=off to the query if the network between is private',
    );
  });

  it('in production the cure of a provider setting leaves out providers for local work', () => {
    const env = { PUBLIC_URL: 'https://id.example.com', CAPTCHA_URL: 'open:' };
    assert.equal(`${cureOf(env, 'SMS_URL')}, or inbox:`, cureOf({ SMS_URL: 'x' }, 'SMS_URL'));
    assert.equal(cureOf(env, 'MAIL_URL'), 'write smtp://user:password@host:587');
    assert.equal(cureOf(env, 'CAPTCHA_URL'), 'write altcha:, or leave it out');
  });
});
