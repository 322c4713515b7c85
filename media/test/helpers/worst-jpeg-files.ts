// JPEG files that are expensive to prove: endlessly nested pictures, and a scan of nothing but stuffed bytes.
import { joined } from './media-files.ts';

// An arithmetic lossless frame needs no tables, so a picture is a frame, a scan and an end.
const picture = Buffer.from('ffcb000b0800010001010111 00ffda0008010100000000'.replace(' ', ''), 'hex');
const end = Buffer.from('00ffd9', 'hex');

/** The index of each picture lists the one behind it. The last has no index. */
export function nestedJpeg(depth: number): Buffer {
  const head = joined([0xff, 0xd8]);
  const bare = joined(head, picture, end);
  const level = joined(head, index(0), picture, end).length;
  const parts: Buffer[] = [];
  let left = bare.length + Math.floor(depth) * level;
  while (left > bare.length) {
    left -= level;
    parts.push(joined(head, index(left), picture, end));
  }
  return Buffer.concat([...parts, bare]);
}

/** An MPF index of two pictures: this one, and one of so many bytes after its end. */
function index(behindBytes: number): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4 + 2 * 16);
  tiff.write('MM', 0, 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  tiff.writeUInt16BE(0xb001, 10);
  tiff.writeUInt32BE(2, 18);
  tiff.writeUInt16BE(0xb002, 22);
  tiff.writeUInt32BE(38, 30);
  tiff.writeUInt32BE(behindBytes, 38 + 16 + 4);
  // From the TIFF header to the end of this picture.
  tiff.writeUInt32BE(tiff.length + picture.length + end.length, 38 + 16 + 8);
  const body = joined('MPF\0', tiff);
  return joined([0xff, 0xe2, 0, body.length + 2], body);
}

export function stuffedJpeg(bytes: number): Buffer {
  return joined([0xff, 0xd8], picture, Buffer.alloc(2 * Math.floor(bytes / 2), Buffer.from('ff00', 'hex')), end);
}
