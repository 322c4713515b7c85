// Reading numbers of every country, valid or not, gives the answers of libphonenumber itself.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  Metadata,
  type MetadataJson,
} from 'libphonenumber-js/max';
import { askLibrary, createNumberReader, type NumberReader } from '../../../src/auth/identity/numbering-plan.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';

/** A reader, and whether it asked the library about the last number. */
function createWatched() {
  const watched = { hasAsked: false };
  const read = createNumberReader((text) => {
    watched.hasAsked = true;
    return askLibrary(text);
  });
  return Object.assign(watched, { read });
}

const assertSame = (read: NumberReader, text: string) => {
  const expected = askLibrary(text);
  assert.deepEqual(read(text), expected, text);
  return expected?.kind;
};

const { nonGeographic } = (new Metadata() as unknown as { metadata: MetadataJson }).metadata;
const countries = getCountries();
const callingCodes = [
  ...new Set([...countries.map((country) => getCountryCallingCode(country)), ...Object.keys(nonGeographic)]),
];

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength, size: 'max' });

const ofKinds = {
  MOBILE: '+4915112345678',
  FIXED_LINE: '+493012345678',
  FIXED_LINE_OR_MOBILE: '+12025550123',
  PREMIUM_RATE: '+19002345678',
  TOLL_FREE: '+18002345678',
  SHARED_COST: '+33884012345',
  VOIP: '+445612345678',
  PERSONAL_NUMBER: '+447012345678',
  PAGER: '+447640123456',
  UAN: '+443001234567',
  VOICEMAIL: '+41860123456789',
};

describe('reading a number by its numbering plan', () => {
  it('every calling code: numbers of every length', () => {
    const readNumber = createNumberReader();
    assert.ok(callingCodes.length > 210);
    const property = fc.property(digits(3, 17), (national) => {
      for (const code of callingCodes) assertSame(readNumber, `+${code}${national}`.slice(0, 19));
    });
    fc.assert(property, { seed, numRuns: rounds(30) });
  });

  it('every country: its mobile numbers with some digits changed, added or removed, and with a trunk prefix', () => {
    const readNumber = createNumberReader();
    const kinds = new Set<string | undefined>();
    const change = fc.tuple(fc.nat(14), digits(0, 4), fc.nat(4));
    const property = fc.property(change, fc.constantFrom('', '0', '1', '8'), ([at, added, removed], trunk) => {
      for (const country of countries) {
        const example = getExampleNumber(country, examples) ?? assert.fail(country);
        const { countryCallingCode: code, nationalNumber } = example;
        const changed = nationalNumber.slice(0, at) + added + nationalNumber.slice(at + removed);
        kinds.add(assertSame(readNumber, `+${code}${trunk}${changed}`.slice(0, 19)));
      }
    });
    fc.assert(property, { seed, numRuns: rounds(30) });
    assert.ok(kinds.size >= 8, [...kinds].join());
  });

  it('ordinary numbers of nearly every country are read without the library, and so are all types', () => {
    const watched = createWatched();
    const asked = countries.filter((country) => {
      watched.hasAsked = false;
      assertSame(watched.read, getExampleNumber(country, examples)?.number ?? assert.fail(country));
      return watched.hasAsked;
    });
    // A prefix may come before every number of Argentina, with a code of its area in between.
    assert.deepEqual(asked, ['AR']);
    for (const [kind, text] of Object.entries(ofKinds)) {
      watched.hasAsked = false;
      assert.equal(watched.read(text)?.kind, kind, text);
      assert.ok(!watched.hasAsked, text);
    }
  });

  it('the patterns of a calling code are read once', (test) => {
    const read = createNumberReader();
    read('+4915112345678');
    const select = test.mock.method(Metadata.prototype, 'selectNumberingPlan');
    for (let last = 0; last < 10; last += 1) read(`+491511234567${last}`);
    assert.equal(select.mock.callCount(), 0);
  });

  it('calling codes that do not exist, and numbers that are too short or too long', () => {
    const readNumber = createNumberReader();
    for (const text of [
      '+0',
      '+01234567',
      '+1',
      '+12',
      '+4',
      '+49',
      '+491',
      '+4912',
      '+999123456',
      '+21012345',
      '+',
      '+7',
    ])
      assertSame(readNumber, text);
    for (let first = 0; first < 1000; first += 1) assertSame(readNumber, `+${first}2345678`);
    assertSame(readNumber, `+49${'1'.repeat(17)}`);
    assertSame(readNumber, `+49${'1'.repeat(18)}`);
  });
});
