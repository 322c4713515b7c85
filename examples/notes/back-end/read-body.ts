// Reads the body of a request, up to a limit.
import type { IncomingMessage } from 'node:http';

const longestBody = 64 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestBody) throw new BadRequest(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A request that the caller must change. */
export class BadRequest extends Error {
  readonly status: number;

  constructor(status = 400) {
    super(`status ${status}`);
    this.status = status;
  }
}
