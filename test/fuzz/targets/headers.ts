// Targets: parsers of header values and of texts in requests. Every byte of an input is one character, unless it says otherwise.
import assert from 'node:assert/strict';
import { normaliseCode } from '../../../src/auth/codes/challenge.ts';
import { parseEmailAddress } from '../../../src/auth/identity/email-address.ts';
import { isLinkToken } from '../../../src/auth/links/login-link.ts';
import { cleanFileName } from '../../../src/files/file-name.ts';
import { bearerToken } from '../../../src/http/guards/access.ts';
import { readCookie } from '../../../src/http/interface/cookies.ts';
import { readRefreshHeader } from '../../../src/http/interface/refresh-header.ts';
import { createClientAddress } from '../../../src/http/server/client-address.ts';
import { requestId } from '../../../src/http/server/request-id.ts';
import { chooseRanges } from '../../../src/http/transfer/byte-ranges.ts';
import { widerNetworkOf } from '../../../src/kernel/net/network.ts';
import { chooseLanguage, languages } from '../../../src/kernel/text/language.ts';
import type { FuzzTarget, Verdict } from '../engine/target.ts';
import { refusable } from './refusable.ts';

type Parser = {
  readonly name: string;
  readonly promise: string;
  readonly seeds: readonly string[];
  readonly words?: readonly string[];
  readonly run: (text: string) => Verdict;
};

const ranges: Parser = {
  name: 'byte-ranges',
  promise: 'at most eight ranges inside the file, without overlap; the first byte is the size of the file',
  seeds: [
    '\x14bytes=0-0',
    '\x14bytes=5-',
    '\x14bytes=-7',
    '\x28bytes=0-1,3-4,-1',
    '\x14bytes=9-2,4-4',
    '\xffbytes=0-, 2-3 ,\t7-9',
  ],
  run: (text) => {
    const size = text.charCodeAt(0) || 1;
    const chosen = chooseRanges(text.slice(1), undefined, size, '"tag"', new Date(0));
    if (chosen === undefined || chosen === 'unsatisfiable') return 'refused';
    assert.ok(chosen.length >= 1 && chosen.length <= 8, `${chosen.length} ranges`);
    const bytes = chosen.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at));
    assert.equal(new Set(bytes).size, bytes.length, 'ranges that overlap');
    assert.ok(bytes.length > 0 && bytes.every((at) => at >= 0 && at < size), 'a range outside the file');
    return 'accepted';
  },
};

const cookies: Parser = {
  name: 'cookies',
  promise: 'one value of a cookie, or none; two different values are refused',
  seeds: ['JWT=a.b.c; RT=d', 'JWT=a; JWT=a', 'JWT=a; JWT=b', ' JWT = "x%20y" ;; =; RT', 'jwt=1;JWT=;__proto__=2'],
  words: ['JWT=', '; ', '%', '"', '__proto__=', 'JWT =', ';JWT'],
  run: (text) => {
    const value = refusable(() => readCookie(text, 'JWT'), 'REQUEST_INVALID');
    const given = text
      .split(';')
      .flatMap((pair) => (pair.split('=', 1)[0]?.trim() === 'JWT' && pair.includes('=') ? [pair] : []));
    const values = new Set(given.map((pair) => pair.slice(pair.indexOf('=') + 1).trim()));
    if (value === undefined) return 'refused';
    assert.equal(values.size, 1, 'a value that is not the only one');
    assert.ok(value !== '' && !value.includes(';'), 'an empty value, or more than one');
    return 'accepted';
  },
};

