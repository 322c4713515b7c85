// Takes the body of one request into the parts of an upload, until it ends or is cut.
import { Failure } from '../../kernel/failure.ts';
import type { BodyBound } from '../spool/body-bound.ts';
import { createGathered } from '../spool/gather.ts';
import { type NextChunk, readUntil } from '../spool/read-until.ts';
import type { Wait } from '../uploads/upload-in-time.ts';
import type { PartWriter } from './part-store.ts';
import { flushBytes } from './resumable-upload.ts';
import type { CutReason, RunningAppend } from './running-uploads.ts';
import { type UploadRequest, uploadTakenOver } from './upload-request.ts';

type OnBytes = {
  /** Called with each chunk, in their order. */
  readonly add: (chunk: Buffer) => void;
  /** Called after each `flushBytes`. */
  readonly onFull: () => Promise<void>;
};

/** Why the body ended early, or undefined at its end. Errors of the storage are thrown. */
export async function takeBody(
  request: UploadRequest,
  bound: BodyBound,
  running: RunningAppend,
  parts: PartWriter,
  wait: Wait,
  { add, onFull }: OnBytes,
): Promise<unknown> {
  if (request.bodyLength === 0) return undefined;
  const gathered = createGathered((bytes) => parts.write(bytes), {
    inTime: (writing) => wait(writing, 'step'),
    isLarge: true,
  });
  /** Bytes of this request that have arrived, and of these, those after the last `onFull`. */
  let [arrived, held] = [0, 0];
  const signal = AbortSignal.any([request.signal, running.signal]);
  const body = readUntil(request.body(bound), signal, 'taken over' satisfies CutReason);
  try {
    for (;;) {
      const next = await body.next();
      if (next.kind !== 'chunk') {
        await gathered.flush();
        return troubleOf(next, running.signal);
      }
      arrived += next.chunk.length;
      if (arrived > bound.bytes) return bound.refusal;
      add(next.chunk);
      for (let at = 0; at < next.chunk.length; ) {
        const piece = next.chunk.subarray(at, at + flushBytes - held);
        await gathered.write(piece);
        at += piece.length;
        held += piece.length;
        if (held < flushBytes) continue;
        await gathered.flush();
        await onFull();
        held = 0;
      }
    }
  } finally {
    gathered.end();
  }
}

/** Undefined at the end of the body. */
function troubleOf(next: Exclude<NextChunk, { kind: 'chunk' }>, signal: AbortSignal): unknown {
  if (next.kind === 'failed') return next.error;
  return next.kind === 'cut' ? reasonOf(signal) : undefined;
}

/** The client has disconnected, or a newer request wants to know the offset, or the service stops. */
function reasonOf({ aborted, reason }: AbortSignal): Failure {
  if (!aborted) return new Failure('FILE_INCOMPLETE');
  if (reason === ('stopping' satisfies CutReason)) return new Failure('SERVICE_STOPPING', { retryAfterSeconds: 1 });
  return uploadTakenOver();
}
