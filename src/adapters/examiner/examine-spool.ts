// Examines a spool synchronously, in a thread that does nothing else.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { FileBytes } from '#media/media-type';
import type { Piece } from '#media/pieces';
import { segmentAt } from '../../files/spool/segments.ts';
import { examine } from '../../files/uploads/examine.ts';
import type { Findings, Question } from '../../files/uploads/examiner.ts';
import { Failure } from '../../kernel/failure.ts';
import { noteReadBytes } from '../../kernel/process/young-garbage.ts';

export type SpoolTask = {
  readonly place: FilePlace;
  readonly size: number;
  /** Undefined: compute only the fingerprint. */
  readonly question: Question | undefined;
};

/** Where the file is: in a segment, at this position of the shared memory, or on disk. The stripped file goes into the segment, or to its path. */
type FilePlace =
  | { readonly kind: 'segment'; readonly at: number }
  | { readonly kind: 'file'; readonly path: string; readonly strippedPath: string };

export type SpoolAnswer = Partial<Findings> & { readonly isStripped: boolean };

/** Larger pieces would not stay in the cache of a processor. */
const pieceBytes = 256 * 1024;
/** Shared by all hashing and copying. A file that fits into it is read once. */
const buffer = Buffer.allocUnsafeSlow(2 ** 20);

/** Throws a Failure if the file is refused. Passes on other errors. `memory` has the segments. */
export function examineSpool({ place, size, question }: SpoolTask, memory: SharedArrayBuffer): SpoolAnswer {
  if (place.kind === 'segment') {
    const source = sourceOf(Buffer.from(memory, place.at, size));
    return answerOf(source, question, (pieces) => joinInSegment(source, pieces, segmentAt(memory, place.at)));
  }
  const descriptor = openSync(place.path, 'r');
  try {
    const source = size <= buffer.length ? inMemory(descriptor, size) : onDisk(descriptor, size);
    return answerOf(source, question, (pieces) => joinOnDisk(source, pieces, place.strippedPath));
  } finally {
    closeSync(descriptor);
  }
}

type Kept = { readonly size: number; readonly sha256: string };

function answerOf(
  source: Source,
  question: Question | undefined,
  join: (pieces: readonly Piece[]) => Kept,
): SpoolAnswer {
  if (question === undefined) return { fingerprint: hashOf(source), isStripped: false };
  let fingerprint = question.digest === undefined ? undefined : hashOf(source);
  if (fingerprint !== undefined && Buffer.from(fingerprint, 'hex').toString('base64') !== question.digest)
    throw new Failure('FILE_DIGEST_MISMATCH');
  const { examined, pieces } = examine(source.file, question);
  if (question.needsFingerprint || pieces === undefined) fingerprint ??= hashOf(source);
  const kept = pieces === undefined ? { size: source.file.size, sha256: fingerprint ?? '' } : join(pieces);
  return { examined, kept, fingerprint, isStripped: pieces !== undefined };
}

/** A file as the proofs read it, and in consecutive pieces that are valid until the next one. */
type Source = {
  readonly file: FileBytes;
  eachPiece(from: number, to: number, take: (bytes: Buffer) => void): void;
};

function inMemory(descriptor: number, size: number): Source {
  const bytes = buffer.subarray(0, size);
  if (fill(descriptor, bytes, 0) < size) throw cutShort();
  return sourceOf(bytes);
}

function sourceOf(bytes: Buffer): Source {
  return {
    file: { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) },
    eachPiece: (from, to, take) => take(bytes.subarray(from, to)),
  };
}

function onDisk(descriptor: number, size: number): Source {
  return {
    file: {
      size,
      read: (position, length) => {
        const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
        noteReadBytes(bytes.length);
        return bytes.subarray(0, fill(descriptor, bytes, position));
      },
    },
    eachPiece: (from, to, take) => {
      for (let at = from; at < to; at += pieceBytes) {
        const piece = buffer.subarray(0, Math.min(pieceBytes, to - at));
        if (fill(descriptor, piece, at) < piece.length) throw cutShort();
        take(piece);
      }
    },
  };
}

/** Returns how many bytes it read: fewer than the buffer only at the end of the file. */
function fill(descriptor: number, bytes: Buffer, position: number): number {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function hashOf({ file, eachPiece }: Source): string {
  const hash = createHash('sha256');
  eachPiece(0, file.size, (bytes) => hash.update(bytes));
  return hash.digest('hex');
}

/** Writes the pieces to a new file. Removes the file if that fails. */
function joinOnDisk(source: Source, pieces: readonly Piece[], path: string): Kept {
  const target = openSync(path, 'wx', 0o600);
  try {
    return join(source, pieces, (bytes, at) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done, at + done);
    });
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(target);
  }
}

/** The pieces come from the segment that they go to, so they are copied first. */
function joinInSegment(source: Source, pieces: readonly Piece[], segment: Buffer): Kept {
  const parts: Buffer[] = [];
  const kept = join(source, pieces, (bytes) => void parts.push(bytes));
  if (kept.size > segment.length) throw new Error('the file has grown too much');
  Buffer.concat(parts).copy(segment);
  return kept;
}

function join({ eachPiece }: Source, pieces: readonly Piece[], write: (bytes: Buffer, at: number) => void): Kept {
  const hash = createHash('sha256');
  let size = 0;
  const add = (bytes: Buffer) => {
    hash.update(bytes);
    write(bytes, size);
    size += bytes.length;
  };
  for (const piece of pieces) {
    if ('bytes' in piece) add(piece.bytes);
    else eachPiece(piece.from, piece.to, add);
  }
  return { size, sha256: hash.digest('hex') };
}

function cutShort(): Error {
  return Object.assign(new Error('the spool is shorter than the bytes written to it'), {
    code: 'EIO',
    syscall: 'read',
  });
}
