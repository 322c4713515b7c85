// Messages in every language: what Accept-Language chooses, the message of every code, and catalogues that agree with each other.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { catalogueIn, failureMessage, type SuccessCode } from '../../../src/http/interface/catalogue.ts';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { defineRoute } from '../../../src/http/interface/route.ts';
import type { RouteLine } from '../../../src/http/interface/route-line.ts';
import { registerRoutes } from '../../../src/http/register-routes.ts';
import { createClientAddress } from '../../../src/http/server/client-address.ts';
import { createListener } from '../../../src/http/server/connections/listener.ts';
import { createHttpServer } from '../../../src/http/server/server.ts';
import { type Failure, type FailureCode, failureCodes, failureFrom } from '../../../src/kernel/failure.ts';
import { type Language, languages } from '../../../src/kernel/text/language.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { smallestFailure } from '../../helpers/smallest-details.ts';

const successCodes = Object.keys(catalogueIn('en').success) as SuccessCode[];
/** Numbers that a language says in words: attempts, and seconds. */
const spelled: Readonly<Partial<Record<Language, Readonly<Record<number, readonly [string, string]>>>>> = {
  ar: { 1: ['محاولة واحدة', 'ثانية واحدة'], 2: ['محاولتان', 'ثانيتين'] },
};
/** The number that messages show. */
let shown: number | undefined;
let url = '';

const silent = () => undefined;
const server = createHttpServer({
  front: createListener('http://localhost'),
  publicUrl: 'http://localhost',
  clientAddress: createClientAddress([]),
  corsOrigins: [],
  countAddress: silent,
  log: { debug: silent, info: silent, warn: silent, error: silent },
  onAnswered: silent,
  isStopping: () => false,
});

function failureWith(code: FailureCode): Failure {
  if (shown === undefined) return smallestFailure(code);
  if (code === 'OTP_INVALID') return failureFrom({ code, detail: { left: shown } });
  if (code === 'OTP_RESEND_TOO_SOON') return failureFrom({ code, detail: { retryAfterSeconds: shown } });
  return smallestFailure(code);
}

/** A route for each code, behind the real server. */
const table: RouteLine[] = [
  ...failureCodes.map((code) =>
    route(`/failure/${code}`, 'ME', () => {
      throw failureWith(code);
    }),
  ),
  ...successCodes.map((code) => route(`/success/${code}`, code, () => undefined)),
];

function route(path: string, success: SuccessCode, act: () => void): RouteLine {
  const handle = async () => {
    act();
    return { data: null };
  };
  return {
    name: path,
    tag: 'service',
    method: 'GET',
    path,
    guards: [],
    route: defineRoute({ summary: path, success, failures: [], handle }),
  };
}

/** A bare socket, because fetch sends its own Accept-Language. */
async function ask(path: string, acceptLanguage?: string) {
  const headers = acceptLanguage === undefined ? [] : [`Accept-Language: ${acceptLanguage}`];
  const [reply = assert.fail('no answer')] = await sendRaw(url, request(`GET ${path}`, headers));
  return { status: reply.status, headers: reply.headers, ...readEnvelope(reply.body) };
}

