// Reads the orientation from untrusted Exif data, and writes the smallest Exif that keeps it.

const orientationTag = 0x0112;
const short = 3;
const long = 4;
const entryBytes = 12;
/** A count and an entry. */
const smallestDirectory = 14;
/** A header and a directory. */
const smallestTiff = 22;

/** 1 to 8. Returns 1 (upright) if the TIFF structure has no orientation or is broken. */
export function readOrientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < smallestTiff || (order !== 'II' && order !== 'MM')) return 1;
  const isLittle = order === 'II';
  const uint16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const uint32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = uint32(4);
  if (uint16(2) !== 42 || directory + smallestDirectory > tiff.length) return 1;
  // Reads only the first directory, once. It follows no further pointers, so it cannot loop.
  for (let index = 0; index < uint16(directory); index++) {
    const entry = directory + 2 + entryBytes * index;
    if (entry + entryBytes > tiff.length) return 1;
    if (uint16(entry) !== orientationTag) continue;
    const type = uint16(entry + 2);
    const value = type === short ? uint16(entry + 8) : type === long ? uint32(entry + 8) : 1;
    return value >= 2 && value <= 8 ? value : 1;
  }
  return 1;
}

/** A TIFF structure with one directory that has one entry. */
export function writeOrientation(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
