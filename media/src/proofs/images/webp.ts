// Proves a WebP: a RIFF form as long as the file, and one picture or an animation, each of the size in its header.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, type Proof, proved } from '../../proof.ts';

export type RiffChunk = {
  readonly type: string;
  readonly start: number;
  readonly dataStart: number;
  readonly length: number;
  /** After the padding byte of an odd length. */
  readonly end: number;
};

type Size = { width: number; height: number };
type Canvas = Size & { readonly isAnimated: boolean };

/** ImageMagick 6 writes the name of XMP with a NUL at its end. */
const chunkName = /^(?:[ -~]{4}|XMP\0)$/;
const maxChunks = 25_000;
const maxFrames = 20_000;
const pictures = new Set(['VP8 ', 'VP8L']);
/** Image chunks are in this order. Metadata and unknown chunks may be anywhere after VP8X. */
const ranks = new Map<string | undefined, number>(
  Object.entries({ VP8X: 0, ICCP: 1, ANIM: 2, ANMF: 3, ALPH: 4, 'VP8 ': 5, VP8L: 5 }),
);

export function proveWebp(file: FileBytes): Proof | undefined {
  const head = readRiffHead(file);
  if (head === undefined) return undefined;
  if (head.size + 8 !== file.size) return corrupt('image/webp', 'the RIFF size is not the size of the file');
  const chunks = readRiffChunks(file, 12, file.size);
  if (typeof chunks === 'string') return corrupt('image/webp', chunks);
  const [first] = chunks;
  if (first === undefined) return corrupt('image/webp', 'no chunk');
  const canvas = first.type === 'VP8X' ? measureCanvas(file, first) : undefined;
  const size = canvas ?? measurePicture(file, first);
  if (typeof size === 'string') return corrupt('image/webp', size);
  const { width, height } = size;
  const reason = typeof canvas === 'object' ? checkExtended(file, chunks, canvas) : checkSimple(chunks);
  return reason === undefined ? proved('image/webp', { width, height }) : corrupt('image/webp', reason);
}

function readRiffHead(file: FileBytes): { size: number } | undefined {
  const head = file.read(0, 12);
  const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? { size: head.readUInt32LE(4) } : undefined;
}

/** The chunks that fill `from` to `to` without a gap. A string describes the defect. */
export function readRiffChunks(file: FileBytes, from: number, to: number): RiffChunk[] | string {
  const chunks: RiffChunk[] = [];
  let start = from;
  while (start < to) {
    const head = file.read(start, 8);
    const chunk = parseRiffChunk(head, start, to);
    if (typeof chunk === 'string') return chunk;
    if (chunks.length === maxChunks) return 'too many chunks';
    chunks.push(chunk);
    start = chunk.end;
  }
  return chunks;
}

function parseRiffChunk(head: Buffer, start: number, to: number): RiffChunk | string {
  if (start + 8 > to) return 'truncated before a chunk';
  const type = head.toString('latin1', 0, 4);
  const length = head.readUInt32LE(4);
  const end = start + 8 + length + (length % 2);
  if (!chunkName.test(type)) return `no chunk at ${start}`;
  return end <= to ? { type, start, dataStart: start + 8, length, end } : `chunk ${type} extends past its container`;
}

function measureCanvas(file: FileBytes, { dataStart, length }: RiffChunk): Canvas | string {
  if (length !== 10) return 'wrong VP8X';
  const data = file.read(dataStart, 10);
  const [width, height] = [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1];
  if (width * height > 0xffffffff) return 'canvas of more than 2^32 pixels';
  return { width, height, isAnimated: (data.readUInt8(0) & 2) !== 0 };
}

