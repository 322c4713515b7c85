// The name, the extra fields and the mode of a ZIP entry: nothing that leaves the folder, hides a second name or is a link.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extraField, extraFieldsDefect, isLink, isSafeName } from '../../../src/proofs/archives/zip-names.ts';
import { hex, joined, type Part, u32le } from '../../helpers/media-files.ts';
import { extraField as field } from '../../helpers/zip-builder.ts';

const utf8 = 0x0800;
const secondName = 0x7075;

function judge(name: Part, { extra = '', flags = 0 }: { extra?: Part; flags?: number } = {}) {
  return isSafeName(joined(name), joined(extra), flags);
}

describe('the name of an entry', () => {
  for (const [what, name] of [
    ['a letter', 'a'],
    ['a path', 'folder/other folder/file.txt'],
    ['a folder', 'folder/'],
    ['names that begin or end with dots', '.git/..config/a../...'],
    ['a dot', './a/./b'],
    ['a colon that is not behind a drive letter', 'ab:c'],
    ['a colon behind a digit', '1:/a'],
    ['1,024 bytes', 'n'.repeat(1_024)],
    ['bytes of an old code page', hex('8081ff')],
    ['a blank and a tilde', ' ~'],
    ['backslashes, as old tools for Windows write them', 'folder\\file.txt'],
  ] as const) {
    it(`a name is accepted: ${what}`, () => assert.equal(judge(name), true));
  }

  for (const [what, name] of [
    ['nothing', ''],
    ['1,025 bytes', 'n'.repeat(1_025)],
    ['a NUL', 'a\0.txt'],
    ['an escape', 'a\x1b[2J'],
    ['the last control character', 'a\x1f'],
    ['the delete character', 'a\x7f'],
    ['a path that leaves the folder with a backslash', 'a\\..\\..\\evil'],
    ['a path that leaves the folder with both', 'a/..\\evil'],
    ['an absolute path with a backslash', '\\evil'],
    ['a host', '\\\\host\\evil'],
    ['an absolute path', '/etc/passwd'],
    ['a drive letter', 'C:/evil'],
    ['a small drive letter', 'z:evil'],
    ['a path that leaves the folder', '../evil'],
    ['a path that leaves the folder later', 'a/../../evil'],
    ['a path that ends above', 'a/..'],
    ['two dots', '..'],
  ] as const) {
    it(`a name is refused: ${what}`, () => assert.equal(judge(name), false));
    it(`a second name in an extra field is refused: ${what}`, () => {
      const extra = field(secondName, joined([1], u32le(0), name));
      assert.equal(judge('good', { extra }), false);
    });
  }

  it('a second name in an extra field is accepted if it is harmless', () =>
    assert.equal(judge('good', { extra: field(secondName, joined([1], u32le(0), 'also good')) }), true));

  it('a second name in an extra field without a name is refused', () =>
    assert.equal(judge('good', { extra: field(secondName, 'abcd') }), false));

  it('a name must be UTF-8 if it says so', () => {
    assert.equal(judge(Buffer.from('имя'), { flags: utf8 }), true);
    assert.equal(judge(hex('ff'), { flags: utf8 }), false);
    assert.equal(judge(hex('ff'), { flags: 0xf7ff }), true);
  });
});

describe('the mode of an entry', () => {
  for (const [mode, what, expected] of [
    [0x0000, 'nothing', false],
    [0x8000, 'a file', false],
    [0x4000, 'a folder', false],
    [0x1000, 'a pipe, which some packers write', false],
    [0xf000, 'all ones, which some packers write', false],
    [0xa000, 'a link', true],
    [0x2000, 'a character device', true],
    [0x6000, 'a block device', true],
    [0xc000, 'a socket', true],
  ] as const) {
    it(`the mode of ${what} is ${expected ? 'refused' : 'accepted'}`, () => {
      assert.equal(isLink(((mode | 0o777) << 16) >>> 0), expected);
      assert.equal(isLink((((mode | 0o644) << 16) | 0xffff) >>> 0), expected);
    });
  }

  it('the low half of the attributes is not a mode', () => assert.equal(isLink(0xa1ff), false));
});

describe('the extra fields of an entry', () => {
  const two = joined(field(5, 'abc'), field(7, 'de'));

  it('an extra field is found by its number', () => {
    assert.equal(extraField(two, 5)?.toString(), 'abc');
    assert.equal(extraField(two, 7)?.toString(), 'de');
    assert.equal(extraField(two, 6), undefined);
    assert.equal(extraField(joined(field(5)), 5)?.length, 0);
    assert.equal(extraField(joined(), 5), undefined);
  });

  it('of two extra fields of one number, the first counts', () =>
    assert.equal(extraField(joined(field(5, 'a'), field(5, 'b')), 5)?.toString(), 'a'));

  it('an extra field that is cut has what is there', () => {
    assert.equal(extraField(joined(field(5, 'ab', 9)), 5)?.toString(), 'ab');
    assert.equal(extraField(joined(field(5, 'ab', 9)), 7), undefined);
    assert.equal(extraField(field(7).subarray(0, 3), 7), undefined);
  });

  for (const [what, extra, expected] of [
    ['no fields', '', undefined],
    ['two fields', two, undefined],
    ['several fields of number 0', joined(field(0), field(0), field(0, 'x')), undefined],
    ['three bytes of padding', joined(two, [0, 0, 0]), undefined],
    ['a field of the largest number', field(0xffff, 'a'), undefined],
    ['a field that is longer than its room', field(9, 'ab', 3), 'a broken extra field'],
    ['a second field that is longer than its room', joined(two, field(9, '', 1)), 'a broken extra field'],
    ['two fields of one number', joined(field(5), field(7), field(5)), 'the same extra field twice'],
  ] as const) {
    it(`extra fields are ${expected === undefined ? 'accepted' : 'refused'}: ${what}`, () =>
      assert.equal(extraFieldsDefect(joined(extra)), expected));
  }
});
