// Walks the boxes of ISO base media files (AVIF, MP4) within strict bounds.
import type { ByteReader } from '../media-type.ts';
import { readAhead } from './read-ahead.ts';

export type Box = {
  /** Four characters, latin1. */
  readonly type: string;
  readonly start: number;
  /** 8, or 16 with a 64-bit size; 16 more for `uuid`. */
  readonly headerSize: number;
  readonly end: number;
};

const maxBoxes = 100_000;
const boxPieceBytes = 16_384;

/** The boxes that fill `from` to `to` without a gap; undefined when they overrun, fall short, or are absurdly many. */
export async function walkBoxes(file: ByteReader, from: number, to: number): Promise<Box[] | undefined> {
  if (to > file.size) return undefined;
  const reader = readAhead(file, boxPieceBytes);
  const boxes: Box[] = [];
  let position = from;
  while (position < to) {
    const head = reader.peek(position, 32) ?? (await reader.read(position, 32));
    const box = parseBoxHeader(head, position, to, file.size);
    if (box === undefined || boxes.length === maxBoxes) return undefined;
    boxes.push(box);
    position = box.end;
  }
  return boxes;
}

function parseBoxHeader(bytes: Buffer, start: number, to: number, fileSize: number): Box | undefined {
  if (bytes.length < 8) return undefined;
  const size32 = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  const isLong = size32 === 1;
  const headerSize = (isLong ? 16 : 8) + (type === 'uuid' ? 16 : 0);
  if (bytes.length < headerSize) return undefined;
  // Only the last box of the file may leave its size open (ISO 14496-12, 4.2).
  if (size32 === 0 && to !== fileSize) return undefined;
  const size = size32 === 0 ? to - start : isLong ? Number(bytes.readBigUInt64BE(8)) : size32;
  if (size < headerSize || size > to - start) return undefined;
  return { type, start, headerSize, end: start + size };
}
