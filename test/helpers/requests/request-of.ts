// A request whose body has the given chunks. Each arrives when the one before it has been processed.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

type Facts = Partial<Pick<IncomingMessage, 'headers' | 'complete'>>;

export function requestOf(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, facts: Facts = {}): IncomingMessage {
  const rest = each(chunks);
  const body = new Readable({
    highWaterMark: 1,
    // After all promises that can settle, and before any timer.
    read: () => process.nextTick(pushNext),
  });
  const pushNext = () => {
    rest.next().then(
      ({ done, value }) => body.push(done === true ? null : value),
      (error: Error) => body.destroy(error),
    );
  };
  return Object.assign(body, { complete: true, headers: {}, ...facts }) as unknown as IncomingMessage;
}

async function* each(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield* chunks;
}
