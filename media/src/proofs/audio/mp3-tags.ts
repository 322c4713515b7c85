// Measures the tags around MP3 audio: ID3v2 before it; ID3v1, APE, Lyrics3 and ID3v2 after it.
import type { FileBytes } from '../../media-type.ts';

const id3HeaderBytes = 10;
const id3v1Bytes = 128;
/** A tag of an early extension, before the other. */
const extendedBytes = 227;
const apeFooterBytes = 32;
const lyricsFooterBytes = 15;
const lyricsMarkBytes = 9;
const oldLyricsBytes = 11 + 5_100 + lyricsMarkBytes;
const maxTags = 4;
const maxTrailingTags = 8;

/** Where the leading tags end, or 0 without tags. A string describes the defect. */
export function findAudioStart(file: FileBytes): number | string {
  let position = 0;
  for (let tags = 0; tags <= maxTags; tags++) {
    const header = file.read(position, id3HeaderBytes);
    if (header.toString('latin1', 0, 3) !== 'ID3') return position;
    const length = id3Length(header);
    // A text file may begin with these three letters.
    if (length === undefined) return position === 0 ? 0 : 'broken ID3v2 tag';
    if (position + length > file.size) return 'ID3v2 tag is truncated';
    const hasFooter = (header.readUInt8(5) & 0x10) !== 0;
    const footer = hasFooter ? file.read(position + length - id3HeaderBytes, 3) : undefined;
    if (footer !== undefined && footer.toString('latin1') !== '3DI') return 'ID3v2 footer missing';
    position += length;
  }
  return 'too many ID3v2 tags';
}

function id3Length(header: Buffer): number | undefined {
  if (header.length < id3HeaderBytes) return undefined;
  const version = header.readUInt8(3);
  const flags = header.readUInt8(5);
  const size = header.subarray(6);
  const isKnown = version >= 2 && version <= 4 && header.readUInt8(4) !== 0xff && (flags & 0x0f) === 0;
  if (!isKnown || size.some((byte) => byte >= 0x80) || (version < 4 && (flags & 0x10) !== 0)) return undefined;
  const body = size.reduce((sum, byte) => sum * 128 + byte, 0);
  return id3HeaderBytes + body + ((flags & 0x10) === 0 ? 0 : id3HeaderBytes);
}

/** Where the trailing tags begin: of any kind, in any order. Never before `start`. A string describes the defect. */
export function findAudioEnd(file: FileBytes, start: number): number | string {
  let end = file.size;
  for (let tags = 0; tags <= maxTrailingTags; tags++) {
    const length =
      id3v1Length(file, end) ?? apeLength(file, end) ?? lyricsLength(file, end) ?? appendedLength(file, end);
    if (length === undefined) return end;
    if (typeof length === 'string') return length;
    if (end - length < start) return 'a trailing tag overlaps the audio';
    end -= length;
  }
  return 'too many trailing tags';
}

function id3v1Length(file: FileBytes, end: number): number | undefined {
  if (!isAt(file, end - id3v1Bytes, 'TAG')) return undefined;
  return isAt(file, end - id3v1Bytes - extendedBytes, 'TAG+') ? id3v1Bytes + extendedBytes : id3v1Bytes;
}

function apeLength(file: FileBytes, end: number): number | string | undefined {
  if (!isAt(file, end - apeFooterBytes, 'APETAGEX')) return undefined;
  const footer = file.read(end - apeFooterBytes, apeFooterBytes);
  const size = footer.readUInt32LE(12);
  const hasHeader = (footer.readUInt32LE(20) & 0x80000000) !== 0;
  if (size < apeFooterBytes) return 'broken APE tag';
  if (!hasHeader) return size;
  const isWhole = isAt(file, end - size - apeFooterBytes, 'APETAGEX');
  return isWhole ? size + apeFooterBytes : 'broken APE tag';
}

/** The second version says how long it is. The first ends with its mark, after at most 5,100 bytes of text. */
function lyricsLength(file: FileBytes, end: number): number | string | undefined {
  if (isAt(file, end - lyricsMarkBytes, 'LYRICSEND')) {
    const from = Math.max(0, end - oldLyricsBytes);
    const begin = file.read(from, end - from).lastIndexOf('LYRICSBEGIN');
    return begin < 0 ? 'broken Lyrics3 tag' : end - from - begin;
  }
  if (!isAt(file, end - lyricsMarkBytes, 'LYRICS200')) return undefined;
  const digits = file.read(Math.max(0, end - lyricsFooterBytes), 6).toString('latin1');
  const length = /^\d{6}$/.test(digits) ? Number(digits) + lyricsFooterBytes : Number.NaN;
  return isAt(file, end - length, 'LYRICSBEGIN') ? length : 'broken Lyrics3 tag';
}

/** An ID3v2 tag may stand at the end, where its footer is a header with another mark. */
function appendedLength(file: FileBytes, end: number): number | string | undefined {
  if (!isAt(file, end - id3HeaderBytes, '3DI')) return undefined;
  const length = id3Length(file.read(end - id3HeaderBytes, id3HeaderBytes));
  // Without the bit of a footer, these are letters of the sound.
  if (length === undefined || length < 2 * id3HeaderBytes) return undefined;
  return isAt(file, end - length, 'ID3') ? length : 'broken ID3v2 tag';
}

function isAt(file: FileBytes, position: number, text: string): boolean {
  if (!(position >= 0)) return false;
  return file.read(position, text.length).toString('latin1') === text;
}
