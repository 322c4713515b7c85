// A remote captcha: which setting URLs are complete, what is asked, and how an answer is judged.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hcaptchaVerify } from '../../../src/adapters/captcha/hcaptcha.ts';
import { recaptchaVerify } from '../../../src/adapters/captcha/recaptcha.ts';
import {
  judge,
  siteVerifyUrl,
  termsOf,
  verifyTimeoutMs,
  writeForm,
} from '../../../src/adapters/captcha/site-verify.ts';
import { turnstileVerify } from '../../../src/adapters/captcha/turnstile.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { type ProviderUrl, parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string): ProviderUrl => parseProviderUrl(text, 'account') ?? assert.fail(text);

describe('the URL of a remote captcha', () => {
  for (const [text, expected] of [
    ['turnstile://SITE:SECRET', true],
    ['turnstile://SITE:SECRET?verify=https%3A%2F%2Fc.example.com%2Fx', true],
    ['turnstile://SITE:SECRET?verify=http://localhost:1/x', true],
    ['turnstile://SITE:SECRET?verify=ftp://c.example.com', false],
    ['turnstile://SITE:SECRET?verify=nonsense', false],
    ['turnstile://SITE:SECRET?verify=', false],
    ['turnstile://SITE:SECRET?score=0.5', true],
    ['turnstile://SITE:SECRET?score=0', true],
    ['turnstile://SITE:SECRET?score=1', true],
    ['turnstile://SITE:SECRET?score=1.000', true],
    ['turnstile://SITE:SECRET?score=1.1', false],
    ['turnstile://SITE:SECRET?score=.5', false],
    ['turnstile://SITE:SECRET?score=0.1234', false],
    ['turnstile://SITE:SECRET?score=', false],
    ['turnstile://SITE:SECRET?hostname=a.example.com&action=login', true],
    ['turnstile://SITE:SECRET?hostname=', false],
    ['turnstile://SITE:SECRET?action=', false],
    ['turnstile://SITE', false],
    ['turnstile://:SECRET', false],
    ['turnstile:', false],
  ] as const) {
    it(`${text} is ${expected ? '' : 'not '}complete`, () =>
      assert.equal(siteVerifyUrl.isComplete(url(text)), expected));
  }

  for (const [text, expected] of [
    ['turnstile://A:B', undefined],
    ['turnstile://A:B?verify=https://c.example.com/x', undefined],
    ['turnstile://A:B?verify=http://c.example.com:81/x', 'c.example.com:81'],
  ] as const) {
    it(`${text} sends its secret ${expected === undefined ? 'over TLS' : `in plain text to ${expected}`}`, () =>
      assert.equal(siteVerifyUrl.plainHost(url(text)), expected));
  }
});

describe('the question to a remote captcha', () => {
  const ask = (service: typeof turnstileVerify, ip: string) =>
    Object.fromEntries(writeForm(service, url('x://SITE:SECRET'), 'token', ip));

  it('has the secret, the token and the IP address', () =>
    assert.deepEqual(ask(recaptchaVerify, '203.0.113.7'), {
      secret: 'SECRET',
      response: 'token',
      remoteip: '203.0.113.7',
    }));

  for (const ip of ['2001:db8:5:6::/64', 'unknown', '']) {
    it(`has no IP address for ${JSON.stringify(ip)}`, () =>
      assert.deepEqual(ask(recaptchaVerify, ip), { secret: 'SECRET', response: 'token' }));
  }

  it('names the site for hCaptcha, and has a key against duplicates for Turnstile', () => {
    assert.equal(ask(hcaptchaVerify, '').sitekey, 'SITE');
    assert.match(ask(turnstileVerify, '').idempotency_key ?? '', /^[0-9a-f-]{36}$/);
    assert.notEqual(ask(turnstileVerify, '').idempotency_key, ask(turnstileVerify, '').idempotency_key);
  });
});

