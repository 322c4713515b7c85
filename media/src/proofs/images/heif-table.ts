// Reads the tables of a picture in ISO boxes (AVIF, HEIC): full boxes of limited size, field by field, within bounds.
import type { FileBytes } from '../../media-type.ts';
import type { Box } from '../iso-boxes.ts';

export const maxTableBytes = 262_144;

export type Table = ReturnType<typeof openTable>;

export function findOnly(boxes: readonly Box[], type: string): Box | undefined {
  const found = boxes.filter((box) => box.type === type);
  return found.length === 1 ? found[0] : undefined;
}

/** A full box (version, flags, fields). Undefined unless there is exactly one. */
export function readTable(file: FileBytes, boxes: readonly Box[], type: string): Table | undefined {
  const box = findOnly(boxes, type);
  if (box === undefined || box.end - box.start > maxTableBytes) return undefined;
  const from = box.start + box.headerSize;
  return openTable(file.read(from, box.end - from), from);
}

/** A read past the end returns zero and sets `isOverrun`. `start` is the place of the body in the file. */
export function openTable(body: Buffer, start = 0) {
  let at = 4;
  let isOverrun = false;
  function uint(bytes: number): number {
    at += bytes;
    isOverrun ||= at > body.length;
    if (isOverrun || bytes === 0) return 0;
    return bytes === 8 ? Number(body.readBigUInt64BE(at - 8)) : body.readUIntBE(at - bytes, bytes);
  }
  const skip = (bytes: number) => {
    at += bytes;
  };
  const text = (from: number, length: number) => body.toString('latin1', from, from + length);
  return {
    version: body[0] ?? 0,
    flags: body[3] ?? 0,
    uint,
    skip,
    text,
    /** The place in the file that is read next. */
    position: () => start + at,
    isOverrun: () => isOverrun,
    length: body.length,
  };
}
