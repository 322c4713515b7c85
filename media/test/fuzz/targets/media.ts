// Targets: the prover of every format, with the removal of metadata from what it accepts.
import assert from 'node:assert/strict';
import type { LengthKind } from '../../../../test/fuzz/engine/lengths.ts';
import type { FuzzTarget, Verdict } from '../../../../test/fuzz/engine/target.ts';
import type { MediaType } from '../../../src/media-type.ts';
import { proveMediaType } from '../../../src/prove-media-type.ts';
import { checkedFile } from './file-bytes.ts';
import { checkProved } from './media-promises.ts';
import { repairOgg, repairPdf, repairPng, repairRiff, repairZip } from './repairs.ts';
import { checkStrip } from './strip-promises.ts';

type Format = Pick<FuzzTarget, 'words' | 'lengthKinds' | 'repair'> & {
  readonly types: readonly MediaType[];
  /** What the file starts with. Other inputs are left to the other targets. */
  readonly opening: RegExp;
};

const isoLengths: LengthKind[] = [{ width: 4, isLittle: false, gap: -4 }];
const riffLengths: LengthKind[] = [{ width: 4, isLittle: true, gap: 0, before: 4 }];

const formats: Readonly<Record<string, Format>> = {
  jpeg: {
    types: ['image/jpeg'],
    opening: /^\xff\xd8/,
    lengthKinds: [{ width: 2, isLittle: false, gap: -2, before: 2 }],
  },
  png: {
    types: ['image/png'],
    opening: /^\x89PNG/,
    lengthKinds: [{ width: 4, isLittle: false, gap: 4, after: 4 }],
    repair: repairPng,
  },
  gif: {
    types: ['image/gif'],
    opening: /^GIF8/,
    words: ['%PDF-1', '1 0 obj', '%%EOF'],
    lengthKinds: [{ width: 1, isLittle: false, gap: 0 }],
  },
  webp: { types: ['image/webp'], opening: /^RIFF.{4}WEBP/s, lengthKinds: riffLengths, repair: repairRiff },
  avif: { types: ['image/avif'], opening: /^.{4}ftypavi/s, lengthKinds: isoLengths },
  heic: { types: ['image/heic', 'image/heif'], opening: /^.{4}ftyp(?:hei|mif)/s, lengthKinds: isoLengths },
  mp4: {
    types: ['video/mp4', 'audio/mp4', 'video/quicktime'],
    opening: /^.{4}ftyp(?!avi|hei|mif)/s,
    lengthKinds: isoLengths,
  },
  pdf: { types: ['application/pdf'], opening: /^%PDF-/, repair: repairPdf },
  zip: {
    types: [
      'application/zip',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.oasis.opendocument.text',
    ],
    opening: /^PK/,
    words: ['..', '/../', 'C:', 'PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', 'PK\x07\x08'],
    // The length of a name in the directory, and in a local header.
    lengthKinds: [
      { width: 2, isLittle: true, gap: 16, before: 28 },
      { width: 2, isLittle: true, gap: 2, before: 26 },
    ],
    repair: repairZip,
  },
  ogg: { types: ['audio/ogg'], opening: /^OggS/, repair: repairOgg },
  webm: {
    types: ['video/webm'],
    opening: /^.E\xdf\xa3/s,
    lengthKinds: [
      { width: 1, isLittle: false, gap: 0, bias: 0x80, before: 1 },
      { width: 4, isLittle: false, gap: 0, bias: 0x1000_0000, before: 4 },
      { width: 4, isLittle: false, gap: 0, before: 8 },
    ],
  },
  mp3: {
    types: ['audio/mpeg'],
    opening: /^(?:ID3|\xff[\xe0-\xff])/,
    words: ['ID3', 'TAG', 'APETAGEX', 'LYRICSBEGIN', '000011LYRICS200', '3DI'],
  },
  wav: { types: ['audio/wav'], opening: /^RIFF.{4}WAVE/s, lengthKinds: riffLengths, repair: repairRiff },
};

const promise = 'proves or refuses, reads only inside the file, and what is stored is nothing else as well';
const bounds = { longest: 12_000, mostWork: (size: number) => 100_000 + 100 * size };

const ofFormats: readonly FuzzTarget[] = Object.entries(formats).map(([name, format]) => ({
  ...format,
  ...bounds,
  name: `prove-${name}`,
  promise,
  run: (input) => (format.opening.test(input.toString('latin1', 0, 16)) ? run(input) : 'refused'),
  seeds: async () => {
    const { readSampleFiles } = await import('../samples.ts');
    const files = (await readSampleFiles()).filter(({ type, bytes }) =>
      type === undefined ? format.opening.test(bytes.toString('latin1', 0, 16)) : format.types.includes(type),
    );
    return files.map(({ bytes }) => bytes);
  },
}));

/** Every format at once, so that the search can turn one into another. */
const any: FuzzTarget = {
  ...bounds,
  name: 'prove-any',
  promise,
  run,
  seeds: async () => {
    const { readSampleFiles } = await import('../samples.ts');
    return (await readSampleFiles()).flatMap(({ type, bytes }) => (type === undefined ? [] : [bytes]));
  },
};

const pieceBytes = 262_144;
const filler = Buffer.alloc(pieceBytes, 'a');

/** The first byte says how much of the text comes before the end of the first piece that the prover reads. */
const text: FuzzTarget = {
  name: 'prove-text',
  promise:
    'accepts only text without control characters and active markup, in the charset that it names, wherever the pieces are cut',
  run: (input) => {
    const [cut = 0] = input;
    const rest = input.subarray(1);
    const long = Buffer.concat([filler.subarray(cut), rest]);
    const short = Buffer.concat([filler.subarray(-32), rest]);
    const verdict = run(short);
    const same = proveMediaType(checkedFile(long))?.kind === 'proved' ? 'accepted' : 'refused';
    assert.equal(same, verdict, 'the verdict depends on where the pieces are cut');
    run(rest);
    return verdict;
  },
  seeds: async () => {
    const { readSampleFiles } = await import('../samples.ts');
    const files = (await readSampleFiles()).filter(({ type }) => type === 'text/plain' || type === 'text/csv');
    const texts = [...files.map(({ bytes }) => bytes), ...activeTexts.map((part) => Buffer.from(part))];
    return texts.flatMap((part) => [0, 3, 9, 60].map((cut) => Buffer.concat([Buffer.from([cut]), part])));
  },
  words: [
    '<script',
    '<script>',
    '<!doctype html',
    '<?php',
    '<svg/',
    '<iframe ',
    '<html>',
    '<embed',
    '\u{10ffff}',
    'é',
    '\ufeff',
  ],
  longest: 2_000,
  mostWork: (size) => 600_000 + 100 * size,
};

const activeTexts = [
  'ok <scrip',
  'a <SVG onload=1>',
  'ü <html',
  '€ <!DOCTYPE HTML>',
  '\u{1f600}<?php',
  '#!/bin/sh',
  '{\\rtf1',
  '<x',
];

export const targets: readonly FuzzTarget[] = [...ofFormats, any, text];

function run(input: Buffer): Verdict {
  const file = checkedFile(input);
  const proof = withinBudget(() => proveMediaType(file));
  if (proof?.kind !== 'proved') return 'refused';
  const stored = checkStrip(input, proof);
  if (stored === undefined) return 'refused';
  checkProved(stored, proof);
  return 'accepted';
}

/** The budget of reads is a refusal that callers expect. */
function withinBudget<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof Error);
    if (error.name === 'OverBudget') return undefined;
    throw error;
  }
}
