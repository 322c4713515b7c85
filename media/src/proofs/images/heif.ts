// Proves a picture in ISO boxes, for AVIF and HEIC: boxes fill the file, the primary picture has a size, every item has its bytes.
import type { FileBytes } from '../../media-type.ts';
import { type Box, walkBoxes } from '../iso-boxes.ts';
import { type Heif, readHeif, readItemSize, type Size } from './heif-items.ts';
import { readLocations } from './heif-locations.ts';

export type Brands = { readonly major: string; readonly all: ReadonlySet<string> };

const maxTopLevelBoxes = 100;

/** Undefined if the file does not begin with its brands. */
export function readBrands(file: FileBytes): Brands | undefined {
  const head = file.read(0, 4096);
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const major = head.toString('latin1', 8, 12);
  const all = new Set([major]);
  const end = Math.min(head.readUInt32BE(0), head.length);
  for (let at = 16; at + 4 <= end; at += 4) all.add(head.toString('latin1', at, at + 4));
  return { major, all };
}

/** The boxes at the top level. Those of other types than the picture needs are not stored. A string describes the defect. */
export function readTopLevel(file: FileBytes): Box[] | string {
  const boxes = walkBoxes(file, 0, file.size);
  const [first] = boxes ?? [];
  if (boxes === undefined) return 'the boxes do not fill the file';
  if (first === undefined || first.end < 16 || first.end % 4 !== 0) return 'wrong ftyp';
  if (boxes.length > maxTopLevelBoxes) return 'too many boxes';
  for (const type of ['ftyp', 'meta', 'moov']) {
    if (boxes.filter((box) => box.type === type).length > 1) return `two ${type}`;
  }
  return boxes;
}

type Still = { readonly heif: Heif; readonly size: Size };

/** `coded` lists the types of coded pictures, of which one must be in the file. A string describes the defect. */
export function readStill(file: FileBytes, boxes: readonly Box[], coded: readonly string[]): Still | string {
  const read = readHeif(file, boxes, coded);
  if (typeof read === 'string') return read;
  const size = readItemSize(file, read);
  if (typeof size === 'string') return size;
  const locations = readLocations(file, read.parts, boxes);
  if (typeof locations === 'string') return locations;
  const own = locations.find(({ id }) => id === read.primary);
  // An `iden` shows another picture, and has no data of its own.
  const hasData = own !== undefined && own.extents.length > 0;
  if (!hasData && read.items.get(read.primary)?.type !== 'iden') return 'the primary item has no data';
  return { heif: { ...read, locations }, size };
}