before(async () => {
  const refuse = () => assert.fail('no guard is named');
  const admin = { requireAdminEnabled: refuse, enter: refuse, check: refuse };
  const page = { origin: refuse, browser: refuse, recent: refuse };
  const guards = { ...page, access: refuse, host: refuse, backend: refuse, admin };
  registerRoutes(server, table, guards, () => assert.fail('no route answers with a page'));
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
after(() => server.close());

describe('Accept-Language', () => {
  const choices: readonly (readonly [header: string | undefined, language: Language])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ...languages.map((language) => [language, language] as const),
    ...languages.map((language) => [language.toUpperCase(), language] as const),
    ['de-AT', 'de'],
    ['pt-BR,pt;q=0.9', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['es-419', 'es'],
    ['xx', 'en'],
    ['xx-YY, kl;q=0.9', 'en'],
    ['xx, tr;q=0.1', 'tr'],
    ['fr;q=0.5, de;q=0.9', 'de'],
    ['fr;q=0.5,de;q=0.9,en;q=0.1', 'de'],
    ['en;q=0.4, ru;q=0.5', 'ru'],
    ['ru;q=0.8, es;q=0.8', 'ru'],
    [' fr ; q=0.3 , es ; q=0.4 ', 'es'],
    ['de;q=1.000, fr', 'de'],
    ['de;q=0', 'en'],
    ['en;q=0, de', 'de'],
    ['de;q=0, fr;q=0.001', 'fr'],
    ['*', 'en'],
    ['*, fr;q=0.5', 'en'],
    ['fr, *;q=0.5', 'fr'],
    ['de;q=2', 'en'],
    ['de;q=-1, fr;q=0.1', 'fr'],
    ['de;q=x, tr;q=0.1', 'tr'],
    ['de;level=1;q=0.5, fr;q=0.4', 'de'],
    ['deutsch', 'en'],
    ['d', 'en'],
    [';;;,,,q=1', 'en'],
    ['__proto__, constructor', 'en'],
    [`${'xx,'.repeat(400)}de`, 'en'],
  ];
  for (const [header, language] of choices) {
    it(`Accept-Language ${header === undefined ? 'left out' : `"${header.slice(0, 40)}"`} chooses ${language}`, async () => {
      assert.equal((await ask('/success/LOGGED_IN', header)).message, catalogueIn(language).success.LOGGED_IN);
      assert.equal((await ask('/nowhere', header)).message, failureMessage(language, smallestFailure('NOT_FOUND')));
    });
  }
});

describe('every message', () => {
  for (const language of languages) {
    it(`every success message exists in ${language}`, async () => {
      for (const code of successCodes) {
        const { status, success, message, codeError } = await ask(`/success/${code}`, language);
        assert.deepEqual([status, success, message, codeError], [200, true, catalogueIn(language).success[code], null]);
        if (language !== 'en') assert.notEqual(message, catalogueIn('en').success[code]);
      }
    });

    it(`every failure message exists in ${language}, with the same code, status and headers`, async () => {
      for (const code of failureCodes) {
        const translated = await ask(`/failure/${code}`, language);
        const english = await ask(`/failure/${code}`, 'en');
        assert.deepEqual(
          [translated.success, translated.codeError, translated.status],
          [false, code, failureReplies[code].status],
        );
        assert.doesNotMatch(translated.message, /[{}]|undefined|null|NaN/);
        if (language !== 'en') assert.notEqual(translated.message, english.message, code);
        const same = ['link', 'retry-after', 'www-authenticate', 'allow', 'content-type'];
        for (const name of same) assert.equal(translated.headers[name], english.headers[name]);
      }
    });

    it(`failure messages in ${language} show their values`, async () => {
      const values = {
        BODY_TOO_LARGE: '5 MiB',
        METHOD_NOT_ALLOWED: 'GET, HEAD',
        INTERNAL_ERROR: 'request-1',
        FILE_PURPOSE_UNKNOWN: 'avatar, image',
        REQUEST_INVALID: 'recipient',
        RATE_LIMITED: '42',
      };
      for (const [code, value] of Object.entries(values))
        assert.ok((await ask(`/failure/${code}`, language)).message.includes(value), code);
    });

    it(`failure messages in ${language} have the right plural for every number`, async () => {
      for (const number of [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 101]) {
        shown = number;
        const [tries, seconds] = spelled[language]?.[number] ?? [String(number), String(number)];
        const left = (await ask('/failure/OTP_INVALID', language)).message;
        assert.equal(left.includes(tries), number !== 0, left);
        const wait = (await ask('/failure/OTP_RESEND_TOO_SOON', language)).message;
        assert.ok(wait.includes(seconds), wait);
      }
      shown = undefined;
    });

    it(`failure messages in ${language} are complete without any value that may be missing`, async () => {
      for (const code of failureCodes)
        assert.doesNotMatch((await ask(`/failure/${code}`, language)).message, /[{}]|undefined|“”|\bnone\b/);
    });
  }
});

describe('the message catalogues', () => {
  it('the catalogue has a text for every failure code, and for nothing else', () => {
    assert.deepEqual(Object.keys(catalogueIn('en').failure), [...failureCodes]);
  });

  it('the English catalogue distinguishes singular and plural', async () => {
    for (const [left, words] of [
      [0, 'no attempts left'],
      [1, '1 attempt left'],
      [2, '2 attempts left'],
    ] as const) {
      shown = left;
      assert.ok((await ask('/failure/OTP_INVALID')).message.includes(words));
    }
    shown = undefined;
  });
});
