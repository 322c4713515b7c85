// Reads the central directory of a ZIP archive and refuses entries that are dangerous to unpack.
import type { FileBytes } from '../../media-type.ts';
import { isObjection, type Objection } from '../../proof.ts';
import { readZipEnd } from './zip-end.ts';
import { extraField, extraFieldsDefect, isLink, isSafeName, secondName } from './zip-names.ts';

export type ZipEntry = {
  /** The raw bytes, decoded as latin1. */
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly unpackedSize: number;
  readonly offset: number;
};

/** `start` is the position of the directory, where the entries end. */
export type ZipDirectory = { readonly start: number; readonly entries: readonly ZipEntry[] };

const entrySignature = 0x02014b50;
const entryBytes = 46;
const maxEntries = 10_000;
const maxDirectoryBytes = 16 * 1024 * 1024;
const maxUnpackedBytes = 2 * 1024 ** 3;
const maxRatio = 1_000;
const smallBytes = 10 * 1024 * 1024;
// Stored, deflate, deflate64, bzip2, LZMA, Zstandard, XZ, PPMd, AES.
const methods = new Set([0, 8, 9, 12, 14, 93, 95, 98, 99]);

export function readZipDirectory(file: FileBytes): ZipDirectory | Objection {
  const end = readZipEnd(file);
  if (isObjection(end)) return end;
  if (end.entryCount > maxEntries) return { rule: 'zip-entries' };
  if (end.directorySize > maxDirectoryBytes) return { rule: 'zip-form' };
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let position = end.directoryStart;
  while (entries.length < end.entryCount) {
    const read = readEntry(file, position);
    if (isObjection(read)) return read;
    // One of the two would overwrite the other. Of a slash and a backslash, an unpacker may make the same.
    const own = new Set(read.names.map((name) => name.replaceAll('\\', '/')));
    if (!names.isDisjointFrom(own)) return { rule: 'zip-names' };
    for (const name of own) names.add(name);
    entries.push(read.entry);
    position += read.length;
  }
  if (position !== end.directoryStart + end.directorySize) return 'central directory with a wrong length';
  return isBomb(entries) ? { rule: 'zip-size' } : { start: end.directoryStart, entries };
}

type ReadEntry = { readonly entry: ZipEntry; readonly names: readonly string[]; readonly length: number };

function readEntry(file: FileBytes, position: number): ReadEntry | Objection {
  const fixed = file.read(position, entryBytes);
  if (fixed.length < entryBytes || fixed.readUInt32LE(0) !== entrySignature) return 'broken central directory';
  const nameLength = fixed.readUInt16LE(28);
  const extraLength = fixed.readUInt16LE(30);
  const length = entryBytes + nameLength + extraLength + fixed.readUInt16LE(32);
  const rest = file.read(position + entryBytes, nameLength + extraLength);
  if (rest.length < nameLength + extraLength) return 'broken central directory';
  const name = rest.subarray(0, nameLength);
  const extra = rest.subarray(nameLength);
  const defect = extraFieldsDefect(extra);
  if (defect !== undefined) return defect;
  if (!isSafeName(name, extra, fixed.readUInt16LE(8))) return { rule: 'zip-names' };
  if (isLink(fixed.readUInt32LE(38))) return { rule: 'zip-links' };
  if (fixed.readUInt16LE(34) !== 0) return { rule: 'zip-form' };
  const entry = withWideSizes(fixed, name, extra);
  const names = [name, secondName(extra) ?? name].map((bytes) => bytes.toString('latin1'));
  return typeof entry === 'string' ? entry : (objectionTo(entry) ?? { entry, names, length });
}

/** Extra field 1 has only the values that do not fit 32 bits, in this order (APPNOTE 4.5.3). */
function withWideSizes(fixed: Buffer, name: Buffer, extra: Buffer): ZipEntry | string {
  const wide = extraField(extra, 1) ?? Buffer.alloc(0);
  let at = 0;
  let isShort = false;
  const take = (narrow: number): number => {
    if (narrow !== 0xffffffff) return narrow;
    isShort ||= wide.length < at + 8;
    at += 8;
    return isShort ? 0 : Number(wide.readBigUInt64LE(at - 8));
  };
  const unpackedSize = take(fixed.readUInt32LE(24));
  const packedSize = take(fixed.readUInt32LE(20));
  const offset = take(fixed.readUInt32LE(42));
  if (isShort) return 'a 64-bit size is missing';
  return {
    name: name.toString('latin1'),
    flags: fixed.readUInt16LE(8),
    method: fixed.readUInt16LE(10),
    checksum: fixed.readUInt32LE(16),
    packedSize,
    unpackedSize,
    offset,
  };
}

function objectionTo({ name, flags, method, packedSize, unpackedSize }: ZipEntry): Objection | undefined {
  const isEncrypted = (flags & 1) !== 0;
  // The flag is for a central directory that is itself encrypted.
  if (!methods.has(method) || (flags & 0x2000) !== 0) return { rule: 'zip-form' };
  if (method === 0 && !isEncrypted && packedSize !== unpackedSize) return 'a stored entry with two sizes';
  if (name.endsWith('/') && unpackedSize > 0) return 'a folder with content';
  return undefined;
}

function isBomb(entries: readonly ZipEntry[]): boolean {
  let packed = 0;
  let unpacked = 0;
  for (const entry of entries) {
    packed += entry.packedSize;
    unpacked += entry.unpackedSize;
  }
  return unpacked > maxUnpackedBytes || (unpacked > smallBytes && unpacked > packed * maxRatio);
}
