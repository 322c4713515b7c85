// Proves WAV: one RIFF form as long as the file, a valid format before one block of samples, and only whole chunks.
// A program that writes into a pipe does not know the lengths of the form and of the samples: they then reach to the end.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, excluded, type Objection, type Proof, proved, refused } from '../../proof.ts';

const maxChunks = 1_000;
const maxChannels = 64;
const maxSampleRate = 768_000;
// PCM, Microsoft ADPCM, float, A-law, mu-law, IMA ADPCM, GSM, MP3, extensible.
const codings = new Set([0x0001, 0x0002, 0x0003, 0x0006, 0x0007, 0x0011, 0x0031, 0x0055, 0xfffe]);
const linearCodings = new Set([0x0001, 0x0003]);
/** Into a pipe, programs write 0, or about the largest number of 31 or 32 bits. */
const leastUnknownLength = 0x7fff0000;

type Chunk = { id: string; start: number; length: number };

export function proveWav(file: FileBytes): Proof | undefined {
  const head = file.read(0, 12);
  const form = head.toString('latin1', 0, 4);
  if (!['RIFF', 'RF64', 'BW64'].includes(form) || head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  // Forms for files above 4 GiB. Browsers do not play them.
  if (form !== 'RIFF') return excluded('audio/wav', 'sound-codec');
  const length = head.readUInt32LE(4) + 8;
  // A form of odd length should be padded, but not every writer does so.
  const isWhole = length === file.size || (length % 2 === 1 && length + 1 === file.size);
  const isPiped = !isWhole && isUnknown(length - 8);
  if (!isWhole && !isPiped) return corrupt('audio/wav', 'the form is not as long as the file');
  const chunks = readChunks(file, isPiped);
  const objection = typeof chunks === 'string' ? chunks : objectionTo(file, chunks);
  return objection === undefined ? proved('audio/wav') : refused('audio/wav', objection);
}

function isUnknown(length: number): boolean {
  return length === 0 || length >= leastUnknownLength;
}

function readChunks(file: FileBytes, isPiped: boolean): Chunk[] | string {
  const chunks: Chunk[] = [];
  let position = 12;
  while (position < file.size) {
    const header = file.read(position, 8);
    if (header.length < 8 || chunks.length === maxChunks) return 'broken chunks';
    const id = header.toString('latin1', 0, 4);
    const start = position + 8;
    const length = header.readUInt32LE(4);
    const isOpen = isPiped && id === 'data' && isUnknown(length);
    const chunk = { id, start, length: isOpen ? file.size - start : length };
    const end = chunk.start + chunk.length;
    if (!/^[\x20-\x7e]{4}$/.test(chunk.id)) return 'a chunk without a name';
    if (end > file.size) return 'a chunk is truncated';
    chunks.push(chunk);
    // The end of the file may lack the padding.
    position = end + (chunk.length % 2);
  }
  return chunks;
}

function objectionTo(file: FileBytes, chunks: readonly Chunk[]): Objection | undefined {
  const formats = chunks.filter(({ id }) => id === 'fmt ');
  const samples = chunks.filter(({ id }) => id === 'data');
  const [format, data] = [formats[0], samples[0]];
  if (format === undefined || formats.length > 1) return 'not exactly one format';
  if (data === undefined || samples.length > 1 || data.length === 0) return 'not exactly one block of samples';
  if (format.start > data.start) return 'samples before their format';
  if (format.length < 16 || format.length > 1_024) return 'a format of impossible length';
  return objectionToFormat(file.read(format.start, format.length));
}

function objectionToFormat(format: Buffer): Objection | undefined {
  const coding = format.readUInt16LE(0);
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const bytesPerBlock = format.readUInt16LE(12);
  const bits = format.readUInt16LE(14);
  if (!codings.has(coding)) return { rule: 'sound-codec' };
  if (coding === 0xfffe && format.length < 40) return 'an extensible format without its extension';
  if (channels === 0 || channels > maxChannels) return 'impossible number of channels';
  if (sampleRate === 0 || sampleRate > maxSampleRate) return 'impossible sample rate';
  if (bytesPerBlock === 0) return 'blocks without bytes';
  if (!linearCodings.has(coding)) return undefined;
  const isConsistent = bits <= 64 && bytesPerBlock === channels * Math.ceil(bits / 8);
  return isConsistent && format.readUInt32LE(8) === sampleRate * bytesPerBlock
    ? undefined
    : 'a format that contradicts itself';
}
