// Proves that no reader of foreign text takes longer than the length of the text warrants: worst cases for regular expressions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'content-disposition';
import { blot } from '../src/adapters/log/pino-log.ts';
import { normaliseCode } from '../src/auth/challenge.ts';
import { parseEmailAddress } from '../src/auth/email-address.ts';
import { parsePhoneNumber } from '../src/auth/phone-number.ts';
import { cleanFileName } from '../src/files/file-name.ts';
import { chooseRanges } from '../src/http/byte-ranges.ts';
import { createClientAddress } from '../src/http/client-address.ts';
import { readCookie } from '../src/http/cookies.ts';
import { pathOf } from '../src/http/path-map.ts';
import { readRefreshHeader } from '../src/http/refresh-header.ts';
import { formOf } from '../src/http/upload-parts.ts';
import { chooseLanguage } from '../src/kernel/language.ts';

/** Twice what Node lets a head hold. What grows with the square takes ten seconds and more for it. */
const length = 32 * 1024;
const mostMilliseconds = 2000;

const pieces = [
  'a',
  'A1_-',
  ' ',
  '\t',
  '.',
  'a.',
  ',',
  ', ',
  ';',
  '; ',
  '"',
  '"a',
  '-',
  '@',
  'a@',
  'a@a.',
  '=',
  'a=b;',
].concat(['+', '+1', '1', '1-,', '1.', '::', '/', '\\', '%', '%41', '%E2%', 'en;q=0.1,', 'charset=', 'é', '\u200e']);

const address = createClientAddress(['127.0.0.1']);
const ranges = (range: string, ifRange?: string) => chooseRanges(range, ifRange, 1000, '"tag"', new Date());

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a line of the log': blot,
  'an e-mail address': parseEmailAddress,
  'a phone number': parsePhoneNumber,
  'a code': normaliseCode,
  'a language': chooseLanguage,
  'a range': (text) => ranges(`bytes=${text}`),
  'the condition of a range': (text) => ranges('bytes=0-1', text),
  'the name of a file': (text) => cleanFileName(text, 'image/png'),
  'a disposition': (text) => parse(`attachment; ${text}`),
  'a quoted name': (text) => parse(`attachment; filename="${text}`),
  'a cookie': (text) => readCookie(`JWT=x;${text}`, 'JWT'),
  'a path': pathOf,
  'a chain of proxies': (text) => address('127.0.0.1', text),
  'a refresh token': (text) => readRefreshHeader(`Bearer ${text}`),
  'the type of an upload': formOf,
};

describe('the worst of texts', () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`takes no long time as ${name}`, () => {
      for (const piece of pieces) {
        for (const end of ['', '!', '\0', '@']) {
          const text = piece.repeat(Math.ceil(length / piece.length)) + end;
          const begin = performance.now();
          try {
            read(text);
          } catch {
            // Refused, which is right; how soon is what counts here.
          }
          const took = performance.now() - begin;
          assert.ok(took < mostMilliseconds, `${JSON.stringify(piece)} took ${Math.round(took)} ms`);
        }
      }
    });
  }
});
