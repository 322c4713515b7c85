// The tags around MP3 audio: ID3v2 before it; ID3v1, APE, Lyrics3 and ID3v2 after it. Each says how long it is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAudioEnd, findAudioStart } from '../../../src/proofs/audio/mp3-tags.ts';
import { inMemory, joined, type Part, u32le } from '../../helpers/media-files.ts';

const footerFlag = 0x10;

type Id3 = { version?: number; revision?: number; flags?: number; size?: number[]; footer?: string };

/** A tag of four bytes, or with another size. */
function id3({ version = 3, revision = 0, flags = 0, size = [0, 0, 0, 4], footer }: Id3 = {}): Buffer {
  const end = footer === undefined ? '' : joined(footer, [version, revision, flags], size);
  return joined('ID3', [version, revision, flags], size, 'TIT2', end);
}

const audio = Buffer.alloc(200, 0xaa);

describe('the tags before MP3 audio', () => {
  const start = (...parts: Part[]) => findAudioStart(inMemory(joined(...parts)));
  const withFooter = id3({ version: 4, flags: footerFlag, footer: '3DI' });
  for (const [what, tags, expected] of [
    ['no tag', [], 0],
    ['a tag of version 2.2', [id3({ version: 2 })], 14],
    ['a tag of version 2.3', [id3({ version: 3 })], 14],
    ['a tag of version 2.4', [id3({ version: 4 })], 14],
    ['a tag with the flags of version 2.4', [id3({ version: 4, flags: 0xe0 })], 14],
    ['a tag with a footer', [withFooter], 24],
    ['four tags', [id3(), id3(), withFooter, id3()], 14 + 14 + 24 + 14],
    ['a size of 7 bits in each byte', [id3({ size: [0, 0, 1, 0] }), Buffer.alloc(124)], 138],
    ['a size in the first byte', [id3({ size: [1, 0, 0, 0] }), Buffer.alloc(2_097_148)], 2_097_162],
  ] as [string, Part[], number][]) {
    it(`the audio begins behind ${what}`, () => assert.equal(start(...tags, audio), expected));
  }

  it('the audio begins at the end of a file that is nothing but a tag', () => assert.equal(start(id3()), 14));

  for (const [what, tag] of [
    ['an unknown version', id3({ version: 5 })],
    ['version 2.1', id3({ version: 1 })],
    ['revision 255', id3({ revision: 0xff })],
    ['an unknown flag', id3({ flags: 1 })],
    ['the highest unknown flag', id3({ flags: 8 })],
    ['a footer before version 2.4', id3({ flags: footerFlag, footer: '3DI' })],
    ['a byte of its size above 127', id3({ size: [0, 0x80, 0, 4] })],
    ['a header that is cut', joined('ID3', [3, 0, 0, 0, 0, 0])],
    ['a text after its mark', joined('ID3 is a format')],
  ] as const) {
    it(`a first tag with ${what} is no tag, because a text may begin with its mark`, () => assert.equal(start(tag), 0));
    it(`a later tag with ${what} is refused`, () => assert.equal(start(id3(), tag), 'broken ID3v2 tag'));
  }

  for (const [what, tags, reason] of [
    ['a tag a byte longer than the file', [id3({ size: [0, 0, 0, 5] })], 'ID3v2 tag is truncated'],
    ['a second tag longer than the file', [id3(), id3({ size: [0, 1, 0, 0] })], 'ID3v2 tag is truncated'],
    ['a footer that is missing', [id3({ version: 4, flags: footerFlag, footer: 'ID3' })], 'ID3v2 footer missing'],
    ['a footer behind the end', [id3({ version: 4, flags: footerFlag })], 'ID3v2 tag is truncated'],
    ['five tags', [id3(), id3(), id3(), id3(), id3()], 'too many ID3v2 tags'],
  ] as [string, Part[], string][]) {
    it(`tags before the audio are refused: ${what}`, () => assert.equal(start(...tags), reason));
  }
});

