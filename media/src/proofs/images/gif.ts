// Proves a GIF: every block and sub-block is valid, and the trailer is the last byte. Its size is that of the screen and all frames.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, type Proof, proved } from '../../proof.ts';

type Size = { width: number; height: number };
/** `label` is set for an extension, `reach` for a frame. `dataStart` is relative to the start of the block. */
type Block = {
  readonly kind: number;
  readonly label: number | undefined;
  readonly dataStart: number;
  readonly reach?: Size;
};
/** A chain of sub-blocks, read up to `position`. */
type Chain = { position: number; bytes: number; isEnded: boolean };

const trailer = 0x3b;
const extension = 0x21;
const graphicControl = 0xf9;
const frame = 0x2c;
const maxFrames = 20_000;
const maxBlocks = 100_000;
/** Enough for every part of a block that precedes its sub-blocks. */
const pieceBytes = 4096;
/** Extensions whose first sub-block has a fixed length: plain text, graphic control, application (GIF89a, 23–26). */
const extensionHeads = new Map([
  [0x01, 12],
  [graphicControl, 4],
  [0xff, 11],
]);

export function proveGif(file: FileBytes): Proof | undefined {
  if (!isGif(file)) return undefined;
  const screen = readGifSize(file);
  if (screen === undefined) return corrupt('image/gif', 'wrong logical screen');
  let position = 13 + colourTableBytes(file.read(10, 1).readUInt8(0));
  let frames = 0;
  let { width, height } = screen;
  for (let blocks = 0; blocks < maxBlocks && frames <= maxFrames; blocks++) {
    const bytes = file.read(position, pieceBytes);
    if (bytes[0] === trailer) return endAt(position + 1, frames, file, { width, height });
    const block = parseBlock(bytes);
    if (typeof block === 'string') return corrupt('image/gif', `${block} at ${position}`);
    const chain = { position: position + block.dataStart, bytes: 0, isEnded: false };
    follow(chain, bytes, position);
    followToEnd(chain, file);
    const reason = checkChain(block, chain);
    if (reason !== undefined) return corrupt('image/gif', `${reason} at ${position}`);
    if (block.kind === frame) frames += 1;
    // A decoder allocates memory for each frame, so a frame larger than the screen must not bypass the pixel limit.
    width = Math.max(width, block.reach?.width ?? 0);
    height = Math.max(height, block.reach?.height ?? 0);
    position = chain.position;
  }
  return corrupt('image/gif', 'too many frames or blocks');
}

/** Reads only the logical screen. */
function readGifSize(file: FileBytes): Size | undefined {
  const head = file.read(0, 13);
  if (head.length < 13) return undefined;
  const [width, height] = [head.readUInt16LE(6), head.readUInt16LE(8)];
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function isGif(file: FileBytes): boolean {
  return ['GIF87a', 'GIF89a'].includes(file.read(0, 6).toString('latin1'));
}

function endAt(end: number, frames: number, file: FileBytes, size: Size): Proof {
  if (end !== file.size) return corrupt('image/gif', `${file.size - end} bytes after the end`);
  return frames > 0 ? proved('image/gif', size) : corrupt('image/gif', 'no frame');
}

/** The size of a global or local colour table, from its flags byte. */
function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function parseBlock(bytes: Buffer): Block | string {
  const kind = bytes[0];
  if (kind === undefined) return 'truncated before a block';
  if (kind === frame) return parseFrame(bytes);
  return kind === extension ? parseExtension(bytes) : `unknown block ${kind.toString(16)}`;
}

function parseExtension(bytes: Buffer): Block | string {
  const [kind = 0, label = 0, headLength] = bytes;
  if (headLength === undefined) return 'extension is truncated';
  const expected = extensionHeads.get(label);
  const isLegal = expected === undefined || headLength === expected;
  return isLegal ? { kind, label, dataStart: 2 } : `extension ${label.toString(16)} with a wrong length`;
}

function parseFrame(bytes: Buffer): Block | string {
  if (bytes.length < 10) return 'frame is truncated';
  const [x, y] = [bytes.readUInt16LE(1), bytes.readUInt16LE(3)];
  const [width, height] = [bytes.readUInt16LE(5), bytes.readUInt16LE(7)];
  if (width === 0 || height === 0) return 'frame without width or height';
  const dataStart = 11 + colourTableBytes(bytes.readUInt8(9));
  const codeSize = bytes[dataStart - 1] ?? 0;
  // The standard allows 8. Codes have at most 12 bits, so decoders take 11.
  return codeSize >= 1 && codeSize <= 11
    ? { kind: frame, label: undefined, dataStart, reach: { width: x + width, height: y + height } }
    : 'frame with a wrong LZW code size';
}

function checkChain({ kind, label }: Block, { bytes, isEnded }: Chain): string | undefined {
  if (!isEnded) return 'sub-blocks without an end';
  if (kind === frame && bytes === 0) return 'frame without data';
  return label === graphicControl && bytes !== 4 ? 'wrong graphic control' : undefined;
}

/** Follows the chain through `bytes`, which begin at `start` in the file. */
function follow(chain: Chain, bytes: Buffer, start: number): void {
  let at = chain.position - start;
  for (let length = bytes[at]; length !== undefined && !chain.isEnded; length = bytes[at]) {
    chain.isEnded = length === 0;
    chain.bytes += length;
    at += 1 + length;
  }
  chain.position = start + at;
}

function followToEnd(chain: Chain, file: FileBytes): void {
  while (!chain.isEnded && chain.position < file.size) {
    const { position } = chain;
    follow(chain, file.read(position, pieceBytes), position);
  }
}
