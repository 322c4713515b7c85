// Proves MP3: an optional tag, then layer III frames of one stream without a gap, then only tags that players know.
import { type ByteReader, corrupt, type Proof, proved } from '../media-type.ts';
import { findAudioEnd, findAudioStart } from './mp3-tags.ts';
import { type PieceReader, readAhead } from './read-ahead.ts';

const minFrames = 3;
const maxPaddingBytes = 4_096;
// Thousand bits a second by header index; 0 is free format, whose frames cannot be measured.
const ratesOf1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const ratesOf2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates: Record<number, readonly number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};

type Frame = { version: number; sampleRate: number; length: number };

export async function proveMp3(file: ByteReader): Promise<Proof | undefined> {
  const reader = readAhead(file);
  const tagged = await findAudioStart(reader);
  if (tagged === 0 && parseFrame(await reader.read(0, 4)) === undefined) return undefined;
  if (typeof tagged === 'string') return corrupt('audio/mpeg', tagged);
  const start = await skipPadding(reader, tagged);
  const end = await findAudioEnd(reader, start);
  const defect = typeof end === 'string' ? end : await framesDefect(reader, start, end);
  return defect === undefined ? proved('audio/mpeg') : corrupt('audio/mpeg', defect);
}

async function framesDefect(file: PieceReader, start: number, end: number): Promise<string | undefined> {
  let position = start;
  let frames = 0;
  let stream: Frame | undefined;
  while (position < end) {
    const frame = parseFrame(file.peek(position, 4) ?? (await file.read(position, 4)));
    if (frame === undefined) return frames === 0 ? 'no frame after the tag' : 'something else between frames';
    stream ??= frame;
    if (frame.version !== stream.version || frame.sampleRate !== stream.sampleRate) return 'two streams in one file';
    position += frame.length;
    frames += 1;
  }
  if (position > end) return 'the last frame is cut short';
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
  return {
    version,
    sampleRate,
    length: Math.floor(((version === 3 ? 144_000 : 72_000) * rate) / sampleRate) + padding,
  };
}

/** Only behind a tag: some writers leave zeros between it and the first frame. */
async function skipPadding(file: ByteReader, start: number): Promise<number> {
  if (start === 0) return 0;
  const bytes = await file.read(start, maxPaddingBytes);
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? start : start + first;
}