const trusted = createClientAddress(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
const canonical = /^(?:unknown|(?:\d{1,3}\.){3}\d{1,3}|[\da-f:]+::\/64)$/;

const clientAddress: Parser = {
  name: 'client-address',
  promise: 'one canonical text for every address, and a header counts only from a trusted proxy',
  seeds: [
    '1.2.3.4',
    '[2001:db8::1]:567, 10.0.0.1',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    '1.2.3.4:80, fd00::2',
    ' 010.1.1.1,1.2.3',
    '64:ff9b::1.2.3.4',
  ],
  words: ['10.0.0.1', '::1', '::ffff:', ', ', ']:80', '%', '0x7f', '127.1'],
  run: (text) => {
    const [behind, direct, strange] = [trusted('127.0.0.1', text), trusted(text, undefined), trusted('9.9.9.9', text)];
    for (const address of [behind, direct]) assert.match(address, canonical);
    assert.equal(strange, '9.9.9.9', 'a header of a stranger counts');
    for (const address of [behind, direct]) {
      if (address === 'unknown') continue;
      assert.equal(trusted(address.replace(/\/64$/, ''), undefined), address, 'not canonical');
      assert.ok(widerNetworkOf(address) !== undefined, 'no network');
    }
    return direct === 'unknown' ? 'refused' : 'accepted';
  },
};

const authorization: Parser = {
  name: 'token-headers',
  promise: 'a token without blanks at its ends, or nothing',
  seeds: ['Bearer abc', 'bearer  a b ', 'Basic x', 'Bearer', 'abc', 'Bearer\tabc', 'BEARER '],
  run: (text) => {
    const bearer = bearerToken(text);
    const refresh = readRefreshHeader(text);
    for (const token of [bearer, refresh]) assert.equal(token, token?.trim());
    assert.ok(bearer === undefined || /^bearer/i.test(text), 'another scheme');
    assert.notEqual(refresh, '');
    const isLink = isLinkToken(text);
    assert.equal(isLink, text.length === 43 && Buffer.from(text, 'base64url').length === 32 && !/[^\w-]/.test(text));
    const kept = requestId(text);
    assert.match(kept, /^[\w-]{8,64}$/);
    return bearer === undefined ? 'refused' : 'accepted';
  },
};

const language: Parser = {
  name: 'accept-language',
  promise: 'one of the known languages',
  seeds: ['de;q=0.5, *', 'fr-CH, fr;q=0.9, en;q=0.8', 'en-US;q=1.1', '*;q=0', 'es;q=abc;x=y'],
  run: (text) => {
    const chosen = chooseLanguage(text);
    assert.ok(languages.includes(chosen), chosen);
    return chosen === 'en' ? 'refused' : 'accepted';
  },
};

const names: Parser = {
  name: 'file-names',
  promise:
    'a name without paths and control characters, of bounded length, that stays the same when it is cleaned again',
  seeds: [
    'photo.png',
    '../../etc/passwd',
    'a.tar.gz',
    'CON',
    '.png',
    'a\u202egnp.exe',
    'x'.repeat(300),
    'é.PNG',
    ' . ',
  ],
  words: ['..', '/', '\\', '\u202e', '\u2066', '.png', 'NUL', '\u0301', '\ud800'],
  run: (text) => {
    const name = cleanFileName(Buffer.from(text, 'latin1').toString(), 'image/png');
    assert.doesNotMatch(name, /[\p{Cc}\p{Cf}/\\"<>:|?*]/u);
    assert.match(name, /^[^.\s].*\.a?png$/is);
    assert.ok(Buffer.byteLength(name) <= 255 && name.isWellFormed(), 'too long, or half a character');
    assert.equal(cleanFileName(name, 'image/png'), name, 'cleaning again changes it');
    return 'accepted';
  },
};

const identities: Parser = {
  name: 'identities',
  promise: 'an e-mail address or a code in one canonical form, or a refusal',
  seeds: [
    'ann@example.com',
    'Ann.Smith+tag@mail.example.co.uk',
    "o'brien_99@xn--bcher-kva.example",
    '123 456',
    '١٢٣٤٥٦',
    '１２３-４５６',
  ],
  words: ['@', '.example', '\u212a', '\u00a0', '--'],
  run: (bytes) => {
    const text = Buffer.from(bytes, 'latin1').toString();
    assert.equal(normaliseCode(normaliseCode(text)), normaliseCode(text));
    const email = refusable(() => parseEmailAddress(text), 'EMAIL_INVALID');
    if (email === undefined) return 'refused';
    assert.match(email.address, /^[!-~]{3,254}$/);
    assert.doesNotMatch(email.address, /[\s,;:<>()[\]"\\]/);
    assert.equal(email.key, email.address.toLowerCase());
    assert.deepEqual(
      refusable(() => parseEmailAddress(email.address), 'EMAIL_INVALID'),
      email,
    );
    return 'accepted';
  },
};

const parsers = [ranges, cookies, clientAddress, authorization, language, names, identities];

export const targets: readonly FuzzTarget[] = parsers.map(({ name, promise, seeds, words = [], run }) => ({
  name,
  promise,
  words,
  run: (input) => run(input.toString('latin1')),
  seeds: () =>
    seeds.map((seed) => Buffer.from(seed, /^[\0-\xff]*$/.test(seed) && name === 'byte-ranges' ? 'latin1' : 'utf8')),
  longest: 1_200,
  mostWork: (size) => 20_000 + 100 * size,
}));
