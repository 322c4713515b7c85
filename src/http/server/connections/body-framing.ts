// Bounds how a chunked body is cut: parsing chunks of a few bytes, or long extensions of chunks, costs the main thread far more than the content is worth.
import type { IncomingMessage } from 'node:http';

/** Chunks of any size that are always allowed. */
const freeChunks = 6000;
/** An average chunk beyond those must hold so many bytes. A client that sends a table row by row stays within this bound. */
const leastBytes = 10;
/** Bytes around the content that are always allowed. A socket reads 64 KiB before the first chunk in them is seen. Beyond them, as many as content. */
const freeFramingBytes = 192 * 1024;
const refused = new WeakSet<IncomingMessage>();
/** The bytes of the connection when the request arrived. */
const starts = new WeakMap<IncomingMessage, number>();

/** Only a body without a declared length can be split into any number of chunks. */
function isChunked({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers?.['transfer-encoding'] !== undefined;
}

/**
 * Call this when a request arrives: extensions fill no buffer, so any number of them may come before the body is read. What arrived
 * together with the head is not counted.
 */
export function noteBodyStart(request: IncomingMessage): void {
  if (isChunked(request)) starts.set(request, request.socket.bytesRead);
}

/** True if the rest of the body may be expensive to read: its chunks were too small, or no chunk was read yet. */
export function mayBeCostly(request: IncomingMessage): boolean {
  return isChunked(request) && (refused.has(request) || !request.readableDidRead);
}

/** The returned function takes how many chunks arrived, and how many bytes in them. It returns true if they are too small, or their extensions too long. */
export function watchFraming(request: IncomingMessage): (chunks: number, contentBytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  const { socket } = request;
  const before = starts.get(request) ?? socket.bytesRead - request.readableLength;
  return (chunks, contentBytes) => {
    const framing = socket.bytesRead - before - contentBytes - request.readableLength;
    const isBeyond = chunks > freeChunks + contentBytes / leastBytes || framing > freeFramingBytes + contentBytes;
    // A complete body causes no more cost, and bytes read after it belong to the next request.
    const isTooMuch = isBeyond && !request.complete;
    if (isTooMuch) refused.add(request);
    return isTooMuch;
  };
}
