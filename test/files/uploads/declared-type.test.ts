// The declared type of an upload against the proved one: a contradiction is refused, silence and other names are not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { agrees, type MediaType, mediaTypeNames, mediaTypes } from '#media/media-type';
import {
  charsetOf,
  claimsKnownType,
  claimsText,
  claimsUnknownType,
  isTextName,
  reconcile,
} from '../../../src/files/uploads/declared-type.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { declaredNames, silentTypes } from '../../helpers/requests/declared-names.ts';

/** Every name that only one type has, with that type. */
const names: readonly (readonly [name: string, type: MediaType])[] = mediaTypeNames.flatMap((type) =>
  [type, ...mediaTypes[type].aliases].map((name) => [name, type] as const),
);
const exceptText = mediaTypeNames.filter((type) => type !== 'text/plain');

describe('the declared type of a file', () => {
  for (const declared of [
    undefined,
    ' ',
    ';charset=utf-8',
    'Application/Octet-Stream; q=1',
    'multipart/form-data',
    ...silentTypes,
  ]) {
    it(`a declared type of ${JSON.stringify(declared)} says nothing: the proved type holds`, () => {
      for (const proved of mediaTypeNames) assert.equal(reconcile(declared, proved, 'a'), proved);
      assert.equal(claimsKnownType(declared), false);
      assert.equal(claimsText(declared), false);
    });
  }

  for (const [type, what] of declaredNames) {
    for (const name of what.split(' ')) {
      it(`${name} agrees with ${type}`, () => assert.equal(reconcile(name, proofOf(type), 'a'), type));
    }
  }

  it('a name agrees with the types that have it, and contradicts every other proved type', () => {
    for (const [name] of names) {
      for (const proved of exceptText)
        assert.equal(reconcile(name, proved, 'a'), agrees(name, proved) ? proved : undefined, `${name} for ${proved}`);
    }
  });

  for (const [declared, proved] of [
    ['image/png', 'image/jpeg'],
    ['audio/mpeg', 'audio/mp4'],
    ['audio/x-mpegurl', 'audio/mpeg'],
    ['video/webm', 'video/mp4'],
    ['application/pdf', 'application/zip'],
    ['text/plain', 'image/png'],
    ['text/csv', 'application/pdf'],
    [`application/vnd.openxmlformats-officedocument.wordprocessingml.document`, 'application/zip'],
    ['image/svg+xml', 'image/png'],
    ['audio/wav', 'audio/ogg'],
  ] as const) {
    it(`${declared} contradicts ${proved}`, () => assert.equal(reconcile(declared, proved, 'a'), undefined));
  }

  it('case, white space and parameters of a declared type do not matter', () => {
    const spelling = fc.record({
      named: fc.constantFrom(...names),
      before: fc.constantFrom('', ' ', '\t'),
      after: fc.constantFrom('', ' ', ';', '; charset=utf-8', ' ;boundary="a;b"'),
      isUpper: fc.boolean(),
      proved: fc.constantFrom(...mediaTypeNames),
    });
    fc.assert(
      fc.property(spelling, ({ named: [name], before, after, isUpper, proved }) => {
        const spelled = `${before}${isUpper ? name.toUpperCase() : name}${after}`;
        assert.equal(reconcile(spelled, proved, 'a'), reconcile(name, proved, 'a'));
        assert.equal(claimsKnownType(spelled), true);
      }),
      { numRuns: 300, seed },
    );
  });

  for (const [declared, expected] of [
    ['text/plain', 'text/plain'],
    ['text/markdown', 'text/plain'],
    ['text/x-python', 'text/plain'],
    ['text/tab-separated-values', 'text/plain'],
    ['application/txt', 'text/plain'],
    ['text/csv', 'text/csv'],
    ['application/vnd.ms-excel', 'text/csv'],
    ['text/html', undefined],
    ['text/xml', undefined],
    ['text/javascript', undefined],
    ['text/ecmascript', undefined],
    ['text/css', undefined],
    ['text/x-component+xml', undefined],
    ['application/json', undefined],
    ['image/svg+xml', undefined],
    ['image/png', undefined],
  ] as const) {
    it(`plain text that is declared as ${declared} is ${expected ?? 'refused'}, whatever its name`, () => {
      for (const name of ['a.csv', 'a.txt', undefined]) assert.equal(reconcile(declared, 'text/plain', name), expected);
    });
  }

  for (const [name, expected] of [
    ['a.csv', 'text/csv'],
    ['A.B.CSV', 'text/csv'],
    ['a.csv ', 'text/csv'],
    ['a.txt', 'text/plain'],
    ['csv', 'text/plain'],
    ['a.csv.txt', 'text/plain'],
    [undefined, 'text/plain'],
  ] as const) {
    it(`plain text without a declared type is ${expected} under the name ${name}`, () => {
      for (const declared of [undefined, 'application/octet-stream', 'text/*'])
        assert.equal(reconcile(declared, 'text/plain', name), expected);
      assert.equal(reconcile(undefined, 'image/png', name), 'image/png');
    });
  }

  it('a type that nobody knows contradicts every proved type except text, and is no claim of a known type', () => {
    for (const declared of ['image/x-raw', 'application/x-msdownload', 'font/woff2']) {
      for (const proved of exceptText) assert.equal(reconcile(declared, proved, 'a'), undefined);
      assert.equal(claimsKnownType(declared), false);
    }
  });

  it('a name that other formats have too is no claim of a known type', () => {
    for (const declared of ['application/vnd.ms-excel', 'application/msword', 'video/x-matroska', 'audio/aac'])
      assert.equal(claimsKnownType(declared), false, declared);
  });

  it('a client may name a format that is unknown, unless it says nothing, says text or names a known type', () => {
    for (const declared of [
      'application/json',
      'application/rtf; a=b',
      'application/epub+zip',
      'text/html',
      'image/bmp',
    ])
      assert.equal(claimsUnknownType(declared), true, declared);
    for (const declared of [undefined, '', 'text/*', 'text/markdown', 'image/jpg', 'application/msword', 'audio/aac'])
      assert.equal(claimsUnknownType(declared), false, `${declared}`);
  });

  it('a client claims text with a text type that is not run, and with a name that ends like one', () => {
    for (const declared of ['text/plain', 'TEXT/CSV; charset=x', 'text/markdown', 'application/csv', 'application/txt'])
      assert.equal(claimsText(declared), true, declared);
    for (const declared of ['text/html', 'application/vnd.ms-excel', 'image/png', 'text/*', 'text', undefined])
      assert.equal(claimsText(declared), false, `${declared}`);
    for (const name of ['a.txt', 'a.CSV']) assert.equal(isTextName(name), true, name);
    for (const name of ['a.png', 'txt', '', undefined]) assert.equal(isTextName(name), false, `${name}`);
  });

  for (const [declared, expected] of [
    ['text/csv; charset=windows-1252', 'windows-1252'],
    ['text/csv;header=present;Charset="koi8-r"', 'koi8-r'],
    ['text/csv; charset = latin1 ; q=1', 'latin1'],
    ['text/csv; charset=a; charset=b', 'a'],
    ['text/csv; charset=', undefined],
    ['text/csv; xcharset=a', undefined],
    ['text/csv', undefined],
    [undefined, undefined],
  ] as const) {
    it(`the declared charset of ${declared} is ${expected}`, () => assert.equal(charsetOf(declared), expected));
  }
});

/** The prover does not tell the types of text apart. */
function proofOf(type: MediaType): MediaType {
  return type === 'text/csv' ? 'text/plain' : type;
}
