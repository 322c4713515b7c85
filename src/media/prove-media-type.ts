// Use case: say what a file is from its bytes alone; its first bytes choose who proves it, and one answer is given.
import { corrupt, type FileBytes, type Proof, type Prover } from './media-type.ts';
import { proveAvif } from './proofs/avif.ts';
import { proveGif } from './proofs/gif.ts';
import { proveJpeg } from './proofs/jpeg.ts';
import { proveMp3 } from './proofs/mp3.ts';
import { proveMp4 } from './proofs/mp4.ts';
import { proveOgg } from './proofs/ogg.ts';
import { provePdf } from './proofs/pdf.ts';
import { provePng } from './proofs/png.ts';
import { findPolyglot } from './proofs/polyglot.ts';
import { proveText } from './proofs/text.ts';
import { proveWav } from './proofs/wav.ts';
import { proveWebm } from './proofs/webm.ts';
import { proveWebp } from './proofs/webp.ts';
import { proveZip } from './proofs/zip.ts';
import { readWithinBudget } from './read-within-budget.ts';

// The first 16 bytes as latin1; at most two provers share an opening, and theirs differ further on.
const openings: readonly (readonly [RegExp, readonly Prover[]])[] = [
  [/^\xff\xd8/, [proveJpeg]],
  [/^\x89PNG/, [provePng]],
  [/^GIF8/, [proveGif]],
  [/^RIFF.{4}WEBP/s, [proveWebp]],
  [/^RIFF.{4}WAVE/s, [proveWav]],
  [/^.{4}ftyp/s, [proveAvif, proveMp4]],
  [/^%PDF-/, [provePdf]],
  [/^PK/, [proveZip]],
  [/^OggS/, [proveOgg]],
  [/^.E\xdf\xa3/s, [proveWebm]],
  [/^(?:ID3|\xff[\xe0-\xff])/, [proveMp3]],
];

/** Undefined: none of the types that can be proved. Throws OverBudget. */
export function proveMediaType(source: FileBytes): Proof | undefined {
  const file = readWithinBudget(source);
  const opening = file.read(0, 16).toString('latin1');
  const candidates = openings.find(([pattern]) => pattern.test(opening))?.[1] ?? [];
  for (const prove of candidates) {
    const proof = prove(file);
    if (proof !== undefined) return rejectPolyglot(file, proof);
  }
  return proveText(file);
}

function rejectPolyglot(file: FileBytes, proof: Proof): Proof {
  if (proof.kind === 'corrupt' || isArchive(proof)) return proof;
  const face = findPolyglot(file, proof.type);
  return face === undefined ? proof : corrupt(proof.type, face);
}

function isArchive({ type }: Proof): boolean {
  return /zip|officedocument|opendocument/.test(type);
}
