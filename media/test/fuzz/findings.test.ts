// What a search has found in provers and strippers, each as the smallest input that shows it, built by hand.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import type { FileBytes, MediaType } from '../../src/media-type.ts';
import { proveMp3 } from '../../src/proofs/audio/mp3.ts';
import { proveText } from '../../src/proofs/text/text.ts';
import { proveMediaType } from '../../src/prove-media-type.ts';
import { planStrip } from '../../src/strip-metadata.ts';

function joined(...parts: (string | Buffer | number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

function inMemory(bytes: Buffer): FileBytes {
  return {
    size: bytes.length,
    read: (position, length) => {
      assert.ok(position >= 0, `read at ${position}`);
      return bytes.subarray(position, position + length);
    },
  };
}

function strip(type: MediaType, bytes: Buffer): Buffer {
  assert.equal(proveMediaType(inMemory(bytes))?.kind, 'proved');
  const pieces = planStrip(type, inMemory(bytes)) ?? [{ from: 0, to: bytes.length }];
  if ('rule' in pieces) assert.fail(pieces.rule);
  return Buffer.concat(pieces.map((piece) => ('bytes' in piece ? piece.bytes : bytes.subarray(piece.from, piece.to))));
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = joined(type, data);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return joined(length, body, sum);
}

/** A grey picture of one pixel. */
function png(...chunks: Buffer[]): Buffer {
  const head = pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex'));
  return joined(Buffer.from('89504e470d0a1a0a', 'hex'), head, ...chunks, pngChunk('IEND', Buffer.alloc(0)));
}

const imageData = Buffer.from('789c6360000000020001', 'hex');

function riffChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return joined(type, length, data, data.length % 2 === 1 ? [0] : []);
}

/** One frame of one pixel, and more chunks inside it. */
function animatedWebp(...inFrame: Buffer[]): Buffer {
  const picture = riffChunk('VP8L', Buffer.from('2f0000000000', 'hex'));
  const body = joined(
    'WEBP',
    riffChunk('VP8X', Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    riffChunk('ANIM', Buffer.alloc(6)),
    riffChunk('ANMF', joined(Buffer.alloc(16), picture, ...inFrame)),
  );
  return riffChunk('RIFF', body);
}

function jpegSegment(marker: number, body: Buffer): Buffer {
  return joined([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255], body);
}

/** A grey picture of one pixel, as far as its structure goes. */
function jpeg(...segments: Buffer[]): Buffer {
  const table = (head: number) => jpegSegment(0xc4, joined([head, 1], Buffer.alloc(15), [0]));
  return joined(
    [0xff, 0xd8],
    ...segments,
    jpegSegment(0xdb, Buffer.alloc(65)),
    jpegSegment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
    table(0x00),
    table(0x10),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    [0x55, 0xff, 0xd9],
  );
}

describe('a prover', () => {
  it('a prover never reads before the start of an MP3 file that ends like a lyrics tag', () => {
    for (let blanks = 0; blanks < 8; blanks++) {
      const bytes = joined([0xff, 0xfb, 0x90, 0x00], Buffer.alloc(blanks), 'LYRICS200');
      assert.equal(proveMp3(inMemory(bytes))?.kind, 'corrupt');
    }
  });

  it('a prover reads short texts at any place in memory', () => {
    const memory = Buffer.from(new ArrayBuffer(16));
    memory.fill('x');
    for (let start = 0; start < 4; start++) {
      for (let length = 1; length < 8; length++) {
        const text = memory.subarray(start, start + length);
        assert.equal(proveText(inMemory(text))?.kind, 'proved', `${length} bytes at ${start}`);
      }
    }
    memory.fill(0);
    for (let start = 0; start < 4; start++) {
      for (let length = 1; length < 8; length++)
        assert.equal(proveText(inMemory(memory.subarray(start, start + length))), undefined);
    }
  });
});

describe('a stripped picture', () => {
  it('a picture that would be a PDF without its metadata is refused', () => {
    const note = pngChunk('tEXt', joined('Comment\0', Buffer.alloc(2000, 'x')));
    const hidden = pngChunk('IDAT', joined(imageData, '%PDF-1.4', Buffer.alloc(1500), '%%EOF'));
    assert.equal(proveMediaType(inMemory(png(note, hidden)))?.kind, 'proved');
    for (const bytes of [png(note, hidden), png(hidden)])
      assert.deepEqual(planStrip('image/png', inMemory(bytes)), { rule: 'hidden-file' });
  });

  it('a picture that would be an archive without its metadata is refused', () => {
    const directory = joined('PK\x01\x02', Buffer.alloc(42));
    const between = 4 + 8 + imageData.length;
    const end = joined('PK\x05\x06', Buffer.alloc(8), [directory.length + between, 0, 0, 0], Buffer.alloc(6));
    const [profile, picture] = [pngChunk('iCCP', directory), pngChunk('IDAT', joined(imageData, end))];
    const noisy = png(profile, pngChunk('tEXt', Buffer.from('Comment\0x')), picture);
    assert.equal(proveMediaType(inMemory(noisy))?.kind, 'proved');
    for (const bytes of [noisy, png(profile, picture)])
      assert.deepEqual(planStrip('image/png', inMemory(bytes)), { rule: 'hidden-file' });
  });

  it('a picture loses what follows the colour transform of Adobe', () => {
    const transform = Buffer.from('41646f626500640000000001', 'hex');
    const long = jpegSegment(0xee, joined(transform, 'a secret'));
    assert.deepEqual(strip('image/jpeg', jpeg(long)), jpeg(jpegSegment(0xee, transform)));
    assert.deepEqual(strip('image/jpeg', jpeg(jpegSegment(0xee, Buffer.from('Adobe')))), jpeg());
    assert.deepEqual(strip('image/jpeg', jpeg(jpegSegment(0xee, transform))), jpeg(jpegSegment(0xee, transform)));
  });

  it('an animated picture loses metadata inside its frames', () => {
    const noisy = animatedWebp(riffChunk('EXIF', Buffer.from('a secret')), riffChunk('note', Buffer.from('odd')));
    assert.deepEqual(strip('image/webp', noisy), animatedWebp());
  });
});
