// Bounds how finely a chunked body is cut: parsing chunks of a few bytes costs the main thread far more than their content is worth.
import type { IncomingMessage } from 'node:http';

/** Chunks of any size that are always allowed. */
const freeChunks = 6000;
/** An average chunk beyond those must hold so many bytes. A client that sends a table row by row stays within this bound. */
const leastBytes = 10;
const refused = new WeakSet<IncomingMessage>();

/** Only a body without a declared length can be split into any number of chunks. */
function isChunked({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers?.['transfer-encoding'] !== undefined;
}

/** True if the rest of the body may be expensive to read: its chunks were too small, or no chunk was read yet. */
export function mayBeCostly(request: IncomingMessage): boolean {
  return isChunked(request) && (refused.has(request) || !request.readableDidRead);
}

/** The returned function takes how many chunks arrived, and how many bytes in them. It returns true if they are too small. */
export function watchFraming(request: IncomingMessage): (chunks: number, contentBytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  return (chunks, contentBytes) => {
    // A complete body causes no more cost.
    const isTooMuch = !request.complete && chunks > freeChunks + contentBytes / leastBytes;
    if (isTooMuch) refused.add(request);
    return isTooMuch;
  };
}
