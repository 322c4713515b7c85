// Proves a PNG or APNG: chunks with correct CRCs in a legal order, from IHDR to an IEND that ends the file, and pixels that unpack.
import { crc32 } from 'node:zlib';
import type { FileBytes } from '../../media-type.ts';
import { corrupt, type Proof, proved } from '../../proof.ts';
import { type PngHeader, pixelsDefect } from './png-pixels.ts';

export type PngChunk = {
  readonly type: string;
  readonly start: number;
  readonly dataStart: number;
  readonly length: number;
  /** After the CRC. */
  readonly end: number;
};

type Image = {
  readonly header: PngHeader;
  readonly seen: Set<string>;
  lastType: string | undefined;
  paletteEntries: number;
  /** The first two bytes of the zlib stream, which may be in different IDAT chunks. */
  readonly streamStart: number[];
  frames: number;
  announcedFrames: number;
  sequence: number;
};

const signature = '89504e470d0a1a0a';
const maxChunks = 20_000;
const crcPieceBytes = 65_536;
const legalDepths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const single = new Set(
  'IHDR PLTE IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs tIME eXIf acTL'.split(' '),
);
const beforePalette = new Set('gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT'.split(' '));
const afterPalette = new Set('tRNS bKGD hIST'.split(' '));
const beforeImage = new Set(['PLTE', 'pHYs', 'sPLT', 'acTL', ...beforePalette, ...afterPalette]);
const critical = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

export function provePng(file: FileBytes): Proof | undefined {
  if (file.read(0, 8).toString('hex') !== signature) return undefined;
  const header = readHeader(file);
  if (header === undefined) return corrupt('image/png', 'wrong IHDR');
  const chunks = readPngChunks(file);
  if (typeof chunks === 'string') return corrupt('image/png', chunks);
  const image = newImage(header);
  for (const chunk of chunks) {
    const reason = checkOrder(image, chunk) ?? checkLength(image, chunk) ?? checkData(file, image, chunk);
    if (reason !== undefined) return corrupt('image/png', reason);
    image.seen.add(chunk.type);
    image.lastType = chunk.type;
  }
  const reason =
    findMissing(image) ??
    pixelsDefect(
      file,
      chunks.filter(({ type }) => type === 'IDAT'),
      header,
    );
  return reason === undefined
    ? proved('image/png', { width: header.width, height: header.height })
    : corrupt('image/png', reason);
}

function readHeader(file: FileBytes): PngHeader | undefined {
  const bytes = file.read(0, 29);
  if (bytes.length < 29 || bytes.toString('hex', 0, 16) !== `${signature}0000000d49484452`) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = bytes.subarray(24);
  const isLegal = legalDepths[colour]?.includes(depth) === true && compression === 0 && filter === 0 && interlace <= 1;
  if (!isLegal || width === 0 || height === 0 || Math.max(width, height) > 0x7fffffff) return undefined;
  return { width, height, depth, colour, isInterlaced: interlace === 1 };
}

function newImage(header: PngHeader): Image {
  const streamStart: number[] = [];
  const counts = { paletteEntries: 0, frames: 0, announcedFrames: 0, sequence: 0 };
  return { header, seen: new Set(), lastType: undefined, streamStart, ...counts };
}

/** Every chunk, with a checked CRC, up to the IEND that ends the file. A string describes the defect. */
export function readPngChunks(file: FileBytes): PngChunk[] | string {
  const chunks: PngChunk[] = [];
  let start = 8;
  for (;;) {
    const head = file.read(start, 8);
    if (head.length < 8) return 'truncated before a chunk';
    if (chunks.length === maxChunks) return 'too many chunks';
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    // The third letter carries the reserved bit. It is a capital in every known version (PNG 5.4).
    if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type)) return `no chunk at ${start}`;
    const end = start + 12 + length;
    if (end > file.size) return `chunk ${type} extends past the end of the file`;
    if (!isCrcValid(file, start, end)) return `chunk ${type} at ${start} has a wrong CRC`;
    chunks.push({ type, start, dataStart: start + 8, length, end });
    start = end;
    if (type === 'IEND') return end === file.size ? chunks : `${file.size - end} bytes after the end`;
  }
}

function isCrcValid(file: FileBytes, start: number, end: number): boolean {
  let crc = 0;
  for (let position = start + 4; position < end - 4; position += crcPieceBytes) {
    crc = crc32(file.read(position, Math.min(crcPieceBytes, end - 4 - position)), crc);
  }
  return file.read(end - 4, 4).readUInt32BE(0) === crc;
}