describe('the tags after MP3 audio', () => {
  const end = (...parts: Part[]) => findAudioEnd(inMemory(joined(audio, ...parts)), 50);
  const id3v1 = joined('TAG', Buffer.alloc(125));

  function ape({ hasHeader = false, size = 40, header = 'APETAGEX' } = {}): Buffer {
    const block = (mark: string, flags: number) =>
      joined(mark, u32le(2_000), u32le(size), u32le(1), u32le(flags), Buffer.alloc(8));
    return joined(
      hasHeader ? block(header, 0xa0000000) : '',
      Buffer.alloc(8),
      block('APETAGEX', hasHeader ? 0x80000000 : 0),
    );
  }

  function lyrics(digits = '000016', mark = 'LYRICSBEGIN'): Buffer {
    return joined(mark, 'words', digits, 'LYRICS200');
  }

  for (const [what, tags] of [
    ['no tag', []],
    ['an ID3v1 tag', [id3v1]],
    ['an APE tag', [ape()]],
    ['an APE tag with a header', [ape({ hasHeader: true })]],
    ['an APE tag of its footer alone', [ape({ size: 32 }).subarray(8)]],
    ['a Lyrics3 tag', [lyrics()]],
    ['an APE tag before an ID3v1 tag', [ape(), id3v1]],
    ['Lyrics3, APE and ID3v1', [lyrics(), ape({ hasHeader: true }), id3v1]],
    ['eight tags', [ape(), lyrics(), ape(), lyrics(), id3v1, ape(), lyrics(), id3v1]],
    ['an APE tag behind an ID3v1 tag, as some taggers write it', [id3v1, ape({ hasHeader: true })]],
    ['an ID3v1 tag twice', [id3v1, id3v1]],
    ['an extended ID3v1 tag', ['TAG+', Buffer.alloc(223), id3v1]],
    ['the first version of Lyrics3', ['LYRICSBEGIN', 'words', 'LYRICSEND', id3v1]],
    ['the longest text of the first version of Lyrics3', ['LYRICSBEGIN', Buffer.alloc(5_100), 'LYRICSEND', id3v1]],
    ['an ID3v2 tag that is appended', [id3({ version: 4, flags: footerFlag, footer: '3DI' })]],
    ['an appended ID3v2 tag and an ID3v1 tag', [id3({ version: 4, flags: footerFlag, footer: '3DI' }), id3v1]],
  ] as [string, Part[]][]) {
    it(`the audio ends before ${what}`, () => assert.equal(end(...tags), audio.length));
  }

  for (const [what, tags, reason] of [
    ['an APE tag shorter than its footer', [ape({ size: 31 })], 'broken APE tag'],
    ['an APE tag whose header is missing', [ape({ hasHeader: true, header: 'APETAGEY' })], 'broken APE tag'],
    ['an APE tag whose header is before the file', [ape({ hasHeader: true, size: 9_999 })], 'broken APE tag'],
    ['an APE tag that reaches before the audio', [ape({ size: 191 })], 'a trailing tag overlaps the audio'],
    ['an APE tag longer than the file', [ape({ size: 9_999 })], 'a trailing tag overlaps the audio'],
    ['Lyrics3 of another length', [lyrics('000017')], 'broken Lyrics3 tag'],
    ['Lyrics3 with a length that is not a number', [lyrics('00001x')], 'broken Lyrics3 tag'],
    ['Lyrics3 without its beginning', [lyrics('000016', 'LYRICSBEGUN')], 'broken Lyrics3 tag'],
    ['Lyrics3 that begins before the file', [lyrics('999999')], 'broken Lyrics3 tag'],
    ['the first version of Lyrics3 without its beginning', ['words', 'LYRICSEND'], 'broken Lyrics3 tag'],
    [
      'a text too long for the first version of Lyrics3',
      ['LYRICSBEGIN', Buffer.alloc(5_101), 'LYRICSEND'],
      'broken Lyrics3 tag',
    ],
    [
      'an appended ID3v2 tag without its header',
      [id3({ version: 4, flags: footerFlag, footer: '3DI' }).subarray(1)],
      'broken ID3v2 tag',
    ],
    ['nine tags', Array(9).fill(ape()), 'too many trailing tags'],
  ] as [string, Part[], string][]) {
    it(`tags after the audio are refused: ${what}`, () => assert.equal(end(...tags), reason));
  }

  it('a tag may begin where the audio should begin, and no byte earlier', () => {
    assert.equal(end(ape({ size: 190 })), 50);
    assert.equal(end(ape({ size: 191 })), 'a trailing tag overlaps the audio');
  });

  it('the mark of a footer without its bit belongs to the sound', () =>
    assert.equal(end(id3({ version: 4, footer: '3DI' })), audio.length + 24));

  it('an ID3v1 tag counts only where other tags or the file end', () => {
    assert.equal(end(id3v1, 'x'), audio.length + 129);
  });

  it('a file shorter than every tag has none', () => {
    for (let length = 0; length < 10; length++)
      assert.equal(
        findAudioEnd(inMemory(Buffer.from('LYRICS200').subarray(0, length)), 0),
        length === 9 ? 'broken Lyrics3 tag' : length,
      );
  });
});
