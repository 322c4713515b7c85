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
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { createNumberReader, type NumberReader, type ReadNumber } from '../../src/auth/numbering-plan.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';

function answerOfLibrary(text: string): ReadNumber | undefined {
  const parsed = parsePhoneNumberFromString(text);
  const kind = parsed?.getType();
  if (parsed === undefined || (kind === undefined && !parsed.isValid())) return undefined;
  const { number, country, countryCallingCode: callingCode } = parsed;
  return { number, country, callingCode, isNonGeographic: parsed.isNonGeographic(), kind };
}

const assertSame = (readNumber: NumberReader, text: string) => {
  const expected = answerOfLibrary(text);
  assert.deepEqual(readNumber(text), expected, text);
  return expected?.kind;
};

const { nonGeographic } = (new Metadata() as unknown as { metadata: MetadataJson }).metadata;
const countries = getCountries();
const callingCodes = [
  ...new Set([...countries.map((country) => getCountryCallingCode(country)), ...Object.keys(nonGeographic)]),
];

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength, size: 'max' });

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