function checkOrder({ seen, lastType }: Image, { type }: PngChunk): string | undefined {
  const isFirst = seen.size === 0;
  const isKnown = critical.has(type) || /^[a-z]/.test(type);
  if (!isKnown) return `unknown critical chunk ${type}`;
  if (isFirst !== (type === 'IHDR')) return `${type} out of order`;
  if (single.has(type) && seen.has(type)) return `two ${type}`;
  if (seen.has('IDAT') && beforeImage.has(type)) return `${type} after the image data`;
  if (seen.has('PLTE') && beforePalette.has(type)) return `${type} after the palette`;
  if (type === 'PLTE' && [...afterPalette].some((later) => seen.has(later))) return 'late palette';
  if (type === 'IDAT' && seen.has('IDAT') && lastType !== 'IDAT') return 'image data in two places';
  return undefined;
}

function checkLength(image: Image, { type, length }: PngChunk): string | undefined {
  if (type === 'PLTE') return checkPalette(image, length);
  if (type === 'tRNS') return checkTransparency(image, length);
  return type === 'IEND' && length > 0 ? 'IEND is not empty' : undefined;
}

function checkData(file: FileBytes, image: Image, chunk: PngChunk): string | undefined {
  const { type, dataStart, length } = chunk;
  if (type === 'IDAT' && image.streamStart.length < 2) {
    image.streamStart.push(...file.read(dataStart, Math.min(length, 2)));
    return undefined;
  }
  const isAnimation = type === 'acTL' || type === 'fcTL' || type === 'fdAT';
  return isAnimation ? checkAnimation(image, chunk, file.read(dataStart, 26)) : undefined;
}

function checkPalette(image: Image, length: number): string | undefined {
  const { colour, depth } = image.header;
  image.paletteEntries = length / 3;
  const maxEntries = colour === 3 ? 2 ** depth : 256;
  if (colour === 0 || colour === 4) return 'palette in a grey image';
  const isLegal = Number.isInteger(image.paletteEntries) && length > 0 && image.paletteEntries <= maxEntries;
  return isLegal ? undefined : 'palette with a wrong length';
}

function checkTransparency({ header, paletteEntries }: Image, length: number): string | undefined {
  if (header.colour === 3) return length > 0 && length <= paletteEntries ? undefined : 'tRNS with a wrong length';
  const expected = header.colour === 0 ? 2 : header.colour === 2 ? 6 : undefined;
  return length === expected ? undefined : 'tRNS with a wrong length';
}

/** APNG: frames are inside the canvas and numbered without a gap. acTL says how many there are. */
function checkAnimation(image: Image, { type, length }: PngChunk, data: Buffer): string | undefined {
  if (type === 'acTL') {
    if (length !== 8) return 'wrong acTL';
    image.announcedFrames = data.readUInt32BE(0);
    return image.announcedFrames > 0 ? undefined : 'animation without frames';
  }
  if (!image.seen.has('acTL')) return `${type} without acTL`;
  if (type === 'fcTL' ? length !== 26 : length < 5) return `wrong ${type}`;
  if (data.readUInt32BE(0) !== image.sequence) return 'frames out of sequence';
  image.sequence += 1;
  if (type === 'fdAT') return image.frames > 0 && image.seen.has('IDAT') ? undefined : 'fdAT without a frame';
  image.frames += 1;
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as [number, number, number, number];
  const isInside = width > 0 && height > 0 && x + width <= image.header.width && y + height <= image.header.height;
  return isInside ? undefined : 'frame outside the canvas';
}

function findMissing({ header, seen, streamStart, frames, announcedFrames }: Image): string | undefined {
  // A stream of one byte fails the checksum.
  const [method = 0, flags = 0] = streamStart;
  if (!seen.has('IDAT')) return 'no image data';
  if (header.colour === 3 && !seen.has('PLTE')) return 'no palette';
  // RFC 1950, 2.2: deflate, a window of at most 32 KiB, no preset dictionary, and a valid header checksum.
  const isZlib = (method & 15) === 8 && method >> 4 <= 7 && (flags & 32) === 0 && (method * 256 + flags) % 31 === 0;
  if (!isZlib) return 'image data is not a zlib stream';
  return frames === announcedFrames ? undefined : 'the frame count differs from acTL';
}
