// What stands around the content of a chunked body: chunks of a few bytes cost the main thread far more than they carry.
import type { IncomingMessage } from 'node:http';

/** About six thousand chunks of any size. */
const freeBytes = 32 * 1024;
/** Each chunk has five bytes and more around it: on average it must hold twice as many, as lines of a table do that are sent one by one. */
const mostShare = 1 / 2;
const refused = new WeakSet<IncomingMessage>();

/** Whether nobody knows how long the body is: only then can it be cut into any number of chunks. */
function isChunked({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers?.['transfer-encoding'] !== undefined;
}

/** Whether reading on may be dear: the chunks were too small, or nobody has looked at one yet. */
export function mayBeDear(request: IncomingMessage): boolean {
  return isChunked(request) && (refused.has(request) || !request.readableDidRead);
}

/** Tells, after so many bytes of content, whether too much has come around them since the watch began. */
export function watchFraming(request: IncomingMessage): (contentBytes: number) => boolean {
  if (!isChunked(request)) return () => false;
  const { socket } = request;
  const before = socket.bytesRead - request.readableLength;
  return (contentBytes) => {
    const around = socket.bytesRead - before - contentBytes - request.readableLength;
    // What has come whole costs no more, and what was read behind it is of another request.
    const isTooMuch = !request.complete && around > freeBytes + contentBytes * mostShare;
    if (isTooMuch) refused.add(request);
    return isTooMuch;
  };
}
