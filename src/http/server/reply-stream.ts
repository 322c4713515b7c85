// Sends a stream as the body of an answer. If it breaks, so does the connection: a truncated body must not look complete.
import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';

/** `begin` is called before the first byte. The promise ends then, and fails if the source or `begin` fails before. */
export function pipeTo(source: Readable, response: ServerResponse, begin: () => void): Promise<void> {
  // A client that left while the source was opened has closed the response already.
  if (response.destroyed) source.destroy();
  else response.once('close', () => source.destroy());
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    finished(source, { writable: false }, (error) => {
      if (error === undefined || error === null) return;
      if (hasBegun) response.destroy();
      // Nobody waits for an answer if the client is gone.
      if (response.destroyed) resolve();
      else reject(error);
    });
    // A source without content is readable too, when it ends.
    source.once('readable', () => {
      if (response.destroyed) return;
      try {
        begin();
      } catch (error) {
        reject(error);
        source.destroy();
        return;
      }
      hasBegun = true;
      source.pipe(response);
      resolve();
    });
  });
}
