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

/** Takes the number of content bytes since the watch began. Returns true if the framing exceeds its bound. */
type IsTooMuch = (contentBytes: number, readBytes?: number) => boolean;

export function watchFraming(request: IncomingMessage): IsTooMuch {
  if (!isChunked(request)) return () => false;
  const { socket } = request;
  const before = socket.bytesRead - request.readableLength;
  return (contentBytes, readBytes = socket.bytesRead) => {
    const framing = readBytes - before - contentBytes - request.readableLength;
    // A complete body causes no more cost, and bytes read after it belong to the next request.
    const isTooMuch = !request.complete && framing > freeFramingBytes + contentBytes * mostShare;
    if (isTooMuch) refused.add(request);
    return isTooMuch;
  };
}

/**
 * For the events of a body: to be called for each chunk. A socket counts up to 64 KiB at once, and only then come their chunks, one by one.
 * So what it has read is judged when it has read more.
 */
export function watchChunks(request: IncomingMessage): (contentBytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  const { socket } = request;
  const isTooMuch = watchFraming(request);
  let [read, content] = [socket.bytesRead, 0];
  return (contentBytes) => {
    const [readBefore, contentBefore] = [read, content];
    [read, content] = [socket.bytesRead, contentBytes];
    // If chunks wait in the stream, this one may be of either.
    return read !== readBefore && isTooMuch(request.readableLength > 0 ? contentBytes : contentBefore, readBefore);
  };
}
