// Makes a changed file consistent again: checksums, sizes and offsets. So a change reaches the checks behind theirs.
import { crc32 } from 'node:zlib';

/** The checksum of every chunk whose length fits the file. */
export function repairPng(input: Buffer): Buffer {
  const bytes = Buffer.from(input);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return bytes;
}

/** The size of the form. */
export function repairRiff(input: Buffer): Buffer {
  const bytes = Buffer.from(input);
  if (bytes.length >= 8) bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

/** The checksum of every page. */
export function repairOgg(input: Buffer): Buffer {
  const bytes = Buffer.from(input);
  for (let at = 0; at + 27 <= bytes.length && bytes.toString('latin1', at, at + 4) === 'OggS'; ) {
    const segments = bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0));
    const end = Math.min(
      bytes.length,
      segments.reduce((sum, length) => sum + length, at + 27 + segments.length),
    );
    bytes.writeUInt32LE(0, at + 22);
    bytes.writeUInt32LE(oggChecksum(bytes.subarray(at, end)), at + 22);
    at = end;
  }
  return bytes;
}

const oggTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x80000000 ? 0x04c11db7 : 0);
  return sum;
});

function oggChecksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) sum = (sum << 8) ^ (oggTable[((sum >>> 24) ^ byte) & 255] ?? 0);
  return sum >>> 0;
}

const zipHeader = 'PK\x03\x04';
const zipEntry = 'PK\x01\x02';
const zipEnd = 'PK\x05\x06';

/** Writes the archive anew from its directory: local headers repeat it, and offsets and counts are right. */
export function repairZip(input: Buffer): Buffer {
  const end = input.lastIndexOf(zipEnd);
  const start = input.indexOf(zipEntry);
  if (end < 0 || start < 0 || end < start || end + 22 > input.length) return input;
  const [locals, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  let from = input.indexOf(zipHeader);
  for (const entry of splitAt(input.subarray(start, end), zipEntry)) {
    const next = input.indexOf(zipHeader, from + 4);
    const local =
      from < 0 || entry.length < 46 ? undefined : repeatEntry(input.subarray(from, next < 0 ? start : next), entry);
    const copy = Buffer.from(entry);
    if (local !== undefined) copy.writeUInt32LE(offset, 42);
    entries.push(copy);
    locals.push(local ?? Buffer.alloc(0));
    offset += local?.length ?? 0;
    from = next;
  }
  const directory = Buffer.concat(entries);
  const tail = Buffer.from(input.subarray(end));
  for (const at of [8, 10]) tail.writeUInt16LE(entries.length & 0xffff, at);
  tail.writeUInt32LE(directory.length, 12);
  tail.writeUInt32LE(offset, 16);
  tail.writeUInt16LE(Math.min(tail.length - 22, 0xffff), 20);
  return Buffer.concat([...locals, directory, tail]);
}

/** A local header with the flags, method, checksum, sizes and name of its entry, and its own data. */
function repeatEntry(local: Buffer, entry: Buffer): Buffer {
  if (local.length < 30) return local;
  const head = Buffer.from(local.subarray(0, 30));
  const dataStart = 30 + local.readUInt16LE(26);
  entry.copy(head, 6, 8, 12);
  entry.copy(head, 14, 16, 28);
  const name = entry.subarray(46, 46 + entry.readUInt16LE(28));
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name, local.subarray(dataStart)]);
}

function splitAt(bytes: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at >= 0 && at < bytes.length; ) {
    const next = bytes.indexOf(mark, at + 4);
    parts.push(bytes.subarray(at, next < 0 ? bytes.length : next));
    at = next;
  }
  return parts;
}

/** Where the file says that its last cross-reference section is. */
export function repairPdf(input: Buffer): Buffer {
  const text = input.toString('latin1');
  const section = Math.max(text.lastIndexOf('\nxref'), text.lastIndexOf('\rxref')) + 1;
  const mark = /startxref\s+\d+/g;
  const last = [...text.matchAll(mark)].at(-1);
  if (section === 0 || last === undefined) return input;
  const repaired = `${text.slice(0, last.index)}startxref\n${section}${text.slice(last.index + last[0].length)}`;
  return Buffer.from(repaired, 'latin1');
}
