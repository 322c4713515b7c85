// Bounds the framing of a chunked body: parsing chunks of a few bytes costs the main thread far more than their content is worth.
import type { IncomingMessage } from 'node:http';

/** Framing bytes that are always allowed: about six thousand chunks of any size. */
const freeFramingBytes = 32 * 1024;
/**
 * Framing bytes allowed per content byte. A chunk has at least five framing bytes, so an average chunk must hold ten content bytes.
 * A client that sends a table row by row stays within this bound.
 */
const mostShare = 1 / 2;
const refused = new WeakSet<IncomingMessage>();

/** Only a body without a declared length can be split into any number of chunks. */
function isChunked({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers?.['transfer-encoding'] !== undefined;
}

/** True if the rest of the body may be expensive to read: its chunks were too small, or no chunk was read yet. */
export function mayBeCostly(request: IncomingMessage): boolean {
  return isChunked(request) && (refused.has(request) || !request.readableDidRead);
}

/** The returned function takes the number of content bytes since this call. It returns true if the framing exceeds its bound. */
export function watchFraming(request: IncomingMessage): (contentBytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  const { socket } = request;
  const before = socket.bytesRead - request.readableLength;
  return (contentBytes) => {
    const framing = socket.bytesRead - before - contentBytes - request.readableLength;
    // A complete body causes no more cost, and bytes read after it belong to the next request.
    const isTooMuch = !request.complete && framing > freeFramingBytes + contentBytes * mostShare;
    if (isTooMuch) refused.add(request);
    return isTooMuch;
  };
}
