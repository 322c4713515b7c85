// What must hold for a stripped picture, checked by walking it with other code than the stripper's.
import assert from 'node:assert/strict';
import type { MediaType } from '../../../src/media-type.ts';
import type { Piece } from '../../../src/pieces.ts';
import type { Proof } from '../../../src/proof.ts';
import { proveMediaType } from '../../../src/prove-media-type.ts';
import { planStrip } from '../../../src/strip-metadata.ts';
import { checkedFile } from './file-bytes.ts';

type Proved = Extract<Proof, { kind: 'proved' }>;

/** Returns the stripped file. It is the same picture, and stripping it again changes nothing. Undefined if it is refused. */
export function checkStrip(bytes: Buffer, proof: Proved): Buffer | undefined {
  const pieces = planStrip(proof.type, checkedFile(bytes));
  if (pieces !== undefined && 'rule' in pieces) return undefined;
  if (pieces === undefined) {
    checkRest[proof.type]?.(bytes);
    return bytes;
  }
  const stripped = assemble(bytes, pieces);
  const again = proveMediaType(checkedFile(stripped));
  assert.deepEqual(again, proof, 'the stripped file is not the same picture');
  assert.equal(planStrip(proof.type, checkedFile(stripped)), undefined, 'a stripped file can be stripped again');
  checkRest[proof.type]?.(stripped);
  return stripped;
}

function assemble(bytes: Buffer, pieces: readonly Piece[]): Buffer {
  let position = 0;
  const parts = pieces.map((piece) => {
    if ('bytes' in piece) return piece.bytes;
    assert.ok(piece.from >= position && piece.from < piece.to && piece.to <= bytes.length, 'a piece out of place');
    position = piece.to;
    return bytes.subarray(piece.from, piece.to);
  });
  return Buffer.concat(parts);
}

const checkRest: Partial<Record<MediaType, (stripped: Buffer) => void>> = {
  'image/jpeg': checkJpeg,
  'image/png': checkPng,
  'image/webp': checkWebp,
  'image/avif': (stripped) => checkBoxes(stripped, 'ftyp meta mdat moov'),
  'image/heic': (stripped) => checkBoxes(stripped, 'ftyp meta mdat'),
  'image/heif': (stripped) => checkBoxes(stripped, 'ftyp meta mdat'),
};

/** A TIFF structure with nothing but the orientation. */
const orientationOnly = /^MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0[\x02-\x08]\0\0\0\0\0\0$/;

function checkJpeg(stripped: Buffer): void {
  let at = 2;
  for (;;) {
    while (stripped[at] === 0xff && stripped[at + 1] === 0xff) at += 1;
    const marker = stripped[at + 1] ?? 0;
    if (marker === 0xd9) break;
    const end = at + 2 + stripped.readUInt16BE(at + 2);
    if ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) checkSegment(marker, stripped.subarray(at + 4, end));
    at = marker === 0xda ? endOfScan(stripped, end) : end;
  }
  assert.equal(at + 2, stripped.length, 'bytes after the end of a stripped picture');
}

function endOfScan(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const code = bytes[at + 1] ?? 0;
    assert.ok(at >= 0, 'a scan without an end');
    if (code !== 0 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
    at += 1;
  }
}

function checkSegment(marker: number, body: Buffer): void {
  const text = body.toString('latin1');
  const isAllowed =
    (marker === 0xe0 && /^JFIF\0.{7}\0\0$/s.test(text)) ||
    (marker === 0xe1 && text.startsWith('Exif\0\0') && orientationOnly.test(text.slice(6))) ||
    (marker === 0xe2 && text.startsWith('ICC_PROFILE\0')) ||
    (marker === 0xee && text.startsWith('Adobe') && body.length === 12);
  assert.ok(isAllowed, `metadata left in segment ${marker.toString(16)}`);
}

const pngChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS bKGD hIST sPLT pHYs sBIT acTL fcTL fdAT gAMA cHRM sRGB iCCP cICP mDCV cLLI'.split(' '),
);

function checkPng(stripped: Buffer): void {
  for (let at = 8; at < stripped.length; ) {
    const end = at + 12 + stripped.readUInt32BE(at);
    const type = stripped.toString('latin1', at + 4, at + 8);
    const isExif = type === 'eXIf' && orientationOnly.test(stripped.toString('latin1', at + 8, end - 4));
    assert.ok(isExif || pngChunks.has(type), `metadata left in chunk ${type}`);
    at = end;
  }
}

const webpChunks = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);

function checkWebp(stripped: Buffer): void {
  checkRiff(stripped, 12, stripped.length, webpChunks);
}

function checkRiff(bytes: Buffer, from: number, to: number, allowed: ReadonlySet<string>): void {
  for (let at = from; at < to; ) {
    const length = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    const isExif = type === 'EXIF' && orientationOnly.test(bytes.toString('latin1', at + 8, at + 8 + length));
    assert.ok(isExif || allowed.has(type), `metadata left in chunk ${type}`);
    if (type === 'ANMF') checkRiff(bytes, at + 24, at + 8 + length, new Set(['ALPH', 'VP8 ', 'VP8L']));
    at += 8 + length + (length % 2);
  }
}

const itemTypes = new Set('av01 hvc1 hev1 lhv1 avc1 vvc1 unci grid iovl iden sato tmap'.split(' '));

/** Boxes of pictures, and free space that is empty. */
function checkBoxes(stripped: Buffer, allowed: string): void {
  eachBox(stripped, 0, stripped.length, (type, start, end) => {
    checkBox(stripped, type, start, end, allowed);
    if (type !== 'meta') return;
    eachBox(stripped, start + 4, end, (inner, from, to) => {
      checkBox(stripped, inner, from, to, 'hdlr pitm iinf iloc iprp iref idat grpl');
      if (inner === 'iinf') checkItems(stripped, from, to);
    });
  });
}

function checkItems(bytes: Buffer, start: number, end: number): void {
  eachBox(bytes, start + (bytes[start] === 0 ? 6 : 8), end, (_, from, to) => {
    const typeAt = from + (bytes[from] === 2 ? 8 : 10);
    const type = bytes.toString('latin1', typeAt, typeAt + 4);
    assert.ok(itemTypes.has(type), `metadata left in item ${type}`);
    assert.ok(
      bytes.subarray(typeAt + 4, to).every((byte) => byte === 0),
      'metadata left in the name of an item',
    );
  });
}

function checkBox(bytes: Buffer, type: string, start: number, end: number, allowed: string): void {
  const isEmpty = (type === 'free' || type === 'skip') && bytes.subarray(start, end).every((byte) => byte === 0);
  assert.ok(isEmpty || allowed.split(' ').includes(type), `metadata left in box ${type}`);
}

/** Calls with the type and the content of each box. */
function eachBox(bytes: Buffer, from: number, to: number, take: (type: string, start: number, end: number) => void) {
  for (let at = from; at < to; ) {
    const short = bytes.readUInt32BE(at);
    const length = short === 0 ? to - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    take(bytes.toString('latin1', at + 4, at + 8), at + (short === 1 ? 16 : 8), at + length);
    at += length;
  }
}
