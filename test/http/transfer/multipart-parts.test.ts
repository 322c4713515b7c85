// A form read as a stream: wherever a chunk ends, the parser returns the same parts with the same bytes, and no form hangs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import {
  boundaries,
  cut,
  findBadCuts,
  findBadSteps,
  formOf,
  formResult,
  nameIn,
  readForm,
  typesOf,
} from '../../helpers/requests/upload-form.ts';

describe('a form in chunks of any size', () => {
  for (const boundary of boundaries) {
    it(`a form is read completely with one cut at each tenth position, boundary of ${boundary.length} characters`, async () => {
      assert.deepEqual(await findBadCuts(boundary, (at) => at % 10 === boundary.length % 10), []);
    });

    it(`a form is read completely in chunks of a few sizes, boundary of ${boundary.length} characters`, async () => {
      assert.deepEqual(await findBadSteps(boundary, [1, 2, 3, 5, 8, 13, 21, 34, 55, 70]), []);
    });
  }

  it('a form is read completely when chunks end anywhere before, in and after a false delimiter', async () => {
    const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    for (const length of [1, 2, 3, 20, delimiter.length - 1]) {
      const file = Buffer.alloc(200_000, 'x');
      const before = formOf(boundary, Buffer.alloc(0)).indexOf('\r\n\r\n\r\n') + 4;
      // Each chunk but the last ends in that many bytes of the delimiter.
      for (let end = 65_536; end - before < file.length; end += 65_536)
        delimiter.copy(file, end - before - length, 0, length);
      assert.equal(
        await readForm(boundary, cut(formOf(boundary, file), 65_536)),
        formResult(file),
        `${length} bytes of it`,
      );
    }
  });

  it('a form is read completely for any content and any cuts', async () => {
    const boundary = 'ab-a';
    const letters = fc.constantFrom('\r', '\n', '-', 'a', 'b', '\r\n--', '\r\n--ab-', '\r\n--ab', 'x');
    await fc.assert(
      fc.asyncProperty(
        fc.array(letters, { maxLength: 60 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (words, cuts) => {
          const text = words.join('').replaceAll(`\r\n--${boundary}`, '');
          const file = Buffer.from(text.includes(`\r\n--${boundary}`) ? '' : text);
          const form = formOf(boundary, file);
          const places = [...new Set([0, ...cuts, form.length])].filter((at) => at <= form.length);
          places.sort((left, right) => left - right);
          const chunks = places.slice(1).map((end, index) => form.subarray(places[index], end));
          assert.equal(await readForm(boundary, chunks), formResult(file));
        },
      ),
      { numRuns: rounds(60), seed },
    );
  });
});

describe('the name of a file in a form', () => {
  for (const [what, bytes, expected] of [
    ['UTF-8', Buffer.from('Отчёт 🙂.txt'), 'Отчёт 🙂.txt'],
    ['Latin-1', Buffer.from('caf\xe9.txt', 'latin1'), 'caf\xe9.txt'],
    ['UTF-8 with a mark for what somebody else could not read', Buffer.from('a\ufffdb.txt'), 'a\ufffdb.txt'],
    ['neither', Buffer.from([0xc3, 0xa9, 0xff]), '\xc3\xa9\xff'],
    ['escaped, as browsers send it', Buffer.from('mein %22Bester%22%0D%0a é.txt'), 'mein "Bester"\r\n é.txt'],
    ['escaped, in Latin-1', Buffer.from('caf\xe9 %22x%22.txt', 'latin1'), 'caf\xe9 "x".txt'],
    ['other percent signs', Buffer.from('100%25 %41 %2.txt'), '100%25 %41 %2.txt'],
  ] as const) {
    it(`is read as its sender meant it: ${what}`, async () => assert.equal(await nameIn(bytes), expected));
  }
});

describe('the content type of a part', () => {
  for (const [header, expected] of [
    ['Content-Type: text/csv; charset=windows-1252\r\n', 'text/csv; charset=windows-1252'],
    ['content-type: Image/PNG\r\n', 'Image/PNG'],
    ['Content-Type: text/plain\r\n', 'text/plain'],
    ['Content-Type: image/*\r\n', 'image/*'],
    ['Content-Type:\r\n', ''],
    ['', undefined],
  ] as const) {
    it(`a part has the type that was sent: ${JSON.stringify(header)}`, async () => {
      assert.deepEqual(await typesOf(header), [expected]);
    });
  }

  it('a part without a type does not get the type of the part before it', async () => {
    assert.deepEqual(await typesOf('', 'Content-Type: image/png\r\n'), [undefined]);
  });
});
