// Builds HEIC files as an iPhone writes them: a grid of tiles, a thumbnail, Exif and XMP, with the tables before the data.
import { associations, box, ftyp, fullBox, handler, items, locations, size } from './avif-builder.ts';
import { hex, joined, type Part, u16be, u32be } from './media-files.ts';

export const hvcC = box('hvcC', '01016000000090000000000000f000fcfdf8f800000f00');

/** From an item to others. */
export function reference(type: string, from: number, ...to: number[]): Buffer {
  return box(type, joined(u16be(from), u16be(to.length), ...to.map(u16be)));
}

export const references = (...list: Buffer[]) => fullBox('iref', 0, ...list);

/** Exif in an item begins with the distance to its TIFF header. */
const exifItem = joined(
  u32be(6),
  'Exif\0\0',
  hex('4d4d002a00000008 0001'),
  hex('010f000200000004'),
  'ABC\0',
  u32be(0),
  'SecretMaker',
);
const xmpItem = joined('<x:xmpmeta>SecretXmp</x:xmpmeta>');

type Phone = {
  readonly columns?: number;
  readonly rows?: number;
  /** The coded bytes of one tile, their configuration, and their width and height. */
  readonly tile?: { readonly data: Buffer; readonly configuration: Buffer; readonly side: number };
  /** More boxes inside `meta`, and after the data. */
  readonly more?: Buffer;
  readonly extra?: Buffer;
  readonly brands?: readonly [string, ...string[]];
  /** Properties after those of the tiles, the grid and the thumbnail, which the grid gets too. */
  readonly properties?: readonly Buffer[];
  /** Bytes in the data that no item uses. */
  readonly gap?: Part;
};

const plainTile = { data: Buffer.alloc(10, 'tile'), configuration: hvcC, side: 512 };

/** Tiles are items 1 to n, then the grid, the thumbnail, Exif and XMP. */
export function phonePicture({
  columns = 8,
  rows = 6,
  tile = plainTile,
  more = Buffer.alloc(0),
  extra = Buffer.alloc(0),
  brands = ['heic', 'mif1', 'MiHB', 'heic'],
  properties = [],
  gap = '',
}: Phone = {}): Buffer {
  const count = columns * rows;
  const [grid, thumbnail, exif, xmp] = [count + 1, count + 2, count + 3, count + 4];
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const [width, height] = [columns * tile.side, rows * tile.side];
  const data = [...ids.map(() => tile.data), tile.data, exifItem, xmpItem];
  const located = [...ids, thumbnail, exif, xmp];
  const extraIndexes = properties.map((_, index) => 6 + index);
  const meta = (dataAt: number) => {
    let at = dataAt;
    const entries = located.map((id, index) => {
      const length = data[index]?.length ?? 0;
      at += length;
      return { id, extents: [[at - length, length]] as [number, number][] };
    });
    return fullBox(
      'meta',
      0,
      handler('pict'),
      box('dinf', box('dref', hex('00000000 00000001'), box('url ', hex('00000001')))),
      fullBox('pitm', 0, u16be(grid)),
      items(
        ...ids.map((id): [number, string] => [id, 'hvc1']),
        [grid, 'grid'],
        [thumbnail, 'hvc1'],
        [exif, 'Exif'],
        [xmp, 'mime'],
      ),
      references(
        reference('dimg', grid, ...ids),
        reference('thmb', thumbnail, grid),
        reference('cdsc', exif, grid),
        reference('cdsc', xmp, grid),
      ),
      box(
        'iprp',
        box(
          'ipco',
          tile.configuration,
          size(tile.side, tile.side),
          size(width, height),
          box('irot', '03'),
          box('colr', Buffer.from('nclx\0\x0c\0\x0d\0\x06\x80', 'latin1')),
          ...properties,
        ),
        associations(
          ...ids.map((id): [number, number[]] => [id, [0x81, 2]]),
          [grid, [3, 0x84, 5, ...extraIndexes]],
          [thumbnail, [0x81, 2]],
          [exif, [2]],
        ),
      ),
      box('idat', joined([0, 0, rows - 1, columns - 1], u16be(width), u16be(height))),
      locations({ version: 1, items: [...entries, { id: grid, method: 1, extents: [[0, 8]] }] }),
      more,
    );
  };
  const start = ftyp(...brands);
  const dataAt = start.length + meta(0).length + 8;
  return joined(start, meta(dataAt), box('mdat', joined(...data, gap)), extra);
}
