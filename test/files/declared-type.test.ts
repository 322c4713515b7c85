// The declared type of an upload against the proved one: a contradiction is refused, silence and aliases are not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { claimsKnownType, reconcile } from '../../src/files/declared-type.ts';
import { type MediaType, mediaTypeNames, mediaTypes } from '../../src/media/media-type.ts';
import { seed } from '../helpers/faults/rounds.ts';

/** Every name of a type, with the type that it means. */
const names: readonly (readonly [name: string, type: MediaType])[] = mediaTypeNames.flatMap((type) =>
  [type, ...mediaTypes[type].aliases].map((name) => [name, type] as const),
);

describe('the declared type of a file', () => {
  const silent = [
    undefined,
    '',
    ' ',
    ';charset=utf-8',
    'application/octet-stream',
    'binary/octet-stream',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'Application/Octet-Stream; q=1',
  ];
  for (const declared of silent) {
    it(`a declared type of ${JSON.stringify(declared)} says nothing: the proved type holds`, () => {
      for (const proved of mediaTypeNames) assert.equal(reconcile(declared, proved), proved);
      assert.equal(claimsKnownType(declared), false);
    });
  }

  it('each name and alias of a type agrees with that type and contradicts every other proved type', () => {
    for (const [name, type] of names) {
      for (const proved of mediaTypeNames.filter((each) => each !== 'text/plain'))
        assert.equal(reconcile(name, proved), proved === type ? type : undefined, `${name} for ${proved}`);
    }
  });

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
        assert.equal(reconcile(spelled, proved), reconcile(name, proved));
        assert.equal(claimsKnownType(spelled), true);
      }),
      { numRuns: 300, seed },
    );
  });

  for (const [declared, expected] of [
    ['text/plain', 'text/plain'],
    ['text/markdown', 'text/plain'],
    ['text/x-python', 'text/plain'],
    ['text/csv', 'text/csv'],
    ['application/csv', 'text/csv'],
    ['text/comma-separated-values', 'text/csv'],
    ['application/vnd.ms-excel', 'text/csv'],
    ['text/html', undefined],
    ['text/xml', undefined],
    ['text/javascript', undefined],
    ['text/ecmascript', undefined],
    ['text/css', undefined],
    ['text/x-component+xml', undefined],
    ['application/json', undefined],
    ['application/text/plain', undefined],
    ['image/svg+xml', undefined],
    ['image/png', undefined],
    ['text', undefined],
  ] as const) {
    it(`plain text that is declared as ${declared} is ${expected ?? 'refused'}`, () => {
      assert.equal(reconcile(declared, 'text/plain'), expected);
    });
  }

  it('a type that nobody knows contradicts every proved type except text, and is no claim of a known type', () => {
    for (const declared of ['image/heic', 'application/x-msdownload', 'font/woff2', 'x']) {
      for (const proved of mediaTypeNames.filter((each) => each !== 'text/plain'))
        assert.equal(reconcile(declared, proved), undefined);
      assert.equal(claimsKnownType(declared), false);
    }
  });
});
