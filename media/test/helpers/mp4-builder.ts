// Builds MP4 files box by box: sample tables, tracks, movies and fragments.
import { box } from './media-builders.ts';
import { joined, type Part, u16be, u32be, u64be } from './media-files.ts';

/** A box with a version and flags. */
export function fullBox(type: string, flags: number, ...content: Part[]): Buffer {
  return box(type, u32be(flags), ...content);
}

/** Where the data of `mp4` begin, and how many there are. */
export const dataAt = 32;
export const dataBytes = 64;

export function fileType(major = 'isom', ...compatible: string[]): Buffer {
  return box('ftyp', major, u32be(0), ...(compatible.length === 0 ? ['mp42', 'isom'] : compatible));
}

/** The data are before the movie, so that their offset does not move. */
export function mp4(movie: Buffer, ...more: Buffer[]): Buffer {
  return joined(fileType(), box('mdat', Buffer.alloc(dataBytes)), movie, ...more);
}

export function movie(...tracks: Buffer[]): Buffer {
  return box('moov', box('mvhd', Buffer.alloc(100)), ...tracks);
}

type Track = {
  id?: number;
  handler?: string;
  header?: Buffer;
  references?: Buffer;
  table?: Buffer;
  /** Replaces or removes boxes by their name. */
  swap?: Record<string, Buffer>;
};

export function track({
  id = 1,
  handler = 'vide',
  header = trackHeader(id),
  references = here,
  table = sampleTable({ handler }),
  swap = {},
}: Track = {}): Buffer {
  const put = (name: string, bytes: Buffer) => swap[name] ?? bytes;
  const information = box(
    'minf',
    put('dinf', box('dinf', put('dref', box('dref', u32be(0), u32be(1), references)))),
    put('stbl', table),
  );
  const media = box(
    'mdia',
    put('mdhd', box('mdhd', Buffer.alloc(24))),
    put('hdlr', handlerBox(handler)),
    put('minf', information),
  );
  return box('trak', put('tkhd', header), put('mdia', media));
}

export function trackHeader(id: number, version: 0 | 1 = 0): Buffer {
  return fullBox('tkhd', version << 24, Buffer.alloc(version === 1 ? 16 : 8), u32be(id), Buffer.alloc(68));
}

export function handlerBox(kind: string): Buffer {
  return fullBox('hdlr', 0, u32be(0), kind, Buffer.alloc(13));
}

/** Samples in this file. */
export const here = fullBox('url ', 1);

type Table = {
  handler?: string;
  sizes?: number[];
  chunks?: number[];
  width?: number;
  height?: number;
  swap?: Record<string, Buffer>;
};

export function sampleTable({
  handler = 'vide',
  sizes = [16, 16],
  chunks = [dataAt],
  width = 64,
  height = 48,
  swap = {},
}: Table = {}): Buffer {
  const boxes: [string, Buffer][] = [
    ['stsd', descriptions(handler === 'vide' ? picture(width, height) : box('mp4a', Buffer.alloc(28)))],
    ['stts', rows('stts', [sizes.length, 1])],
    ['stsc', rows('stsc', [1, sizes.length, 1])],
    ['stsz', sampleSizes(sizes)],
    ['stco', chunkOffsets(chunks)],
  ];
  return box('stbl', ...boxes.map(([name, bytes]) => swap[name] ?? bytes), swap.more ?? '');
}

export function descriptions(...entries: Buffer[]): Buffer {
  return fullBox('stsd', 0, u32be(entries.length), ...entries);
}

export function picture(width: number, height: number): Buffer {
  return box('avc1', Buffer.alloc(24), u16be(width), u16be(height), Buffer.alloc(50));
}

/** A table of rows of 32-bit numbers. */
export function rows(type: string, ...list: number[][]): Buffer {
  return fullBox(type, 0, u32be(list.length), ...list.flat().map(u32be));
}

export function sampleSizes(sizes: number[], { each = 0, count = sizes.length } = {}): Buffer {
  return fullBox('stsz', 0, u32be(each), u32be(count), ...sizes.map(u32be));
}

export function compactSizes(bits: number, count: number, bytes: number): Buffer {
  return fullBox('stz2', 0, [0, 0, 0, bits], u32be(count), Buffer.alloc(bytes));
}

function chunkOffsets(offsets: number[]): Buffer {
  return fullBox('stco', 0, u32be(offsets.length), ...offsets.map(u32be));
}

export function wideChunkOffsets(offsets: number[]): Buffer {
  return fullBox('co64', 0, u32be(offsets.length), ...offsets.map(u64be));
}

/** A movie that announces fragments, with a track that has no samples of its own. */
export function fragmentedMovie(...tracks: Buffer[]): Buffer {
  const empty = track({ table: sampleTable({ sizes: [], chunks: [] }) });
  return box('moov', box('mvhd', Buffer.alloc(100)), ...(tracks.length === 0 ? [empty] : tracks), box('mvex'));
}

export function fragment(...parts: Buffer[]): Buffer {
  return box('moof', fullBox('mfhd', 0, u32be(1)), ...parts);
}

export function trackFragment(id: number, ...runs: Buffer[]): Buffer {
  return box('traf', fullBox('tfhd', 0, u32be(id)), ...runs);
}

export function run(flags: number, count: number, content: Part = ''): Buffer {
  return fullBox('trun', flags, u32be(count), content);
}
