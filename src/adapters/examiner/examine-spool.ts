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

/** Shared by all hashing and copying. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Throws a Failure if the file is refused. Passes on other errors. */
export function examineSpool({ path, size, strippedPath, question }: SpoolTask): SpoolAnswer {
  const descriptor = openSync(path, 'r');
  try {
    if (question === undefined) return { fingerprint: hashOf(descriptor, size), isStripped: false };
    let fingerprint = question.digest === undefined ? undefined : hashOf(descriptor, size);
    if (fingerprint !== undefined && Buffer.from(fingerprint, 'hex').toString('base64') !== question.digest)
      throw new Failure('FILE_DIGEST_MISMATCH');
    const file = bytesOf(descriptor, size);
    const { examined, pieces } = examine(file, question);
    if (question.needsFingerprint || pieces === undefined) fingerprint ??= hashOf(descriptor, size);
    const kept =
      pieces === undefined ? { size, sha256: fingerprint ?? '' } : assemble(descriptor, pieces, strippedPath);
    return { examined, kept, fingerprint, isStripped: pieces !== undefined };
  } finally {
    closeSync(descriptor);
  }
}

function bytesOf(descriptor: number, size: number): FileBytes {
  return {
    size,
    read: (position, length) => {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - position)));
      return bytes.subarray(0, fill(descriptor, bytes, position));
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

function hashOf(descriptor: number, size: number): string {
  const hash = createHash('sha256');
  eachPiece(descriptor, 0, size, (bytes) => hash.update(bytes));
  return hash.digest('hex');
}

function eachPiece(descriptor: number, from: number, to: number, take: (bytes: Buffer) => void): void {
  for (let at = from; at < to; at += buffer.length) {
    const wanted = Math.min(buffer.length, to - at);
    const count = fill(descriptor, buffer.subarray(0, wanted), at);
    if (count < wanted) throw cutShort();
    take(buffer.subarray(0, wanted));
  }
}

/** Writes the pieces to a new file. Removes the file if that fails. */
function assemble(descriptor: number, pieces: readonly Piece[], path: string): { size: number; sha256: string } {
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
      else eachPiece(descriptor, piece.from, piece.to, write);
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
