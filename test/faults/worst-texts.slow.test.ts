// Proves that no parser of foreign text takes more than time in proportion to its length: long runs of every kind, alone and mixed.
import { describe, it } from 'node:test';
import { parse } from 'content-disposition';
import { createAltchaCaptcha } from '../../src/adapters/captcha/altcha-captcha.ts';
import { blot } from '../../src/adapters/log/log-facts.ts';
import { normaliseCode } from '../../src/auth/codes/challenge.ts';
import { parseEmailAddress } from '../../src/auth/identity/email-address.ts';
import { parsePhoneNumber } from '../../src/auth/identity/phone-number.ts';
import { cleanFileName } from '../../src/files/file-name.ts';
import { bearerToken } from '../../src/http/guards/access.ts';
import { readCookie } from '../../src/http/interface/cookies.ts';
import { readRefreshHeader } from '../../src/http/interface/refresh-header.ts';
import { canonicalAddress, createClientAddress } from '../../src/http/server/client-address.ts';
import { pathOf } from '../../src/http/server/target.ts';
import { chooseRanges } from '../../src/http/transfer/byte-ranges.ts';
import { formOf } from '../../src/http/transfer/upload-parts.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { chooseLanguage } from '../../src/kernel/text/language.ts';
import { checkTimes, longTexts, mixedRuns, runs } from '../helpers/requests/long-texts.ts';

const texts = longTexts([...runs, ...mixedRuns]);

const address = createClientAddress(['127.0.0.1', '10.0.0.0/8']);
const ranges = (range: string, ifRange?: string) => chooseRanges(range, ifRange, 1000, '"tag"', new Date());
const captcha = createAltchaCaptcha({ secrets: createSecrets('s'.repeat(32), undefined), clock: systemClock });

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a line of the log': blot,
  'an e-mail address': parseEmailAddress,
  'a phone number': (text) => parsePhoneNumber(text),
  'a code': normaliseCode,
  'a language': chooseLanguage,
  'a range': (text) => ranges(`bytes=${text}`),
  'the condition of a range': (text) => ranges('bytes=0-1', text),
  'the name of a file': (text) => cleanFileName(text, 'image/png'),
  'a disposition': (text) => parse(`attachment; ${text}`),
  'a quoted name': (text) => parse(`attachment; filename="${text}`),
  'an extended name': (text) => parse(`attachment; filename*=UTF-8''${text}`),
  'a cookie': (text) => readCookie(`JWT=x;${text}`, 'JWT'),
  'the value of a cookie': (text) => readCookie(`JWT=${text}`, 'JWT'),
  'a path': pathOf,
  'an absolute URL': (text) => pathOf(`http://${text}`),
  'a chain of proxies': (text) => address('127.0.0.1', text),
  'an IP address': canonicalAddress,
  'a bearer': (text) => bearerToken(`Bearer ${text}`),
  'a refresh token': (text) => readRefreshHeader(`Bearer ${text}`),
  'a captcha token': (text) => captcha.check(text, '127.0.0.1'),
  'a captcha token of JSON': (text) =>
    captcha.check(Buffer.from(`{"challenge":"${text}"}`).toString('base64'), '127.0.0.1'),
  'the type of an upload': formOf,
};

describe('the worst texts for parsers', () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`long runs are parsed quickly as ${name}`, () => checkTimes(name, texts, read));
  }
});
