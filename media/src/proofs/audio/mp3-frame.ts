// Reads the header of an MPEG audio frame, and finds the length of frames that do not say it.
import type { FileBytes } from '../../media-type.ts';

export type Mp3Frame = {
  readonly layer: number;
  readonly sampleRate: number;
  /** In bytes, with padding. Undefined for a free bit rate: such frames of a stream are equally long, but for their padding. */
  readonly length: number | undefined;
  readonly padding: number;
};

type Version = 1 | 2;

/** Kilobits per second by header index, for each version and layer. 0 is a free bit rate. */
const bitRates: Record<Version, Record<number, readonly number[]>> = {
  1: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  2: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
};
/** By the bits of the version: 2.5, reserved, 2, 1. */
const sampleRates: readonly (readonly number[])[] = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
];
/** 640 kbit/s, the most that an encoder writes, at the lowest sample rate. */
const maxFreeBytes = 6_000;
/** The header and the side information of the shortest frame. */
const minFreeBytes = 13;
const paddingBit = 0x02;

/** Undefined if there is no header. */
export function parseFrame(bytes: Buffer): Mp3Frame | undefined {
  if (bytes.length < 4) return undefined;
  const header = bytes.readUInt32BE(0);
  const versionBits = (header >>> 19) & 3;
  const version = versionBits === 3 ? 1 : 2;
  const layer = 4 - ((header >>> 17) & 3);
  const rate = bitRates[version][layer]?.[(header >>> 12) & 15];
  const sampleRate = sampleRates[versionBits]?.[(header >>> 10) & 3];
  const isReserved = header >>> 21 !== 0x7ff || (header & 3) === 2;
  if (isReserved || rate === undefined || sampleRate === undefined) return undefined;
  const padding = (header >>> 9) & 1;
  return {
    layer,
    sampleRate,
    padding,
    length: rate === 0 ? undefined : lengthOf(version, layer, rate, sampleRate, padding),
  };
}

function lengthOf(version: Version, layer: number, rate: number, sampleRate: number, padding: number): number {
  // Layer I counts in slots of four bytes.
  if (layer === 1) return (Math.floor((12_000 * rate) / sampleRate) + padding) * 4;
  return Math.floor(((version === 2 && layer === 3 ? 72_000 : 144_000) * rate) / sampleRate) + padding;
}

/** The length without padding: the distance to the next header that a third one follows at the same distance. */
export function freeLength(file: FileBytes, start: number, end: number, first: Mp3Frame): number | undefined {
  const bytes = file.read(start, Math.min(maxFreeBytes * 2 + 8, end - start));
  for (let at = bytes.indexOf(0xff, minFreeBytes); at >= 0 && at <= maxFreeBytes; at = bytes.indexOf(0xff, at + 1)) {
    const length = at - first.padding;
    const padding = (bytes.readUInt8(Math.min(at + 2, bytes.length - 1)) & paddingBit) >> 1;
    if (isSameStream(bytes, at) && isSameStream(bytes, at + length + padding)) return length;
  }
  return undefined;
}

/** Whether the header at `at` is that of the first frame, but for its padding, mode and emphasis. */
function isSameStream(bytes: Buffer, at: number): boolean {
  if (at + 4 > bytes.length) return false;
  const differs = (bytes.readUInt32BE(0) ^ bytes.readUInt32BE(at)) >>> 9;
  return (differs & ~1) === 0;
}
