// Sends a stream as the body of an answer. If it breaks, so does the connection: a truncated body must not look complete.
import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';

export type StreamEvents = {
  /** Called before the first byte. */
  readonly begin: () => void;
  /** Called instead if the source fails before its first byte. */
  readonly fail: (error: unknown) => void;
};

export function pipeTo(source: Readable, response: ServerResponse, { begin, fail }: StreamEvents): void {
  let hasBegun = false;
  let hasFailed = false;
  const refuse = (error: unknown) => {
    hasFailed = true;
    source.destroy();
    fail(error);
  };
  const start = () => {
    if (hasBegun || hasFailed || response.destroyed) return;
    hasBegun = true;
    try {
      begin();
    } catch (error) {
      refuse(error);
      return;
    }
    source.pipe(response);
  };
  finished(source, { writable: false }, (error) => {
    if (error === undefined || error === null || hasFailed) return;
    if (hasBegun || response.destroyed) response.destroy();
    else refuse(error);
  });
  response.once('close', () => source.destroy());
  // A source without content is readable too, when it ends.
  source.once('readable', start);
}
