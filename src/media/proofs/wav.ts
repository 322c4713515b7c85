// Proves WAV: one RIFF form as long as the file, a valid format before one block of samples, and only whole chunks.
import { corrupt, type FileBytes, type Proof, proved } from '../media-type.ts';

const maxChunks = 1_000;
const maxChannels = 64;
const maxSampleRate = 768_000;
// PCM, Microsoft ADPCM, float, A-law, mu-law, IMA ADPCM, GSM, MP3, extensible.
const codings = new Set([0x0001, 0x0002, 0x0003, 0x0006, 0x0007, 0x0011, 0x0031, 0x0055, 0xfffe]);
const linearCodings = new Set([0x0001, 0x0003]);

type Chunk = { id: string; start: number; length: number };

export function proveWav(file: FileBytes): Proof | undefined {
  const head = file.read(0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const length = head.readUInt32LE(4) + 8;
  // A form of odd length should be padded, but not every writer does so.
  const isWhole = length === file.size || (length % 2 === 1 && length + 1 === file.size);
  if (!isWhole) return corrupt('audio/wav', 'the form is not as long as the file');
  const chunks = readChunks(file);
  const defect = typeof chunks === 'string' ? chunks : chunksDefect(file, chunks);
  return defect === undefined ? proved('audio/wav') : corrupt('audio/wav', defect);
}

function readChunks(file: FileBytes): Chunk[] | string {
  const chunks: Chunk[] = [];
  let position = 12;
  while (position < file.size) {
    const header = file.read(position, 8);
    if (header.length < 8 || chunks.length === maxChunks) return 'broken chunks';
    const chunk = { id: header.toString('latin1', 0, 4), start: position + 8, length: header.readUInt32LE(4) };
    const end = chunk.start + chunk.length;
    if (!/^[\x20-\x7e]{4}$/.test(chunk.id)) return 'a chunk without a name';
    if (end > file.size) return 'a chunk is truncated';
    chunks.push(chunk);
    const padding = chunk.length % 2 === 1 ? file.read(end, 1) : Buffer.alloc(0);
    if (padding.some((byte) => byte !== 0)) return 'padding that is not zero';
    position = end + padding.length;
  }
  return chunks;
}

function chunksDefect(file: FileBytes, chunks: readonly Chunk[]): string | undefined {
  const formats = chunks.filter(({ id }) => id === 'fmt ');
  const samples = chunks.filter(({ id }) => id === 'data');
  const [format, data] = [formats[0], samples[0]];
  if (format === undefined || formats.length > 1) return 'not exactly one format';
  if (data === undefined || samples.length > 1 || data.length === 0) return 'not exactly one block of samples';
  if (format.start > data.start) return 'samples before their format';
  if (format.length < 16 || format.length > 1_024) return 'a format of impossible length';
  return formatDefect(file.read(format.start, format.length));
}

function formatDefect(format: Buffer): string | undefined {
  const coding = format.readUInt16LE(0);
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  const bytesPerBlock = format.readUInt16LE(12);
  const bits = format.readUInt16LE(14);
  if (!codings.has(coding) || (coding === 0xfffe && format.length < 40)) return 'unknown coding';
  if (channels === 0 || channels > maxChannels) return 'impossible number of channels';
  if (sampleRate === 0 || sampleRate > maxSampleRate) return 'impossible sample rate';
  if (bytesPerBlock === 0) return 'blocks without bytes';
  if (!linearCodings.has(coding)) return undefined;
  const isConsistent = bits <= 64 && bytesPerBlock === channels * Math.ceil(bits / 8);
  return isConsistent && format.readUInt32LE(8) === sampleRate * bytesPerBlock
    ? undefined
    : 'a format that contradicts itself';
}