describe('the terms of a remote captcha', () => {
  for (const [service, text, expected] of [
    [turnstileVerify, 'x://A:B', { hosts: ['id.example.com'], leastScore: undefined, action: undefined }],
    [recaptchaVerify, 'x://A:B', { hosts: ['id.example.com'], leastScore: 0.5, action: undefined }],
    [recaptchaVerify, 'x://A:B?score=0.9', { hosts: ['id.example.com'], leastScore: 0.9, action: undefined }],
    [turnstileVerify, 'x://A:B?score=0.9', { hosts: ['id.example.com'], leastScore: undefined, action: undefined }],
    [
      turnstileVerify,
      'x://A:B?hostname=A.com,b.com&action=login',
      { hosts: ['a.com', 'b.com'], leastScore: undefined, action: 'login' },
    ],
  ] as const) {
    it(`${text} ${service.hasScore ? 'with' : 'without'} a score asks for ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(termsOf(service, url(text), ['id.example.com']), expected));
  }
});

describe('the answer of a remote captcha', () => {
  const terms = { hosts: ['id.example.com'], leastScore: 0.5, action: 'login' };
  const good = { success: true, hostname: 'id.example.com', score: 0.5, action: 'login' };
  const open = { hosts: [], leastScore: undefined, action: undefined };

  const outcome = (body: unknown, given: typeof terms | typeof open = terms, status = 200): string => {
    try {
      judge({ status, text: typeof body === 'string' ? body : JSON.stringify(body) }, given);
      return 'passes';
    } catch (error) {
      return error instanceof Failure ? error.code : assert.fail(String(error));
    }
  };

  for (const [what, body, expected] of [
    ['that meets all terms', good, 'passes'],
    ['from the host in capitals', { ...good, hostname: 'ID.Example.com' }, 'passes'],
    ['from another host', { ...good, hostname: 'evil.example.com' }, 'CAPTCHA_INVALID'],
    ['from a host that ends alike', { ...good, hostname: 'x.id.example.com' }, 'CAPTCHA_INVALID'],
    ['from a host that is no text', { ...good, hostname: 5 }, 'CAPTCHA_INVALID'],
    ['without a host', { ...good, hostname: undefined }, 'passes'],
    ['with an empty host', { ...good, hostname: '' }, 'passes'],
    ['with a host that is not provided', { ...good, hostname: 'not-provided' }, 'passes'],
    ['below the score', { ...good, score: 0.49 }, 'CAPTCHA_INVALID'],
    ['with a score that is a text', { ...good, score: '0.9' }, 'CAPTCHA_INVALID'],
    ['without a score', { ...good, score: undefined }, 'passes'],
    ['with another action', { ...good, action: 'other' }, 'CAPTCHA_INVALID'],
    ['without an action', { ...good, action: undefined }, 'CAPTCHA_INVALID'],
    ['that is a refusal', { success: false, 'error-codes': ['invalid-input-response'] }, 'CAPTCHA_INVALID'],
    ['that is a refusal without codes', { success: false }, 'CAPTCHA_INVALID'],
    ['that refuses our secret', { success: false, 'error-codes': ['invalid-input-secret'] }, 'CAPTCHA_UNAVAILABLE'],
    ['that lacks our secret', { success: false, 'error-codes': ['missing-input-secret'] }, 'CAPTCHA_UNAVAILABLE'],
    [
      'about a secret of another site',
      { success: false, 'error-codes': ['x', 'sitekey-secret-mismatch'] },
      'CAPTCHA_UNAVAILABLE',
    ],
    ['about a fault of the provider', { success: false, 'error-codes': ['internal-error'] }, 'CAPTCHA_UNAVAILABLE'],
    ['with a success that is a text', { ...good, success: 'true' }, 'CAPTCHA_UNAVAILABLE'],
    ['with a success that is a number', { ...good, success: 1 }, 'CAPTCHA_UNAVAILABLE'],
    ['that is null', null, 'CAPTCHA_UNAVAILABLE'],
    ['that is a list', [true], 'CAPTCHA_UNAVAILABLE'],
    ['that is no JSON', 'yes', 'CAPTCHA_UNAVAILABLE'],
    ['that is empty', '', 'CAPTCHA_UNAVAILABLE'],
  ] as const) {
    it(`an answer ${what}: ${expected}`, () => assert.equal(outcome(body), expected));
  }

  for (const status of [201, 204, 302, 400, 403, 500]) {
    it(`a success with the status ${status} is not trusted`, () =>
      assert.equal(outcome(good, terms, status), 'CAPTCHA_UNAVAILABLE'));
  }

  it('without terms, any success passes', () =>
    assert.equal(outcome({ success: true, hostname: 'anywhere', score: 0, action: 'x' }, open), 'passes'));

  it('a provider that is unavailable says when to come back', () =>
    assert.throws(() => judge({ status: 500, text: '' }, terms), {
      code: 'CAPTCHA_UNAVAILABLE',
      detail: { retryAfterSeconds: 5 },
    }));
});

it('a sign-in waits six seconds at most for a captcha provider that hangs', () => {
  assert.ok(2 * verifyTimeoutMs <= 6000);
});
