// What cameras, phones and programs write after the end of a JPEG, and what an attacker would.
import { plainJpeg } from './jpeg-builder.ts';
import { buildZip } from './media-builders.ts';
import { fixture, joined, u16le, u32be, u32le } from './media-files.ts';

/** As Samsung phones write it: named blocks, a directory that counts back to them, its length, and the end mark. */
export function samsungTrailer(): Buffer {
  const name = 'Image_UTC_Data';
  const block = joined(u16le(0), u16le(0x0a01), u32le(name.length), name, '1415823012000');
  const entry = joined(u16le(0), u16le(0x0a01), u32le(block.length), u32le(block.length));
  const directory = joined('SEFH', u32le(106), u32le(1), entry);
  return joined(block, directory, u32le(directory.length), 'SEFT');
}

/** A film after the picture, as Google and Samsung phones write it. */
export function motionTrailer(): Buffer {
  return fixture('ffmpeg-h264-aac.mp4');
}

export const trailers: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['one stray byte', Buffer.alloc(1)],
  ['a line feed', Buffer.from('\n')],
  ['zeros', Buffer.alloc(5_000)],
  ['another end marker', Buffer.from('ffd9', 'hex')],
  ['the blocks of a Samsung phone', samsungTrailer()],
  ['the film of a motion photo', motionTrailer()],
  ['the film and the blocks of a Samsung phone', joined(motionTrailer(), samsungTrailer())],
  ['a second picture without an index', plainJpeg],
  ['padding and a second picture', joined(Buffer.alloc(45), plainJpeg)],
  ['the block of AFCP', joined('AXS!', u32be(1), Buffer.alloc(8), 'AXS!', u32be(0), u32be(0))],
  ['the block of FotoStation', joined('IPTC', Buffer.alloc(20), u32be(1), u32be(30), Buffer.from('a1b2c3d4', 'hex'))],
  ['the block of PhotoMechanic', joined(Buffer.alloc(30), u32be(30), 'cbipcbbl')],
  ['an archive', buildZip([{ name: 'evil.txt', content: 'x' }])],
  ['a document', fixture('cairo.pdf')],
  ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
];
