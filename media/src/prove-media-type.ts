// Use case: determine a file's type from its bytes alone. The first bytes select the prover.
import type { FileBytes, MediaType } from './media-type.ts';
import { is8BitText, type Proof, type Prover } from './proof.ts';
import { proveZip } from './proofs/archives/zip.ts';
import { proveMp3 } from './proofs/audio/mp3.ts';
import { proveOgg } from './proofs/audio/ogg.ts';
import { proveWav } from './proofs/audio/wav.ts';
import { proveCompound } from './proofs/documents/compound.ts';
import { provePdf } from './proofs/documents/pdf.ts';
import { proveAvif } from './proofs/images/avif.ts';
import { proveGif } from './proofs/images/gif.ts';
import { proveHeic } from './proofs/images/heic.ts';
import { proveJpeg } from './proofs/images/jpeg.ts';
import { provePng } from './proofs/images/png.ts';
import { proveWebp } from './proofs/images/webp.ts';
import { proveText } from './proofs/text/text.ts';
import { proveMp4 } from './proofs/video/mp4.ts';
import { proveWebm } from './proofs/video/webm.ts';
import { readWithinBudget } from './read-within-budget.ts';

type Format = {
  /** Matches the first 16 bytes as latin1. Provers that share an opening look at later bytes. */
  readonly opening: RegExp;
  readonly provers: readonly Prover[];
  /** May contain a whole file of another format without being a polyglot. */
  readonly isContainer?: true;
  /** A text in an 8-bit encoding may begin like this too: 0xff is a letter in windows-1251. */
  readonly isVague?: true;
};

const isoMedia: Format = { opening: /^.{4}ftyp/s, provers: [proveAvif, proveHeic, proveMp4] };
const zip: Format = { opening: /^PK/, provers: [proveZip], isContainer: true };
/** Never a known type, but its prover can say why. */
const compound: Format = { opening: /^\xd0\xcf\x11\xe0/, provers: [proveCompound] };
/** Matches every file, so it must be the last format. */
const text: Format = { opening: /^/, provers: [proveText], isContainer: true, isVague: true };

/** The format of each type. The first format whose opening matches is used, so the order matters. */
const formats: Readonly<Record<MediaType, Format>> = {
  'image/jpeg': { opening: /^\xff\xd8/, provers: [proveJpeg] },
  'image/png': { opening: /^\x89PNG/, provers: [provePng] },
  'image/gif': { opening: /^GIF8/, provers: [proveGif] },
  'image/webp': { opening: /^RIFF.{4}WEBP/s, provers: [proveWebp] },
  'audio/wav': { opening: /^(?:RIFF|RF64|BW64).{4}WAVE/s, provers: [proveWav] },
  'image/avif': isoMedia,
  'image/heic': isoMedia,
  'image/heif': isoMedia,
  'audio/mp4': isoMedia,
  'video/mp4': isoMedia,
  'video/quicktime': isoMedia,
  'application/pdf': { opening: /^%PDF-/, provers: [provePdf] },
  'application/zip': zip,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': zip,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': zip,
  'application/vnd.oasis.opendocument.text': zip,
  'audio/ogg': { opening: /^OggS/, provers: [proveOgg] },
  'video/webm': { opening: /^.E\xdf\xa3/s, provers: [proveWebm] },
  'audio/mpeg': { opening: /^(?:ID3|\xff[\xe0-\xff])/, provers: [proveMp3], isVague: true },
  'text/plain': text,
  'text/csv': text,
};

const inOrder: readonly Format[] = [compound, ...new Set(Object.values(formats))];

/** Returns undefined if the file is none of the known types. Throws OverBudget. */
export function proveMediaType(source: FileBytes): Proof | undefined {
  const file = readWithinBudget(source);
  const opening = file.read(0, 16).toString('latin1');
  const { provers, isVague } = inOrder.find((format) => format.opening.test(opening)) ?? text;
  // A text may begin like another format. Without control characters, almost any bytes are text in an 8-bit encoding.
  for (const prove of new Set([...provers, proveText])) {
    const proof = prove(file);
    if (proof !== undefined) return is8BitText(proof) && isVague !== true ? undefined : proof;
  }
  return undefined;
}

/** Whether a file of this type may contain whole files of other formats without being a polyglot. */
export function isContainer(type: MediaType): boolean {
  return formats[type].isContainer === true;
}
