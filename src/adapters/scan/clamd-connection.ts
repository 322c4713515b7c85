// Asks clamd one question on a connection of its own: sends the parts, and reads one short answer that ends with NUL.
import { connect } from 'node:net';
import type { ScanTrouble } from '../../files/uploads/scanner.ts';
import type { ClamdPlace } from './clamd-place.ts';

/** No answer is longer. The name of a signature is the only part of it that varies. */
const longestAnswerBytes = 4096;
const nul = 0;

/** The scanner does not answer as it should. */
export class ClamdTrouble extends Error {
  readonly trouble: ScanTrouble;
  /** There was a connection, and it broke before the answer. */
  readonly isCut: boolean;

  constructor(trouble: ScanTrouble, message: string, isCut = false) {
    super(message);
    this.trouble = trouble;
    this.isCut = isCut;
  }
}

export type ClamdAnswer = {
  readonly text: string;
  /** It ended with NUL. Otherwise the connection ended, and the rest may be missing. */
  readonly isWhole: boolean;
};

export type Asking = { readonly connectMilliseconds: number; readonly signal: AbortSignal };

/** Sends at the pace of clamd, one part at a time, and stops when an answer comes. Throws ClamdTrouble, and errors of the parts. */
export async function askClamd(
  place: ClamdPlace,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  { connectMilliseconds, signal }: Asking,
): Promise<ClamdAnswer> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ClamdAnswer>();
  const socket = connect({ ...place, noDelay: true });
  let received = Buffer.alloc(0);
  let isConnected = false;
  const end = (trouble: string) => {
    if (received.length > 0) resolve({ text: received.toString('latin1'), isWhole: false });
    else reject(new ClamdTrouble('unreachable', trouble, isConnected));
  };
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  const timer = setTimeout(
    () => reject(new ClamdTrouble('unreachable', `no connection within ${connectMilliseconds} ms`)),
    connectMilliseconds,
  );
  socket.once('connect', () => {
    isConnected = true;
    clearTimeout(timer);
  });
  socket.on('data', (chunk: Buffer) => {
    const ends = chunk.indexOf(nul);
    received = Buffer.concat([received, ends < 0 ? chunk : chunk.subarray(0, ends)]);
    if (received.length > longestAnswerBytes) reject(new ClamdTrouble('refused', 'the answer is too long'));
    else if (ends >= 0) resolve({ text: received.toString('latin1'), isWhole: true });
  });
  socket.once('end', () => end('it closed the connection without an answer'));
  socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  const send = async () => {
    for await (const part of parts) {
      if (socket.destroyed) return;
      await new Promise<void>((done) => void socket.write(part, () => done()));
    }
  };
  send().catch(reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}
