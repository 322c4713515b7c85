// Examines a spool synchronously, in a thread that does nothing else.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { examine } from '../../files/examine.ts';
import type { Findings, Question } from '../../files/examiner.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FileBytes } from '../../media/media-type.ts';
import type { Piece } from '../../media/strip/pieces.ts';

export type SpoolTask = {
  readonly path: string;
  readonly size: number;
  /** Where to write the stripped file. */
  readonly strippedPath: string;
  /** Undefined: compute only the fingerprint. */
  readonly question: Question | undefined;
};

export type SpoolAnswer = Partial<Findings> & { readonly isStripped: boolean };

/** Larger pieces would not stay in the cache of a processor. */
const pieceBytes = 256 * 1024;
/** Shared by all hashing and copying. A file that fits into it is read once. */
const buffer = Buffer.allocUnsafeSlow(2 ** 20);

/** Throws a Failure if the file is refused. Passes on other errors. */
export function examineSpool({ path, size, strippedPath, question }: SpoolTask): SpoolAnswer {
  const descriptor = openSync(path, 'r');
  try {
    const source = openSource(descriptor, size);
    if (question === undefined) return { fingerprint: hashOf(source), isStripped: false };
    let fingerprint = question.digest === undefined ? undefined : hashOf(source);
    if (fingerprint !== undefined && Buffer.from(fingerprint, 'hex').toString('base64') !== question.digest)
      throw new Failure('FILE_DIGEST_MISMATCH');
    const { examined, pieces } = examine(source.file, question);
    if (question.needsFingerprint || pieces === undefined) fingerprint ??= hashOf(source);
    const kept = pieces === undefined ? { size, sha256: fingerprint ?? '' } : assemble(source, pieces, strippedPath);
    return { examined, kept, fingerprint, isStripped: pieces !== undefined };
  } finally {
    closeSync(descriptor);
  }
}

/** A file as the proofs read it, and in consecutive pieces that are valid until the next one. */
type Source = {
  readonly file: FileBytes;
  eachPiece(from: number, to: number, take: (bytes: Buffer) => void): void;
};

function openSource(descriptor: number, size: number): Source {
  return size <= buffer.length ? inMemory(descriptor, size) : onDisk(descriptor, size);
}

function inMemory(descriptor: number, size: number): Source {
  const bytes = buffer.subarray(0, size);
  if (fill(descriptor, bytes, 0) < size) throw cutShort();
  return {
    file: { size, read: (position, length) => bytes.subarray(position, position + length) },
    eachPiece: (from, to, take) => take(bytes.subarray(from, to)),
  };
}

function onDisk(descriptor: number, size: number): Source {
  return {
    file: {
      size,
      read: (position, length) => {
        const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
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
function assemble({ eachPiece }: Source, pieces: readonly Piece[], path: string): { size: number; sha256: string } {
  const hash = createHash('sha256');
  const target = openSync(path, 'wx', 0o600);
  let size = 0;
  const write = (bytes: Buffer) => {
    hash.update(bytes);
    for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done, size + done);
    size += bytes.length;
  };
  try {
    for (const piece of pieces) {
      if ('bytes' in piece) write(piece.bytes);
      else eachPiece(piece.from, piece.to, write);
    }
    return { size, sha256: hash.digest('hex') };
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(target);
  }
}

function cutShort(): Error {
  return Object.assign(new Error('the spool is shorter than the bytes written to it'), {
    code: 'EIO',
    syscall: 'read',
  });
}
