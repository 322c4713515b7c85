// Checks that ZIP entries fill the file up to the central directory, and that local headers agree with the directory.
import type { FileBytes } from '../../media-type.ts';
import { isObjection, type Objection } from '../../proof.ts';
import type { ZipDirectory, ZipEntry } from './zip-directory.ts';
import { extraField, isSafeName } from './zip-names.ts';

export type PlacedEntry = ZipEntry & { readonly dataStart: number };

const headerSignature = 0x04034b50;
const headerBytes = 30;
const descriptorSignature = 0x08074b50;
const descriptorFlag = 0x0008;
// Encryption, data descriptor, UTF-8 name.
const agreedFlags = 0x0809;

/** Returns the entries in file order. */
export function placeEntries(file: FileBytes, directory: ZipDirectory): PlacedEntry[] | Objection {
  const entries = directory.entries.toSorted((a, b) => a.offset - b.offset);
  const placed: PlacedEntry[] = [];
  let position = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.offset !== position) return 'a gap or an overlap between entries';
    const next = entries[index + 1]?.offset ?? directory.start;
    const found = findData(file, entry);
    if (isObjection(found)) return found;
    const { dataStart } = found;
    const dataEnd = dataStart + entry.packedSize;
    const defect = (entry.flags & descriptorFlag) === 0 ? undefined : descriptorDefect(file, entry, dataEnd, next);
    if (defect !== undefined) return defect;
    if ((entry.flags & descriptorFlag) === 0 && dataEnd !== next) return 'a gap or an overlap between entries';
    placed.push({ ...entry, dataStart });
    position = next;
  }
  return position === directory.start ? placed : 'bytes between the entries and the central directory';
}

function findData(file: FileBytes, entry: ZipEntry): { readonly dataStart: number } | Objection {
  const header = file.read(entry.offset, headerBytes);
  if (header.length < headerBytes || header.readUInt32LE(0) !== headerSignature) return 'no local header';
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  const rest = file.read(entry.offset + headerBytes, nameLength + extraLength);
  const extra = rest.subarray(nameLength);
  const agrees =
    rest.toString('latin1', 0, nameLength) === entry.name &&
    header.readUInt16LE(8) === entry.method &&
    ((header.readUInt16LE(6) ^ entry.flags) & agreedFlags) === 0 &&
    isSizeAgreed(header, extra, entry);
  if (!agrees) return 'a local header contradicts the central directory';
  // Unpackers that do not read the directory take the second name from here.
  if (!isSafeName(rest.subarray(0, nameLength), extra, entry.flags)) return { rule: 'zip-names' };
  return { dataStart: entry.offset + headerBytes + nameLength + extraLength };
}

function isSizeAgreed(header: Buffer, extra: Buffer, entry: ZipEntry): boolean {
  const isLater = (entry.flags & descriptorFlag) !== 0;
  const wide = extraField(extra, 1) ?? Buffer.alloc(0);
  const actual = (narrow: number, at: number): number => {
    if (narrow !== 0xffffffff) return narrow;
    // A local header has both sizes in 64 bits, or none (APPNOTE 4.5.3). Old packers mean by all ones that the sizes follow the data.
    if (wide.length < 16) return isLater ? 0 : Number.NaN;
    return Number(wide.readBigUInt64LE(at));
  };
  const fits = (found: number, wanted: number): boolean => found === wanted || (isLater && found === 0);
  return (
    fits(header.readUInt32LE(14), entry.checksum) &&
    fits(actual(header.readUInt32LE(22), 0), entry.unpackedSize) &&
    fits(actual(header.readUInt32LE(18), 8), entry.packedSize)
  );
}

/** A descriptor may have a signature and 64-bit sizes. Its length shows which. */
function descriptorDefect(file: FileBytes, entry: ZipEntry, position: number, next: number): string | undefined {
  const length = next - position;
  if (![12, 16, 20, 24].includes(length)) return 'a gap or an overlap between entries';
  const bytes = file.read(position, length);
  const isSigned = length === 16 || length === 24;
  if (isSigned && bytes.readUInt32LE(0) !== descriptorSignature) return 'no data descriptor';
  const values = bytes.subarray(isSigned ? 4 : 0);
  const isWide = length >= 20;
  const packed = isWide ? Number(values.readBigUInt64LE(4)) : values.readUInt32LE(4);
  const unpacked = isWide ? Number(values.readBigUInt64LE(12)) : values.readUInt32LE(8);
  const agrees =
    values.readUInt32LE(0) === entry.checksum && packed === entry.packedSize && unpacked === entry.unpackedSize;
  return agrees ? undefined : 'a data descriptor contradicts the central directory';
}
