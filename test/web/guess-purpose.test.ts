// The guess of the purpose of a file, against the purposes that the service has without a file of purposes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acceptOf, builtInPurposes, extensionsOf } from '../../src/files/purpose.ts';
import { findFitting, guessPurpose } from '../../web/account/guess-purpose.ts';

const purposes = builtInPurposes.map(({ links = false, variants = {}, ...purpose }) => ({
  ...purpose,
  links,
  types: [...purpose.types],
  variants: Object.keys(variants),
  extensions: extensionsOf(purpose.types),
  accept: acceptOf(purpose),
}));

const mebibyte = 1024 * 1024;

describe('the guess of a purpose', () => {
  it('the guess is the narrowest purpose that accepts the file, and never one that all users can see', () => {
    const cases: readonly [name: string, type: string, size: number, guess: string | undefined][] = [
      ['holiday.jpg', 'image/jpeg', 100, 'image'],
      ['HOLIDAY.JPG', '', 100, 'image'],
      ['scan.heic', '', 100, 'image'],
      ['bill.pdf', 'application/pdf', 100, 'document'],
      ['table.csv', 'application/vnd.ms-excel', 100, 'document'],
      ['notes', 'text/plain', 100, 'document'],
      ['song.mp3', 'audio/mpeg', 100, 'audio'],
      ['memo.m4a', 'video/mp4', 100, 'audio'],
      ['film.mp4', 'video/mp4', 100, 'video'],
      ['archive.zip', 'application/zip', 100, 'attachment'],
      ['screenshot', 'image/png', 100, 'image'],
      ['poster.png', 'image/png', 20 * mebibyte, 'attachment'],
      ['poster.png', 'image/png', 60 * mebibyte, undefined],
      ['cat.exe', 'application/x-msdownload', 100, undefined],
      ['empty.png', 'image/png', 0, undefined],
    ];
    for (const [name, type, size, guess] of cases)
      assert.equal(guessPurpose({ name, type, size }, purposes)?.name, guess, `${name} ${type} ${size}`);
  });

  it('a file that only a purpose for all users accepts is not guessed, but the user may choose it', () => {
    const avatar = purposes.filter(({ name }) => name === 'avatar');
    const face = { name: 'face.png', type: 'image/png', size: 100 };
    assert.equal(guessPurpose(face, avatar), undefined);
    assert.deepEqual(
      findFitting(face, purposes).map(({ name }) => name),
      ['avatar', 'image', 'attachment'],
    );
  });
});
