// The tables of docs/purposes.md: each rule that excludes whole files with a test that names it, and what is stored of each type.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileRules } from '../../src/media/file-rule.ts';
import { mediaTypeNames, shortNameOf } from '../../src/media/media-type.ts';

const root = new URL('../../', import.meta.url);

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

  for (const [, rule = '', what = '', why = '', test = ''] of rows) {
    it(`the rule ${rule} says what it excludes and why, and names a test of it`, () => {
      assert.ok(what !== '' && why !== '');
      const texts = test.split(', ').map((path) => readFileSync(new URL(path.replaceAll('`', ''), root), 'utf8'));
      assert.ok(
        texts.some((text) => text.includes(`'${rule.replaceAll('`', '')}'`)),
        test,
      );
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
