// Builds AVIF files box by box. Strings are hexadecimal here.
import { hex, joined, type Part, u16be, u32be, u64be } from './media-files.ts';

export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? hex(part) : part)));
  return joined(u32be(8 + body.length), type, body);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, ...parts: Part[]): Buffer {
  return box(type, joined([version, 0, 0, 0], ...parts));
}

export function ftyp(major: string, ...compatible: string[]): Buffer {
  return box('ftyp', joined(major, u32be(0), ...compatible));
}

/** Where the data of `avif` begin: after a file type of 24 bytes and the head of the data box. */
export const dataAt = 32;
export const dataBytes = 16;

type Meta = Partial<Record<'hdlr' | 'pitm' | 'iinf' | 'iloc' | 'iprp' | 'more', Buffer>>;
type Shape = { ftyp?: Buffer; data?: Buffer; meta?: Meta; extra?: Buffer };

const nothing = Buffer.alloc(0);

/** A picture of 2 by 2. The data are before the meta box, so that their offset does not move. */
export function avif({
  ftyp: start = ftyp('avif', 'mif1', 'avif'),
  data,
  meta = {},
  extra = nothing,
}: Shape = {}): Buffer {
  const parts = {
    hdlr: handler('pict'),
    pitm: fullBox('pitm', 0, u16be(1)),
    iinf: items([1, 'av01']),
    iloc: locations({ items: [{ id: 1, extents: [[dataAt, dataBytes]] }] }),
    iprp: properties([size(2, 2), av1C], [1, 2]),
    more: nothing,
    ...meta,
  };
  const bytes = data ?? box('mdat', Buffer.alloc(dataBytes));
  return Buffer.concat([start, bytes, fullBox('meta', 0, ...Object.values(parts)), extra]);
}

export function handler(kind: string): Buffer {
  return fullBox('hdlr', 0, u32be(0), kind, Buffer.alloc(13));
}

export function items(...entries: [id: number, type: string][]): Buffer {
  return fullBox('iinf', 0, u16be(entries.length), ...entries.map(([id, type]) => item(id, type)));
}

export function item(id: number, type: string): Buffer {
  return fullBox('infe', 2, u16be(id), u16be(0), type, [0]);
}

export const av1C = box('av1C', '81000c00');

export function size(width: number, height: number): Buffer {
  return fullBox('ispe', 0, u32be(width), u32be(height));
}

/** The list of properties, and the numbers (from 1) of those that item 1 has. */
export function properties(list: Buffer[], own: number[]): Buffer {
  return box('iprp', box('ipco', ...list), associations([1, own]));
}

export function associations(...entries: [id: number, own: number[]][]): Buffer {
  return fullBox('ipma', 0, u32be(entries.length), ...entries.flatMap(([id, own]) => [u16be(id), [own.length], own]));
}

type Located = {
  id: number;
  method?: number;
  reference?: number;
  base?: number;
  extents: [offset: number, length: number][];
};
type Locations = {
  version?: number;
  offsetBytes?: 0 | 4 | 8;
  lengthBytes?: 0 | 4 | 8;
  baseBytes?: 0 | 4 | 8;
  indexBytes?: 0 | 4 | 8;
  items: Located[];
  count?: number;
};

export function locations({
  version = 0,
  offsetBytes = 4,
  lengthBytes = 4,
  baseBytes = 0,
  indexBytes = 0,
  items: list,
  count = list.length,
}: Locations): Buffer {
  const number = (bytes: 0 | 4 | 8, value: number) => (bytes === 8 ? u64be(value) : bytes === 4 ? u32be(value) : []);
  const idOf = version === 2 ? u32be : u16be;
  const rows = list.map(({ id, method = 0, reference = 0, base = 0, extents }) =>
    joined(
      idOf(id),
      version === 0 ? [] : u16be(method),
      u16be(reference),
      number(baseBytes, base),
      u16be(extents.length),
      ...extents.flatMap(([offset, length]) => [
        number(indexBytes, 7),
        number(offsetBytes, offset),
        number(lengthBytes, length),
      ]),
    ),
  );
  return fullBox(
    'iloc',
    version,
    [(offsetBytes << 4) | lengthBytes, (baseBytes << 4) | indexBytes],
    idOf(count),
    ...rows,
  );
}

/** A movie with a track of each size. */
export function movie(...sizes: [width: number, height: number][]): Buffer {
  const tracks = sizes.map(([width, height]) => box('trak', track(0, width, height)));
  return box('moov', box('mvhd', Buffer.alloc(100)), ...tracks);
}

export function track(version: 0 | 1, width: number, height: number): Buffer {
  return fullBox('tkhd', version, Buffer.alloc(version === 1 ? 84 : 72), u32be(width << 16), u32be(height << 16));
}
