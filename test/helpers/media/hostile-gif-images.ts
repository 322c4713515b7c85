// GIF files with false values: frames outside the screen, sub-blocks without an end, floods of frames, a disguised script.
import { type Case, times } from './image-surgery.ts';

const trailer = Buffer.from('3b', 'hex');
const control = Buffer.from('21f904000a000000', 'hex');
const pixel = frame(0, 0, 1, 1);
const emptyFrame = Buffer.from('2c00000000010001000002' + '00', 'hex');

export function gif(...blocks: Buffer[]): Buffer {
  return Buffer.concat([screen(1, 1), ...blocks, trailer]);
}

/** With a global table of two colours. */
function screen(width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from('GIF89a'), uint16(width, height), Buffer.from('800000000000ffffff', 'hex')]);
}

export function frame(x: number, y: number, width: number, height: number, data = '0202440100'): Buffer {
  return Buffer.concat([Buffer.from('2c', 'hex'), uint16(x, y, width, height), Buffer.from(`00${data}`, 'hex')]);
}

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

export function hostileGifImages(): Case[] {
  return [...cuts(), ...lies(), ...polyglots(), ...floods()];
}

function cuts(): Case[] {
  const parts = [
    screen(1, 1),
    control,
    pixel,
    Buffer.from('21fe0261620021ff0b4e45545343415045322e300301000000', 'hex'),
    pixel,
  ];
  const bytes = Buffer.concat([...parts, trailer]);
  let at = 0;
  return parts.flatMap((part): Case[] => {
    const start = at;
    at += part.length;
    return [start + 1, at - 1, at].map((end) => [`cut at ${end}`, bytes.subarray(0, end)]);
  });
}

function lies(): Case[] {
  return [
    ['no width', Buffer.concat([screen(0, 1), pixel, trailer])],
    ['no height', Buffer.concat([screen(1, 0), pixel, trailer])],
    ['no frame', gif()],
    ['only a comment', gif(Buffer.from('21fe02616200', 'hex'))],
    ['frame outside the screen', gif(frame(1, 0, 1, 1))],
    ['small screen, frame of 65535 by 65535', gif(frame(0, 0, 65535, 65535))],
    ['frame without width', gif(frame(0, 0, 0, 1))],
    ['frame without data', gif(emptyFrame)],
    ['LZW code size 0', gif(frame(0, 0, 1, 1, '0002440100'))],
    ['LZW code size 12', gif(frame(0, 0, 1, 1, '0c02440100'))],
    ['sub-block longer than the file', gif(frame(0, 0, 1, 1, '02ff440100'))],
    ['sub-blocks without an end', gif(frame(0, 0, 1, 1, '02024401'))],
    ['graphic control of a wrong length', gif(Buffer.from('21f905000a00000000', 'hex'), pixel)],
    ['graphic control with more behind it', gif(Buffer.from('21f904000a0000024141' + '00', 'hex'), pixel)],
    ['application extension of a wrong length', gif(Buffer.from('21ff03414243' + '00', 'hex'), pixel)],
    ['unknown block', gif(Buffer.from('42', 'hex'), pixel)],
    ['zero between blocks', gif(pixel, Buffer.alloc(1), pixel)],
    [
      'global colours cut short',
      Buffer.concat([screen(1, 1).subarray(0, 10), Buffer.from('f70000', 'hex'), pixel, trailer]),
    ],
    ['65535 by 65535', Buffer.concat([screen(65535, 65535), pixel, trailer]), { width: 65535, height: 65535 }],
  ];
}

function polyglots(): Case[] {
  const script = Buffer.from('*/=1;alert(document.cookie);//');
  // The first bytes of the screen open a comment of a script: GIF89a/* … */=1;
  const opened = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.from('0100800000000000ffffff', 'hex')]);
  return [
    ['script behind the header', Buffer.from('GIF89a=1;alert(1);//')],
    ['script in a comment', Buffer.concat([opened, script, pixel, trailer])],
    ['script behind the trailer', Buffer.concat([opened, pixel, trailer, script])],
    ['HTML behind the header', Buffer.from('GIF89a<html><script>alert(1)</script></html>;')],
    ['ZIP behind the header', Buffer.concat([screen(1, 1), Buffer.from('504b0304', 'hex'), trailer])],
  ];
}

function floods(): Case[] {
  return [
    ['100,000 empty frames', gif(times(100_000, emptyFrame))],
    ['100,000 frames', gif(times(100_000, pixel))],
    ['500,000 empty comments', gif(times(500_000, Buffer.from('21fe00', 'hex')), pixel)],
    [
      '8 MiB of sub-blocks of one byte and no end',
      Buffer.concat([screen(1, 1), pixel.subarray(0, 11), times(2 ** 22, Buffer.from('0141', 'hex'))]),
    ],
  ];
}
