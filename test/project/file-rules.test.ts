// The tables of docs/purposes.md: each rule that excludes whole files, with a test that names it, and what is stored of each type.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type FileRule, fileRules } from '#media/file-rule';
import { mediaTypeNames, shortNameOf } from '#media/media-type';

const root = new URL('../../', import.meta.url);

/** The tests that name each rule. */
const testsOf: Readonly<Record<FileRule, readonly string[]>> = {
  macros: ['media/test/proofs/documents/zip-office.test.ts'],
  'encrypted-document': ['media/test/proofs/documents/compound.test.ts'],
  'document-form': ['media/test/proofs/documents/zip-office.test.ts'],
  'zip-links': ['media/test/proofs/archives/zip-names.test.ts', 'media/test/proofs/archives/zip-directory.test.ts'],
  'zip-entries': ['media/test/proofs/archives/zip-directory.test.ts'],
  'zip-names': ['media/test/proofs/archives/zip-names.test.ts', 'media/test/proofs/archives/zip-directory.test.ts'],
  'zip-size': ['media/test/proofs/archives/zip-directory.test.ts'],
  'zip-form': ['media/test/proofs/archives/zip.test.ts'],
  'sound-codec': ['media/test/proofs/audio/ogg.test.ts'],
  'video-codec': ['media/test/proofs/video/webm.test.ts'],
  'outside-data': ['media/test/proofs/video/mp4-movie.test.ts'],
  'moving-picture': ['media/test/proofs/images/heic.test.ts'],
  'hidden-file': ['media/test/proofs/polyglot.test.ts', 'media/test/strip-metadata.test.ts'],
  'binary-text': ['test/files/uploads/examine.test.ts'],
  'active-text': ['media/test/proofs/text/text.test.ts'],
};

function rowsOf(heading: string): string[][] {
  const text = readFileSync(new URL('docs/purposes.md', root), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.split('|').map((cell) => cell.trim()));
}

describe('the rules that exclude files', () => {
  const rows = rowsOf('What is refused by rule');

  it('every rule has one line in the table of docs/purposes.md, in the order of the code', () =>
    assert.deepEqual(
      rows.map(([, rule]) => rule),
      fileRules.map((rule) => `\`${rule}\``),
    ));

  for (const [, rule = '', what = '', why = ''] of rows) {
    it(`the rule ${rule} says what it excludes and why, and a test names it`, () => {
      assert.ok(what !== '' && why !== '');
      const name = fileRules.find((one) => rule === `\`${one}\``) ?? assert.fail(rule);
      const texts = testsOf[name].map((path) => readFileSync(new URL(path, root), 'utf8'));
      assert.ok(texts.some((text) => text.includes(`'${name}'`)));
    });
  }
});

describe('the table of what is cut, kept and removed', () => {
  it('every type has its place in one row of docs/purposes.md', () => {
    const listed = rowsOf('What is cut, kept and removed').flatMap(([, types = '']) => types.split(', '));
    // The table calls some types by the names that users know.
    const names = mediaTypeNames.map(
      (type) => ({ JPG: 'JPEG', WEBP: 'WebP', WEBM: 'WebM', MOV: 'QuickTime' })[shortNameOf(type)] ?? shortNameOf(type),
    );
    assert.deepEqual(listed.toSorted(), names.toSorted());
  });
});
