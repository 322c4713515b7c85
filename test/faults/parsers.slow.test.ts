// Every parser of untrusted text, called directly with any text: it parses or refuses, and its result is canonical.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createAltchaCaptcha } from '../../src/adapters/captcha/altcha-captcha.ts';
import { normaliseCode } from '../../src/auth/codes/challenge.ts';
import { parseEmailAddress } from '../../src/auth/identity/email-address.ts';
import { parsePhoneNumber } from '../../src/auth/identity/phone-number.ts';
import { solveCaptcha } from '../../src/commands/developer/solve-captcha.ts';
import { cleanFileName } from '../../src/files/file-name.ts';
import { readCookie } from '../../src/http/interface/cookies.ts';
import { createClientAddress } from '../../src/http/server/client-address.ts';
import { parseJsonObject } from '../../src/http/server/json-body.ts';
import { chooseRanges } from '../../src/http/transfer/byte-ranges.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { chooseLanguage, languages } from '../../src/kernel/text/language.ts';
import { createChance, flipped, nudged } from '../fuzz/http/chance.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';

const runs = { numRuns: rounds(400), seed };

/** The result, or undefined for an expected refusal. Any other error is a failure. */
function refusable<T>(read: () => T, ...codes: readonly string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** Any text: letters of every script, lone surrogates, and texts that are almost valid. */
function near(...valid: readonly string[]): fc.Arbitrary<string> {
  const nudge = fc.tuple(fc.constantFrom(...valid), fc.nat(), fc.nat(4)).map(([text, seed, times]) => {
    const chance = createChance(seed);
    return Array.from({ length: times }).reduce<string>(
      (so) => nudged(so, chance, '+0123456789 -().@aZé\u202e\u212a\0,;<>"'),
      text,
    );
  });
  return fc.oneof(nudge, nudge, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
}

describe('parsePhoneNumber with any text', () => {
  const numbers = [
    '+12025550123',
    '+442079460958',
    '+4915123456789',
    '+390612345678',
    '+5491123456789',
    '+33612345678',
  ];
  const read = (text: string) => refusable(() => parsePhoneNumber(text), 'PHONE_INVALID', 'PHONE_NOT_SUPPORTED')?.phone;

  it('any text is parsed to one canonical phone number that parses to itself, or is refused', () => {
    fc.assert(
      fc.property(near(...numbers), (text) => {
        const phone = read(text);
        if (phone === undefined) return;
        assert.match(phone, /^\+\d{4,15}$/);
        assert.equal(read(phone), phone);
      }),
      runs,
    );
  });

  it('a parsed phone number has exactly the written digits, except for a trunk prefix', () => {
    fc.assert(
      fc.property(near(...numbers), (text) => {
        const phone = read(text);
        if (phone === undefined) return;
        const [written, kept] = [text.replaceAll(/\D/g, ''), phone.slice(1)];
        assert.ok(kept === written || isWithout(written, kept), `${JSON.stringify(text)} became ${phone}`);
      }),
      runs,
    );
  });

  it('blanks, dashes, dots and brackets after the plus do not change a phone number', () => {
    const blanks = fc.array(fc.constantFrom('', ' ', '-', '.', '(', ')', '\u00a0', '\u200e'), {
      minLength: 15,
      maxLength: 15,
    });
    fc.assert(
      fc.property(fc.constantFrom(...numbers), blanks, (number, between) => {
        assert.equal(read([...number].map((letter, index) => letter + (between[index] ?? '')).join('')), number);
      }),
      runs,
    );
  });
});

/** The second is the first without up to three digits in one place after the country code. */
function isWithout(written: string, kept: string): boolean {
  const gap = written.length - kept.length;
  const at = [1, 2, 3].find((length) => kept === written.slice(0, length) + written.slice(length + gap));
  return gap > 0 && gap <= 3 && at !== undefined;
}

describe('parseEmailAddress with any text', () => {
  const addresses = ['ann@example.com', 'Ann.Smith+tag@mail.example.co.uk', "o'brien_99@xn--bcher-kva.example"];
  const read = (text: string) => refusable(() => parseEmailAddress(text), 'EMAIL_INVALID');

  it('any text is parsed to the written e-mail address, which parses to itself, or is refused', () => {
    fc.assert(
      fc.property(near(...addresses), (text) => {
        const email = read(text);
        if (email === undefined) return;
        assert.equal(email.address, text.normalize('NFC').trim());
        assert.match(email.address, /^[!-~]+$/);
        assert.doesNotMatch(email.address, /[\s,;:<>()[\]"\\]/);
        assert.equal(email.address.split('@').length, 2);
        assert.equal(email.key, email.address.toLowerCase());
        assert.deepEqual(read(email.address), email);
        assert.equal(read(email.key)?.key, email.key);
      }),
      runs,
    );
  });
});

describe('parsers of request values with any text', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 400 });

  it('any text is normalised to a code that stays the same', () => {
    fc.assert(
      fc.property(near('123456', '123 456', '١٢٣٤٥٦', '１２３-４５６'), (text) => {
        const code = normaliseCode(text);
        assert.equal(normaliseCode(code), code);
      }),
      runs,
    );
  });

  it('any text is cleaned to a file name without paths and control characters, and of bounded length', () => {
    fc.assert(
      fc.property(fc.oneof(anything, near('photo.png', '../../etc/passwd', 'a.tar.gz', 'CON', '.png')), (text) => {
        const name = cleanFileName(text, 'image/png');
        assert.doesNotMatch(name, /[\p{Cc}\p{Cf}/\\"<>:|?*]/u);
        assert.match(name, /^[^.\s].*\.(png|PNG|pNG|PnG|pnG|PNg|pNg|Png)$/s);
        assert.ok(Buffer.byteLength(name) <= 255 && name.isWellFormed(), name);
        assert.equal(cleanFileName(name, 'image/png'), name);
      }),
      runs,
    );
  });

  it('any Range header gives at most eight ranges inside the file, without overlap', () => {
    const range = near('bytes=0-0', 'bytes=5-', 'bytes=-7', 'bytes=0-1,3-4,-1', 'bytes=9-2,4-4');
    fc.assert(
      fc.property(range, fc.integer({ min: 1, max: 40 }), fc.option(anything), (text, size, ifRange) => {
        const ranges = chooseRanges(text, ifRange ?? undefined, size, '"tag"', new Date(0));
        if (ranges === undefined || ranges === 'unsatisfiable') return;
        assert.ok(ranges.length >= 1 && ranges.length <= 8);
        const bytes = ranges.flatMap(({ start, end }) =>
          Array.from({ length: end - start + 1 }, (_, at) => start + at),
        );
        assert.equal(new Set(bytes).size, bytes.length);
        assert.ok(bytes.every((at) => at >= 0 && at < size) && bytes.length > 0);
      }),
      runs,
    );
  });

  it('any text is parsed as an IP address, cookies, a language or JSON, or is refused', () => {
    const clientAddress = createClientAddress(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
    fc.assert(
      fc.property(fc.oneof(anything, near('1.2.3.4, 10.0.0.1', '[::1]:80', 'JWT=a; RT=b', 'de;q=0.5, *')), (text) => {
        assert.match(clientAddress('127.0.0.1', text), /^(unknown|[\d.]+|[\da-f:]+\/64)$/);
        assert.match(clientAddress(text, text), /^(unknown|[\d.]+|[\da-f:]+\/64)$/);
        refusable(() => readCookie(text, 'JWT'), 'REQUEST_INVALID');
        assert.ok(languages.includes(chooseLanguage(text)));
        refusable(() => parseJsonObject(Buffer.from(text)), 'JSON_INVALID', 'REQUEST_INVALID');
      }),
      runs,
    );
  });

  it('any JSON text and any corrupted one is parsed or refused', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(), (text, seed) => {
        const spoiled = flipped(Buffer.from(`{"a":${text}}`), createChance(seed));
        for (const bytes of [Buffer.from(`{"a":${text}}`), spoiled])
          refusable(() => parseJsonObject(bytes), 'JSON_INVALID', 'REQUEST_INVALID');
      }),
      runs,
    );
  });

  it('no change of a solved captcha makes another valid solution', async () => {
    const captcha = createAltchaCaptcha({ secrets: createSecrets('s'.repeat(40)), clock: { now: () => Date.now() } });
    const token = await solveCaptcha(await captcha.challenge?.());
    assert.match((await captcha.check(token, ''))?.id ?? '', /^altcha:/);
    const text = Buffer.from(token, 'base64');
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const chance = createChance(seed);
        const forged = chance.pick([
          () => nudged(token, chance, 'Aa0+/=-_'),
          () => flipped(text, chance).toString('base64'),
          () => Buffer.from(nudged(text.toString(), chance, '{}[]",:0e\0')).toString('base64'),
          () => chance.bytes(chance.below(3000)).toString('base64'),
        ])();
        const spend = await captcha
          .check(forged, '')
          .catch((error: Failure) => assert.equal(error.code, 'CAPTCHA_INVALID'));
        // Another spelling of the same solution is the same solution, and it works once.
        if (spend) assert.equal(spend.id, (await captcha.check(token, ''))?.id);
      }),
      runs,
    );
  });
});