/** The size in the bitstream: VP8 (RFC 6386, 9.1) or VP8L (RFC 9649, 3.4). */
function measurePicture(file: FileBytes, { type, dataStart, length }: RiffChunk): Size | string {
  const head = file.read(dataStart, Math.min(length, 10));
  if (type === 'VP8L') {
    if (head.length < 6 || head[0] !== 0x2f) return 'wrong VP8L header';
    const bits = head.readUInt32LE(1);
    return bits >>> 29 === 0
      ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
      : 'unknown VP8L version';
  }
  if (type !== 'VP8 ') return `begins with ${type}`;
  if (head.length < 10 || head.toString('hex', 3, 6) !== '9d012a') return 'wrong VP8 header';
  const tag = head.readUIntLE(0, 3);
  const isShownKeyFrame = (tag & 1) === 0 && ((tag >> 1) & 7) <= 3 && (tag & 16) !== 0;
  if (!isShownKeyFrame || 10 + (tag >> 5) > length) return 'wrong VP8 frame tag';
  const [width, height] = [head.readUInt16LE(6) & 0x3fff, head.readUInt16LE(8) & 0x3fff];
  return width > 0 && height > 0 ? { width, height } : 'no width or height';
}

function checkSimple(chunks: RiffChunk[]): string | undefined {
  return chunks.length === 1 ? undefined : 'chunks after a simple picture';
}

function checkExtended(file: FileBytes, chunks: RiffChunk[], canvas: Canvas): string | undefined {
  const known = chunks.filter(({ type }) => ranks.has(type));
  const isOrdered = known.every(({ type }, at) => rankOf(known[at - 1]?.type) <= rankOf(type));
  if (!isOrdered) return 'chunks out of order';
  for (const type of ['VP8X', 'ICCP', 'ANIM']) {
    if (known.filter((chunk) => chunk.type === type).length > 1) return `two ${type}`;
  }
  const content = known.filter(({ type }) => type !== 'VP8X' && type !== 'ICCP');
  return canvas.isAnimated ? checkAnimation(file, content, canvas) : checkPicture(file, content, canvas);
}

function rankOf(type: string | undefined): number {
  return ranks.get(type) ?? 0;
}

function checkAnimation(file: FileBytes, content: RiffChunk[], canvas: Canvas): string | undefined {
  const [animation, ...frames] = content;
  if (animation?.type !== 'ANIM' || animation.length !== 6) return 'animation without ANIM';
  if (frames.length === 0 || frames.length > maxFrames) return `${frames.length} frames`;
  for (const frame of frames) {
    if (frame.type !== 'ANMF') return `${frame.type} in an animation`;
    const reason = checkFrame(file, frame, canvas);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function checkFrame(file: FileBytes, frame: RiffChunk, canvas: Canvas): string | undefined {
  if (frame.length < 16) return 'wrong ANMF';
  const head = file.read(frame.dataStart, 12);
  const [x, y] = [head.readUIntLE(0, 3) * 2, head.readUIntLE(3, 3) * 2];
  const size = { width: head.readUIntLE(6, 3) + 1, height: head.readUIntLE(9, 3) + 1 };
  if (x + size.width > canvas.width || y + size.height > canvas.height) return 'frame outside the canvas';
  const parts = readRiffChunks(file, frame.dataStart + 16, frame.dataStart + frame.length);
  if (typeof parts === 'string') return parts;
  const known = parts.filter(({ type }) => ranks.has(type));
  return checkPicture(file, known, size);
}

/** VP8L, or VP8 with an optional ALPH before it. The picture must have the announced size. */
function checkPicture(file: FileBytes, content: RiffChunk[], announced: Size): string | undefined {
  const picture = content.at(-1);
  if (picture === undefined || !pictures.has(picture.type)) return 'no picture';
  const others = content.slice(0, -1);
  const hasAlpha = others.length === 1 && others.every(({ type }) => type === 'ALPH') && picture.type === 'VP8 ';
  if (others.length > 0 && !hasAlpha) return 'more than one picture';
  const size = measurePicture(file, picture);
  if (typeof size === 'string') return size;
  const isAnnouncedSize = size.width === announced.width && size.height === announced.height;
  return isAnnouncedSize ? undefined : 'the picture does not have the announced size';
}
