// The name of a file in a Content-Disposition field: UTF-8, Latin-1 and the extended form, each as its sender meant it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanFileName } from '../../../src/files/file-name.ts';
import { readDispositionName } from '../../../src/http/transfer/disposition-name.ts';

/** As Node gives the bytes of a header. */
const raw = (text: string) => Buffer.from(text).toString('latin1');

describe('the name of a file in Content-Disposition', () => {
  for (const [what, field, expected] of [
    ['none', 'attachment', undefined],
    ['plain ASCII', 'attachment; filename="a.txt"', 'a.txt'],
    ['without quotes', 'attachment; filename=a.txt', 'a.txt'],
    ['UTF-8, composed', raw('attachment; filename="café.txt"'), 'café.txt'],
    ['UTF-8, decomposed', raw('attachment; filename="cafe\u0301.txt"'), 'cafe\u0301.txt'],
    ['UTF-8, an emoji', raw('attachment; filename="🙂 1.txt"'), '🙂 1.txt'],
    ['UTF-8, Cyrillic', raw('attachment; filename="Отчёт.txt"'), 'Отчёт.txt'],
    ['UTF-8 without quotes', raw('attachment; filename=Отчёт.txt'), 'Отчёт.txt'],
    ['UTF-8 with escapes', raw('attachment; filename="é \\"x\\" \\\\.txt"'), 'é "x" \\.txt'],
    ['Latin-1', 'attachment; filename="caf\xe9.txt"', 'café.txt'],
    ['UTF-8 and a byte that is none', `attachment; filename="${raw('é')}\xff.txt"`, 'Ã©ÿ.txt'],
    ['an overlong slash', 'attachment; filename="a\xc0\xafb.txt"', 'aÀ¯b.txt'],
    ['half of a pair', 'attachment; filename="a\xed\xa0\x80b.txt"', 'aí\xa0\x80b.txt'],
    ['the extended form', "attachment; filename*=UTF-8''%D0%9E.txt", 'О.txt'],
    ['the extended form before UTF-8', raw(`attachment; filename="é.txt"; filename*=UTF-8''%D0%9E.txt`), 'О.txt'],
    ['the extended form in Latin-1', "attachment; filename*=ISO-8859-1''caf%E9.txt", 'café.txt'],
    [
      'the extended form, whose characters look like UTF-8',
      `attachment; filename="${raw('é')}"; filename*=UTF-8''%C3%83%C2%A9`,
      'Ã©',
    ],
    ['an extended form that says nothing', raw(`attachment; filename="é.txt"; filename*=nothing`), 'é.txt'],
    ['NUL', "attachment; filename*=UTF-8''a%00b.txt", 'ab.txt'],
  ] as const) {
    it(what, () => assert.equal(readDispositionName(field), expected));
  }

  it('in a form, as browsers escape it', () => {
    const field = raw('form-data; name="file"; filename="é %22x%22.txt"');
    assert.equal(readDispositionName(field, { multipart: true }), 'é "x".txt');
    assert.equal(readDispositionName('form-data; filename="caf\xe9.txt"', { multipart: true }), 'café.txt');
  });

  it('direction, control and invisible characters in UTF-8 are cleaned like any other', () => {
    const field = raw('attachment; filename="a\u202egpj\u200b\u0085/b\u2028é.txt"');
    assert.equal(cleanFileName(readDispositionName(field), 'text/plain'), 'bé.txt');
    const decomposed = readDispositionName(raw('attachment; filename="cafe\u0301.txt"'));
    assert.equal(cleanFileName(decomposed, 'text/plain'), 'caf\u00e9.txt');
  });
});
