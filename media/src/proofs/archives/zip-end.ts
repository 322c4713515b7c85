// Finds the end of a ZIP archive and its central directory, including the 64-bit records of large archives.
import type { FileBytes } from '../../media-type.ts';
import { isObjection, type Objection } from '../../proof.ts';

type ZipEnd = { directoryStart: number; directorySize: number; entryCount: number };

type End = ZipEnd & { position: number };

const endSignature = Buffer.from('PK\x05\x06');
const entrySignature = Buffer.from('PK\x01\x02');
const endBytes = 22;
const locatorSignature = 0x07064b50;
const locatorBytes = 20;
const end64Signature = 0x06064b50;
const maxCommentBytes = 0xffff;
/** Unpackers read whole buffers, and so find an end that is farther from the end of the file than a comment can be long. */
const searchedBytes = endBytes + maxCommentBytes + 8_192;
const split: Objection = { rule: 'zip-form' };

/** The returned directory reaches up to the end records. */
export function readZipEnd(file: FileBytes): ZipEnd | Objection {
  const start = Math.max(0, file.size - endBytes - maxCommentBytes);
  const tail = file.read(start, endBytes + maxCommentBytes);
  const at = tail.lastIndexOf(endSignature);
  if (at < 0 || tail.length - at < endBytes) return 'no end of the central directory';
  if (tail.readUInt16LE(at + 20) !== tail.length - at - endBytes) return 'bytes after the archive';
  if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== tail.readUInt16LE(at + 10)) return split;
  const end: End = {
    position: start + at,
    entryCount: tail.readUInt16LE(at + 10),
    directorySize: tail.readUInt32LE(at + 12),
    directoryStart: tail.readUInt32LE(at + 16),
  };
  const wide = readWideEnd(file, end);
  if (isObjection(wide)) return wide;
  const isJoined = wide.directoryStart + wide.directorySize === wide.position;
  return isJoined ? wide : 'the central directory does not reach the end records';
}

function readWideEnd(file: FileBytes, end: End): End | Objection {
  const position = end.position - locatorBytes;
  const locator = position < 0 ? Buffer.alloc(0) : file.read(position, locatorBytes);
  if (locator.length < locatorBytes || locator.readUInt32LE(0) !== locatorSignature) return end;
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1) return split;
  const recordAt = Number(locator.readBigUInt64LE(8));
  const record = recordAt > position ? Buffer.alloc(0) : file.read(recordAt, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== end64Signature) return 'no 64-bit end record';
  if (recordAt + 12 + Number(record.readBigUInt64LE(4)) !== position) return '64-bit end record with a wrong length';
  const wide: End = {
    position: recordAt,
    entryCount: Number(record.readBigUInt64LE(32)),
    directorySize: Number(record.readBigUInt64LE(40)),
    directoryStart: Number(record.readBigUInt64LE(48)),
  };
  const agrees =
    record.readBigUInt64LE(16) === 0n &&
    Number(record.readBigUInt64LE(24)) === wide.entryCount &&
    (end.entryCount === 0xffff || end.entryCount === wide.entryCount) &&
    (end.directorySize === 0xffffffff || end.directorySize === wide.directorySize) &&
    (end.directoryStart === 0xffffffff || end.directoryStart === wide.directoryStart);
  return agrees ? wide : 'the two end records contradict each other';
}

/** Whether an unpacker would find an archive at the end of a file of another type. */
export function endsLikeZip(file: FileBytes, mustReachEnd: boolean): boolean {
  const start = Math.max(0, file.size - searchedBytes);
  const tail = file.read(start, searchedBytes);
  let at = tail.lastIndexOf(endSignature);
  for (let tries = 0; at >= 0 && tries < 100; tries++) {
    const left = tail.length - at - endBytes;
    const isEnd = left >= 0 && (!mustReachEnd || tail.readUInt16LE(at + 20) === left);
    if (isEnd && isDirectory(file, start + at - tail.readUInt32LE(at + 12))) return true;
    at = tail.subarray(0, at + 3).lastIndexOf(endSignature);
  }
  return false;
}

function isDirectory(file: FileBytes, position: number): boolean {
  return position >= 0 && file.read(position, 4).equals(entrySignature);
}
