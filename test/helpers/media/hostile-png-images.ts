// PNG files with false values: wrong checksums, chunks out of order, impossible headers, floods of chunks.
import { crc32, deflateSync } from 'node:zlib';
import { type Case, overwrite, times } from './image-surgery.ts';

type Chunk = readonly [type: string, data?: Buffer | string];

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const pixels: Chunk = ['IDAT', deflateSync(Buffer.alloc(8))];
const end: Chunk = ['IEND'];
const text: Chunk = ['tEXt', Buffer.from('a\0b')];

export function chunk(type: string, data: Buffer | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), typeof data === 'string' ? Buffer.from(data, 'hex') : data]);
  const whole = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  whole.writeUInt32BE(body.length - 4, 0);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}

export function png(...chunks: Chunk[]): Buffer {
  return Buffer.concat([signature, ...chunks.map(([type, data]) => chunk(type, data))]);
}

/** 1 by 1 or the given size, then depth and colour type, compression, filter, interlace. */
function header(rest: string, size = '0000000100000001'): Chunk {
  return ['IHDR', `${size}${rest}`];
}

const grey = header('0800000000');
const indexed = header('0803000000');

export function hostilePngImages(truecolour: Buffer, palette: Buffer): Case[] {
  return [
    ...cuts(truecolour),
    ...cuts(palette),
    ...checksums(truecolour),
    ...headers(),
    ...order(),
    ...palettes(),
    ...animations(),
    ...floods(),
  ];
}

function startsOf(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let start = 8; start < bytes.length; start += 12 + bytes.readUInt32BE(start)) starts.push(start);
  return starts;
}

function cuts(bytes: Buffer): Case[] {
  const ends = startsOf(bytes).flatMap((start) => [start, start + 4, start + 8, start + 11]);
  return [...ends, bytes.length - 1].map((at) => [`cut at ${at}`, bytes.subarray(0, at)]);
}

function checksums(bytes: Buffer): Case[] {
  return startsOf(bytes).map((start) => {
    const at = start + 8 + bytes.readUInt32BE(start);
    const flipped = Buffer.from([bytes.readUInt8(at) ^ 1]).toString('hex');
    return [`checksum at ${at} wrong by a bit`, overwrite(bytes, at, flipped)];
  });
}

function headers(): Case[] {
  const of = (rest: string, size?: string) => png(header(rest, size), pixels, end);
  return [
    ['depth 3', of('0300000000')],
    ['colour type 5', of('0805000000')],
    ['truecolour of 4 bits', of('0402000000')],
    ['unknown compression', of('0800010000')],
    ['unknown filter', of('0800000100')],
    ['interlace 2', of('0800000002')],
    ['no width', of('0800000000', '0000000000000001')],
    ['no height', of('0800000000', '0000000100000000')],
    ['negative width', of('0800000000', '8000000000000001')],
    ['header too long', png(['IHDR', '0000000100000001080000000000'], pixels, end)],
    ['2^31 - 1 by 2^31 - 1', of('0800000000', '7fffffff7fffffff'), { width: 2 ** 31 - 1, height: 2 ** 31 - 1 }],
    ['65535 by 65535', of('0800000000', '0000ffff0000ffff'), { width: 65535, height: 65535 }],
    ['chunk of 4 GiB', overwrite(png(grey, pixels, end), 33, 'ffffffff')],
  ];
}

