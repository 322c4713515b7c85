// Proves MP3: optional tags, then layer III frames of one stream without a gap, then only known tags. The last frame may be cut.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, excluded, type Proof, proved } from '../../proof.ts';
import { freeLength, type Mp3Frame, parseFrame } from './mp3-frame.ts';
import { findAudioEnd, findAudioStart } from './mp3-tags.ts';

const minFrames = 3;
const pieceBytes = 65_536;

export function proveMp3(file: FileBytes): Proof | undefined {
  const tagged = findAudioStart(file);
  if (typeof tagged === 'string') return corrupt('audio/mpeg', tagged);
  // Some writers leave zeros between a tag and the first frame.
  const start = tagged === 0 ? 0 : skipZeros(file, tagged, file.size);
  const first = parseFrame(file.read(start, 4));
  if (first === undefined) return tagged === 0 ? undefined : corrupt('audio/mpeg', 'no frame after the tag');
  const end = findAudioEnd(file, start);
  const defect = typeof end === 'string' ? end : framesDefect(file, start, end, first);
  if (first.layer === 3) return defect === undefined ? proved('audio/mpeg') : corrupt('audio/mpeg', defect);
  // Browsers play layer III only. If it is no stream of another layer either, it is not audio.
  return defect === undefined ? excluded('audio/mpeg', 'sound-codec') : undefined;
}

function framesDefect(file: FileBytes, start: number, end: number, stream: Mp3Frame): string | undefined {
  const baseLength = stream.length ?? freeLength(file, start, end, stream);
  if (baseLength === undefined) return 'no second frame of a free bit rate';
  let position = start;
  let frames = 0;
  while (position < end) {
    const head = file.read(position, Math.min(4, end - position));
    const frame = parseFrame(head);
    if (frame === undefined) return frames >= minFrames ? tailDefect(file, position, end, head) : noFrame(frames);
    // Each version has sample rates of its own.
    const isSame = frame.sampleRate === stream.sampleRate && frame.layer === stream.layer;
    if (!isSame || (frame.length === undefined) !== (stream.length === undefined)) return 'two streams in one file';
    position += frame.length ?? baseLength + frame.padding;
    if (position <= end) frames += 1;
  }
  return frames < minFrames ? 'too few frames' : undefined;
}

function noFrame(frames: number): string {
  return frames === 0 ? 'no frame after the tag' : 'unknown data between frames';
}

/** Behind the frames there may be zeros, or the first bytes of a frame whose header is cut. */
function tailDefect(file: FileBytes, position: number, end: number, head: Buffer): string | undefined {
  const isCutHeader = head.length < 4 && head[0] === 0xff && (head[1] ?? 0xff) >= 0xe0;
  return isCutHeader || skipZeros(file, position, end) === end ? undefined : 'unknown data between frames';
}

/** The position of the first byte that is not zero. */
function skipZeros(file: FileBytes, from: number, to: number): number {
  for (let position = from; position < to; position += pieceBytes) {
    const zeros = file.read(position, Math.min(pieceBytes, to - position)).findIndex((byte) => byte !== 0);
    if (zeros >= 0) return position + zeros;
  }
  return to;
}
