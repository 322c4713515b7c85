// Proves MP3: optional tags, then layer III frames of one stream without a gap, then only known tags.
import { corrupt, type FileBytes, type Proof, proved } from '../media-type.ts';
import { findAudioEnd, findAudioStart } from './mp3-tags.ts';

const minFrames = 3;
const maxPaddingBytes = 4_096;
// Kilobits per second by header index. 0 is free format, whose frame length is unknown.
const ratesOf1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const ratesOf2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};

type Frame = { sampleRate: number; length: number };

export function proveMp3(file: FileBytes): Proof | undefined {
  const tagged = findAudioStart(file);
  if (tagged === 0 && parseFrame(file.read(0, 4)) === undefined) return undefined;
  if (typeof tagged === 'string') return corrupt('audio/mpeg', tagged);
  const start = skipPadding(file, tagged);
  const end = findAudioEnd(file, start);
  const defect = typeof end === 'string' ? end : framesDefect(file, start, end);
  return defect === undefined ? proved('audio/mpeg') : corrupt('audio/mpeg', defect);
}

function framesDefect(file: FileBytes, start: number, end: number): string | undefined {
  let position = start;
  let frames = 0;
  let stream: Frame | undefined;
  while (position < end) {
    const frame = parseFrame(file.read(position, 4));
    if (frame === undefined) return frames === 0 ? 'no frame after the tag' : 'unknown data between frames';
    stream ??= frame;
    // Each version has sample rates of its own.
    if (frame.sampleRate !== stream.sampleRate) return 'two streams in one file';
    position += frame.length;
    frames += 1;
  }
  if (position > end) return 'the last frame is truncated';
  return frames < minFrames ? 'too few frames' : undefined;
}

function parseFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 4) return undefined;
  const header = bytes.readUInt32BE(0);
  const version = (header >>> 19) & 3;
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
  const rate = (version === 3 ? ratesOf1 : ratesOf2)[(header >>> 12) & 15] ?? 0;
  const sampleRate = sampleRates[version]?.[(header >>> 10) & 3];
  const isReserved = (header & 3) === 2;
  if (!isLayer3 || rate === 0 || sampleRate === undefined || isReserved) return undefined;
  const padding = (header >>> 9) & 1;
  return { sampleRate, length: Math.floor(((version === 3 ? 144_000 : 72_000) * rate) / sampleRate) + padding };
}

/** Some writers leave zeros between a tag and the first frame. */
function skipPadding(file: FileBytes, start: number): number {
  const zeros = file.read(start, maxPaddingBytes).findIndex((byte) => byte !== 0);
  return start + Math.max(0, zeros);
}
