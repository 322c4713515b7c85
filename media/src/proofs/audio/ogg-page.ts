// Reads one page of an Ogg file and checks its checksum (RFC 3533, section 6).
import type { FileBytes } from '../../media-type.ts';

export type OggPage = {
  readonly length: number;
  readonly serial: number;
  readonly sequence: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Begins with the rest of a packet from the previous page. */
  readonly isContinued: boolean;
  /** Ends inside a packet. */
  readonly hasOpenPacket: boolean;
  readonly payload: Buffer;
};

const headerBytes = 27;
const maxSegments = 255;
const checksumAt = 22;
const checksums = checksumTable();

/** A string describes the defect. */
export function readOggPage(file: FileBytes, position: number): OggPage | string {
  const header = file.read(position, headerBytes + maxSegments);
  if (header.toString('latin1', 0, 5) !== 'OggS\0') return 'unknown data between pages';
  const payloadStart = headerBytes + (header[headerBytes - 1] ?? 0);
  if (header.length < payloadStart) return 'a page is truncated';
  let length = payloadStart;
  for (let at = headerBytes; at < payloadStart; at++) length += header.readUInt8(at);
  const page = file.read(position, length);
  if (page.length < length) return 'a page is truncated';
  const flags = header.readUInt8(5);
  if (flags > 7 || checksumOf(page) !== page.readUInt32LE(checksumAt)) return 'a page with a wrong checksum';
  return {
    length,
    serial: header.readUInt32LE(14),
    sequence: header.readUInt32LE(18),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    isContinued: (flags & 1) !== 0,
    // The last lacing value. Without any, this is their number, which is zero.
    hasOpenPacket: header[payloadStart - 1] === 255,
    payload: page.subarray(payloadStart),
  };
}

/** CRC-32 with polynomial 04c11db7, most significant bit first, over the page with its checksum field set to zero. */
function checksumOf(page: Buffer): number {
  let sum = 0;
  for (let at = 0; at < page.length; at++) {
    const byte = at >= checksumAt && at < checksumAt + 4 ? 0 : page.readUInt8(at);
    sum = (sum << 8) ^ (checksums[(sum >>> 24) ^ byte] ?? 0);
  }
  return sum >>> 0;
}

function checksumTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let sum = index << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x80000000 ? 0x04c11db7 : 0);
    return sum;
  });
}
