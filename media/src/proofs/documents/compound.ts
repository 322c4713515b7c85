// Names the rule for office documents with a password: a compound file (MS-CFB) that holds the encrypted document as a stream.
import type { FileBytes } from '../../media-type.ts';
import { excluded, type Proof } from '../../proof.ts';

const mark = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const headerBytes = 512;
const entryBytes = 128;
/** A document with a password has about a dozen entries, of which four fit into a sector. */
const maxSectors = 32;
const maxSectorBits = 12;
/** Places in the header: the size of a sector, the first sector of the directory, and the sectors of the allocation table. */
const sectorBitsAt = 30;
const directoryAt = 48;
const tableAt = 76;
const encrypted = Buffer.from('EncryptedPackage\0', 'utf16le');

/** Undefined for every other compound file, such as a document of Word 97. */
export function proveCompound(file: FileBytes): Proof | undefined {
  const header = file.read(0, headerBytes);
  if (header.length < headerBytes || !header.subarray(0, mark.length).equals(mark)) return undefined;
  const sectorBits = header.readUInt16LE(sectorBitsAt);
  if (sectorBits < 9 || sectorBits > maxSectorBits) return undefined;
  const sectorBytes = 2 ** sectorBits;
  const read = (sector: number): Buffer => file.read((sector + 1) * sectorBytes, sectorBytes);
  let sector: number | undefined = header.readUInt32LE(directoryAt);
  for (let count = 0; sector !== undefined && count < maxSectors; count++) {
    if (hasEncryptedEntry(read(sector))) return excluded(undefined, 'encrypted-document');
    sector = nextSector(header, read, sector, sectorBytes);
  }
  return undefined;
}

function hasEncryptedEntry(directory: Buffer): boolean {
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    if (directory.subarray(at, at + encrypted.length).equals(encrypted)) return true;
  }
  return false;
}

/** Undefined at the end of the chain, and if the allocation table is too large for its places in the header. */
function nextSector(
  header: Buffer,
  read: (sector: number) => Buffer,
  sector: number,
  sectorBytes: number,
): number | undefined {
  const at = sector * 4;
  const place = tableAt + Math.floor(at / sectorBytes) * 4;
  if (place + 4 > header.length) return undefined;
  const table = read(header.readUInt32LE(place));
  return table.length < sectorBytes ? undefined : table.readUInt32LE(at % sectorBytes);
}