function order(): Case[] {
  return [
    ['header not first', png(text, grey, pixels, end)],
    ["a phone maker's own chunk first", png(['CgBI', '50002002'], grey, pixels, end)],
    ['two headers', png(grey, grey, pixels, end)],
    ['two headers that contradict', png(grey, header('0800000000', '0000ffff0000ffff'), pixels, end)],
    ['no image data', png(grey, end)],
    ['image data without a stream', png(grey, ['IDAT'], end)],
    ['image data that is not a zlib stream', png(grey, ['IDAT', '504b030414000000'], end)],
    ['image data with a preset dictionary', png(grey, ['IDAT', '78f9000000000000'], end)],
    ['image data in two places', png(grey, pixels, text, pixels, end)],
    ['no end', png(grey, pixels)],
    ['end that is not empty', png(grey, pixels, ['IEND', '00'])],
    ['two ends', png(grey, pixels, end, end)],
    ['unknown critical chunk', png(grey, ['EVIL', '00'], pixels, end)],
    ['chunk with the reserved bit', png(grey, ['abcd', '00'], pixels, end)],
    ['chunk without a name', png(grey, ['\0\0\0\0', '00'], pixels, end)],
  ];
}

function palettes(): Case[] {
  const colours: Chunk = ['PLTE', '000000'];
  return [
    ['no palette', png(indexed, pixels, end)],
    ['empty palette', png(indexed, ['PLTE'], pixels, end)],
    ['palette of 257 colours', png(indexed, ['PLTE', Buffer.alloc(771)], pixels, end)],
    ['palette of 4 bytes', png(indexed, ['PLTE', '00000000'], pixels, end)],
    ['palette larger than the depth', png(header('0103000000'), ['PLTE', Buffer.alloc(9)], pixels, end)],
    ['palette of a grey image', png(grey, colours, pixels, end)],
    ['palette after the image', png(header('0802000000'), pixels, colours, end)],
    ['two palettes', png(indexed, colours, colours, pixels, end)],
    ['transparency before the palette', png(indexed, ['tRNS', '00'], colours, pixels, end)],
    ['transparency of more than the palette', png(indexed, colours, ['tRNS', '0000'], pixels, end)],
    ['transparency beside alpha', png(header('0806000000'), ['tRNS', '0000'], pixels, end)],
    ['gamma after the palette', png(indexed, colours, ['gAMA', '0000b18f'], pixels, end)],
    ['profile after the image', png(grey, pixels, ['iCCP', '6100'], end)],
    ['two Exif', png(grey, ['eXIf', '4d4d'], ['eXIf', '4d4d'], pixels, end)],
  ];
}

function animations(): Case[] {
  const promise = (frames: string): Chunk => ['acTL', `${frames}00000000`];
  const frame = (sequence: string, size = '0000000100000001'): Chunk => [
    'fcTL',
    `${sequence}${size}0000000000000000000a03e80000`,
  ];
  const more = (sequence: string): Chunk => ['fdAT', `${sequence}7801`];
  return [
    ['frame without an animation', png(grey, frame('00000000'), pixels, end)],
    ['animation of no frames', png(grey, promise('00000000'), pixels, end)],
    ['animation of 4 billion frames', png(grey, promise('ffffffff'), frame('00000000'), pixels, end)],
    ['frames out of sequence', png(grey, promise('00000001'), frame('00000007'), pixels, end)],
    [
      'frame larger than the canvas',
      png(grey, promise('00000001'), frame('00000000', '0000ffff0000ffff'), pixels, end),
    ],
    ['frame data without a frame', png(grey, promise('00000001'), pixels, more('00000000'), end)],
    ['frame cut short', png(grey, promise('00000001'), ['fcTL', '00000000'], pixels, end)],
    ['animation after the image', png(grey, pixels, promise('00000001'), frame('00000000'), end)],
  ];
}

function floods(): Case[] {
  const flood = (bytes: Buffer) => Buffer.concat([signature, chunk(...grey), bytes, chunk(...pixels), chunk(...end)]);
  return [
    ['200,000 empty chunks', flood(times(200_000, chunk('teXt')))],
    ['200,000 empty image chunks', flood(times(200_000, chunk('IDAT')))],
    ['200,000 frames', flood(times(200_000, chunk('fcTL', Buffer.alloc(26))))],
    ['8 MiB in a chunk with a wrong checksum', flood(overwrite(chunk('prVt', Buffer.alloc(2 ** 23)), 9, '01'))],
  ];
}
