// Walks the boxes of ISO base media files (AVIF, MP4) within strict bounds.
import type { FileBytes } from '../media-type.ts';

export type Box = {
  /** Four characters, latin1. */
  readonly type: string;
  readonly start: number;
  /** 8, or 16 with a 64-bit size. `uuid` adds 16. */
  readonly headerSize: number;
  readonly end: number;
};

const maxBoxes = 100_000;
const headBytes = 32;
const pieceBytes = 4_096;

/** The boxes that fill `from` to `to` without a gap. Undefined if they are too long, too short or too many. */
export function walkBoxes(file: FileBytes, from: number, to: number): Box[] | undefined {
  if (to > file.size) return undefined;
  const boxes: Box[] = [];
  let position = from;
  let piece: Buffer = Buffer.alloc(0);
  let pieceStart = from;
  while (position < to) {
    if (position + headBytes > pieceStart + piece.length) {
      // Enough for many small boxes at once, but not past `to`.
      piece = file.read(position, Math.min(pieceBytes, Math.max(headBytes, to - position)));
      pieceStart = position;
    }
    const box = parseBoxHeader(piece, position - pieceStart, position, to, file.size);
    if (box === undefined || boxes.length === maxBoxes) return undefined;
    boxes.push(box);
    position = box.end;
  }
  return boxes;
}

/** The first bytes of the content of a box: fewer than `length` if the box has fewer. */
export function readContent(file: FileBytes, { start, headerSize, end }: Box, length: number): Buffer {
  return file.read(start + headerSize, Math.min(length, end - start - headerSize));
}

/** The header is at offset `at` in `bytes`, and at `start` in the file. */
function parseBoxHeader(bytes: Buffer, at: number, start: number, to: number, fileSize: number): Box | undefined {
  const available = bytes.length - at;
  if (available < 8) return undefined;
  const size32 = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  const isLong = size32 === 1;
  const headerSize = (isLong ? 16 : 8) + (type === 'uuid' ? 16 : 0);
  if (available < headerSize) return undefined;
  // Only the last box of the file may omit its size (ISO 14496-12, 4.2).
  if (size32 === 0 && to !== fileSize) return undefined;
  const size = size32 === 0 ? to - start : isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size32;
  if (size < headerSize || size > to - start) return undefined;
  return { type, start, headerSize, end: start + size };
}
