// Builds archives, Ogg pages, boxes, EBML elements and MP3 frames by hand, correct or false, for the hostile corpus.
import { crc32, deflateRawSync } from 'node:zlib';
import { joined, type Part, u16le, u32be, u32le } from './media-files.ts';

type ZipPart = {
  name: string;
  content?: string | Buffer;
  flags?: number;
  method?: number;
  attributes?: number;
  extra?: Buffer;
  /** What the directory claims instead of the true values. */
  unpackedSize?: number;
  offset?: number;
  localName?: string;
  localSize?: number;
  descriptor?: Buffer;
};

type ZipShape = { comment?: string; beforeDirectory?: Buffer; count?: number; prefix?: Buffer };

export function buildZip(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer {
  const locals: Buffer[] = [shape.prefix ?? Buffer.alloc(0)];
  const centrals: Buffer[] = [];
  let offset = locals[0]?.length ?? 0;
  for (const part of parts) {
    const content = Buffer.from(part.content ?? '');
    const packed = part.method === 8 ? deflateRawSync(content) : content;
    const local = localPart(part, content, packed);
    centrals.push(centralPart(part, content, packed, part.offset ?? offset));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const before = shape.beforeDirectory ?? Buffer.alloc(0);
  const count = u16le(shape.count ?? parts.length);
  const comment = shape.comment ?? '';
  const tail = [u32le(directory.length), u32le(offset + before.length), u16le(comment.length), comment];
  return joined(...locals, before, directory, 'PK\x05\x06', u32le(0), count, count, ...tail);
}

function localPart(part: ZipPart, content: Buffer, packed: Buffer): Buffer {
  const name = Buffer.from(part.localName ?? part.name);
  const sizes = [u32le(crc32(content)), u32le(packed.length), u32le(part.localSize ?? content.length)];
  const head = [u16le(20), u16le(part.flags ?? 0), u16le(part.method ?? 0), u32le(0), ...sizes];
  return joined('PK\x03\x04', ...head, u16le(name.length), u16le(0), name, packed, part.descriptor ?? '');
}

function centralPart(part: ZipPart, content: Buffer, packed: Buffer, offset: number): Buffer {
  const name = Buffer.from(part.name);
  const extra = part.extra ?? Buffer.alloc(0);
  const sizes = [u32le(crc32(content)), u32le(packed.length), u32le(part.unpackedSize ?? content.length)];
  const head = [u16le(0x0314), u16le(20), u16le(part.flags ?? 0), u16le(part.method ?? 0), u32le(0), ...sizes];
  const tail = [u16le(0), u16le(0), u16le(0), u32le(part.attributes ?? 0), u32le(offset)];
  return joined('PK\x01\x02', ...head, u16le(name.length), u16le(extra.length), ...tail, name, extra);
}

export const wordMain = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
export const sheetMain = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

export function contentTypes(...overrides: [part: string, type: string][]): string {
  const tags = overrides.map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`);
  return `<?xml version="1.0"?><Types>${tags.join('')}</Types>`;
}

type PageShape = {
  flags: number;
  serial?: number;
  sequence: number;
  payload: Buffer | string;
  lacing?: number[];
  mark?: string;
};

export function oggPage({ flags, serial = 7, sequence, payload, lacing, mark = 'OggS' }: PageShape): Buffer {
  const content = joined(payload);
  const segments = lacing ?? [...Array(Math.floor(content.length / 255)).fill(255), content.length % 255];
  const head = joined(mark, [0, flags], Buffer.alloc(8), u32le(serial), u32le(sequence), u32le(0));
  const page = joined(head, [segments.length], segments, content);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

/** Bit by bit, unlike the table under test. */
function oggChecksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x80000000 ? 0x04c11db7 : 0);
  }
  return sum >>> 0;
}

export const opusHead = joined('OpusHead', [1, 1, 0, 0], u32le(48_000), [0, 0, 0]);

export function box(type: string, ...content: Part[]): Buffer {
  const bytes = joined(...content);
  return joined(u32be(bytes.length + 8), type, bytes);
}

/** An EBML element with a length of four bytes, or an open one. */
export function element(id: number, content: Part, length?: number | 'open'): Buffer {
  const bytes = joined(content);
  const width = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  const size = length === 'open' ? [0xff] : u32be(0x10000000 + (length ?? bytes.length));
  return joined(u32be(id).subarray(4 - width), size, bytes);
}

/** One layer III frame of 128 kbit/s at 44.1 kHz, or of another second and third header byte. */
export function mp3Frame(second = 0xfb, third = 0x90, length = 417): Buffer {
  return joined([0xff, second, third, 0x00], Buffer.alloc(length - 4));
}

export function riff(...chunks: Buffer[]): Buffer {
  const body = joined('WAVE', ...chunks);
  return joined('RIFF', u32le(body.length), body);
}

export function chunk(id: string, content: Buffer, length = content.length): Buffer {
  return joined(id, u32le(length), content, content.length % 2 === 1 ? [0] : []);
}

type Format = { coding?: number; channels?: number; rate?: number; byteRate?: number; block?: number; bits?: number };

export function format({ coding = 1, channels = 1, rate = 8_000, byteRate = 8_000, block = 1, bits = 8 }: Format = {}) {
  const bytes = [u16le(coding), u16le(channels), u32le(rate), u32le(byteRate), u16le(block), u16le(bits)];
  return chunk('fmt ', joined(...bytes));
}
