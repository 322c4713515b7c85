// WebP files with false sizes: of the file, of a chunk, of the canvas, of a frame.
import { type Case, find, overwrite, times } from './image-surgery.ts';
import type { ValidImage } from './valid-images.ts';

type Chunk = readonly [type: string, data: Buffer];

export function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

export function webp(...chunks: Chunk[]): Buffer {
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks.map((chunk) => riffChunk(...chunk))]));
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

function extended(flags: number, width: number, height: number): Chunk {
  return ['VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), uint24(width - 1), uint24(height - 1)])];
}

function lossless(width: number, height: number): Chunk {
  const data = Buffer.alloc(8, 0x2f);
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return ['VP8L', data];
}

function frame(x: number, y: number, width: number, height: number, ...parts: Chunk[]): Chunk {
  const numbers = [x / 2, y / 2, width - 1, height - 1, 100].map(uint24);
  return ['ANMF', Buffer.concat([...numbers, Buffer.alloc(1), ...parts.map((part) => riffChunk(...part))])];
}

const small = lossless(2, 2);
const canvas = extended(0, 2, 2);
const movingCanvas = extended(2, 2, 2);
const animation: Chunk = ['ANIM', Buffer.alloc(6)];
const exif: Chunk = ['EXIF', Buffer.from('MM\0*')];

export function hostileWebpImages(valid: ValidImage[]): Case[] {
  const lossy = find(valid, 'image/webp', 'lossy');
  const animated = find(valid, 'image/webp', 'animated');
  return [...cuts(lossy), ...cuts(animated), ...lies(lossy), ...structures(), ...animations(), ...floods()];
}

function cuts(bytes: Buffer): Case[] {
  const ends: number[] = [4, 8];
  for (let start = 12; start < bytes.length; start += 8 + bytes.readUInt32LE(start + 4))
    ends.push(start, start + 4, start + 8);
  const plain = ends.map((at): Case => [`cut at ${at}`, bytes.subarray(0, at)]);
  // The same with a corrected RIFF size. An animation that ends with a frame is only shorter.
  const isWhole = (at: number) => bytes.toString('latin1', at, at + 4) === 'ANMF' && bytes.indexOf('ANMF') < at;
  const honest = ends
    .filter((at) => at >= 12 && !isWhole(at))
    .map((at): Case => [`cut at ${at}, size set right`, sized(bytes.subarray(0, at))]);
  return [...plain, ...honest];
}

function sized(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(bytes.length - 8, 4);
  return copy;
}

function lies(lossy: Buffer): Case[] {
  const html = Buffer.from('<script>alert(1)</script>;');
  return [
    ['RIFF size two too small', overwrite(lossy, 4, sizeHex(lossy.length - 10))],
    ['RIFF size two too large', overwrite(lossy, 4, sizeHex(lossy.length - 6))],
    ['RIFF size 0', overwrite(lossy, 4, '00000000')],
    ['RIFF size 4 GiB', overwrite(lossy, 4, 'ffffffff')],
    ['HTML behind the picture, counted in', sized(Buffer.concat([lossy, html]))],
    ['chunk longer than the file', overwrite(lossy, 16, 'ffffffff')],
    ['chunk of length 0', overwrite(lossy, 16, '00000000')],
    ['no VP8 start code', overwrite(lossy, 23, '000000')],
    ['VP8 frame that needs another', overwrite(lossy, 20, '01')],
    ['VP8 partition that overruns', overwrite(lossy, 20, 'f0ffff')],
    ['VP8 without width', overwrite(lossy, 26, '0000')],
    ['VP8 without height', overwrite(lossy, 28, '0000')],
  ];
}

function sizeHex(size: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes.toString('hex');
}

function structures(): Case[] {
  return [
    ['no chunk', webp()],
    ['metadata first', webp(exif, small)],
    ['metadata behind a simple picture', webp(small, exif)],
    ['two simple pictures', webp(small, small)],
    ['two pictures', webp(canvas, small, small)],
    ['no picture', webp(canvas, exif)],
    ['canvas behind the picture', webp(small, canvas)],
    ['two canvases', webp(canvas, canvas, small)],
    ['canvas header too short', webp(['VP8X', Buffer.alloc(9)], small)],
    ['small canvas, large picture', webp(canvas, lossless(16384, 16384))],
    ['canvas of more than 2^32 pixels', webp(extended(0, 2 ** 24, 2 ** 24), small)],
    ['profile behind the picture', webp(canvas, small, ['ICCP', Buffer.alloc(4)])],
    ['alpha before a picture that has its own', webp(canvas, ['ALPH', Buffer.alloc(4)], small)],
    ['wrong VP8L signature', webp(['VP8L', Buffer.alloc(8)])],
    ['unknown VP8L version', webp(['VP8L', Buffer.from('2f000000e0000000', 'hex')])],
    ['chunk without a name', webp(canvas, small, ['\0\0\0\0', Buffer.alloc(4)])],
    ['16384 by 16384', webp(lossless(16384, 16384)), { width: 16384, height: 16384 }],
  ];
}

function animations(): Case[] {
  return [
    ['animation without ANIM', webp(movingCanvas, frame(0, 0, 2, 2, small))],
    ['animation without frames', webp(movingCanvas, animation)],
    ['animation that is not announced', webp(canvas, animation, frame(0, 0, 2, 2, small))],
    ['still picture announced as animation', webp(movingCanvas, small)],
    ['still picture in an animation', webp(movingCanvas, animation, frame(0, 0, 2, 2, small), small)],
    ['frame outside the canvas', webp(movingCanvas, animation, frame(2, 0, 2, 2, small))],
    ['frame larger than it says', webp(movingCanvas, animation, frame(0, 0, 2, 2, lossless(9999, 9999)))],
    ['frame without a picture', webp(movingCanvas, animation, frame(0, 0, 2, 2))],
    ['frame in a frame', webp(movingCanvas, animation, frame(0, 0, 2, 2, frame(0, 0, 2, 2, small)))],
    ['frame header cut short', webp(movingCanvas, animation, ['ANMF', Buffer.alloc(8)])],
    ['frame whose part overruns', webp(movingCanvas, animation, ['ANMF', overlong()])],
  ];
}

function overlong(): Buffer {
  const [, data] = frame(0, 0, 2, 2, small);
  return overwrite(data, 20, 'ffff0000');
}

function floods(): Case[] {
  const moving = [riffChunk(...movingCanvas), riffChunk(...animation)];
  const flood = (...parts: Buffer[]) => sized(Buffer.concat([webp().subarray(0, 12), ...parts]));
  return [
    [
      '200,000 empty chunks',
      flood(riffChunk(...canvas), times(200_000, riffChunk('junk', Buffer.alloc(0))), riffChunk(...small)),
    ],
    ['30,000 frames', flood(...moving, times(30_000, riffChunk(...frame(0, 0, 2, 2, small))))],
    [
      'frame of 200,000 empty chunks',
      flood(
        ...moving,
        riffChunk('ANMF', Buffer.concat([frame(0, 0, 2, 2)[1], times(200_000, riffChunk('junk', Buffer.alloc(0)))])),
      ),
    ],
  ];
}
