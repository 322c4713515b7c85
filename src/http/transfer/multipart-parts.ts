// A multipart form as a stream of parts, in the order of the body; whoever takes the parts sets the pace.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { UploadPart } from '../../files/take-parts.ts';
import type { BodyBound } from '../../files/upload-file.ts';
import { uploadTimes } from '../../files/upload-times.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failure.ts';
import { type BodyTimes, bodyOf } from './upload-body.ts';

/** A parser that has the whole form ends it in the same turn of the loop; this long is far more than that. */
const endMilliseconds = 1000;

/** What the parser has told so far, and whether more may come. */
type Telling = {
  readonly queue: UploadPart[];
  failure: Failure | undefined;
  /** The parser has ended the form. */
  isDone: boolean;
  /** The parser has all of the body. */
  isFed: boolean;
  /** The first reason counts; whoever waits, for a part or for bytes of the file, is told. */
  fail(reason: Failure): void;
  /** Somebody waits for this: something has changed. */
  tell(): void;
};

export async function* multipartParts(
  request: IncomingMessage,
  bound: BodyBound,
  times: BodyTimes = uploadTimes,
): AsyncIterable<UploadPart> {
  const parser = createParser(request);
  const over = new AbortController();
  let wake: () => void = () => undefined;
  const telling = listen(parser, () => wake());
  // The parser may itself be waiting for the disk, which is given up after one such time.
  const milliseconds = 2 * times.stepMilliseconds;
  const wait = (event: 'drain' | 'finish') =>
    waitFor(once(parser, event, { signal: over.signal }), { milliseconds, late: malformed });
  feed(bodyOf(request, bound.bytes, times), parser, bound, wait)
    .then(() => {
      telling.isFed = true;
      telling.tell();
      return telling.isDone ? undefined : wait('finish');
    })
    .catch((error: unknown) => telling.fail(error instanceof Failure ? error : malformed()));
  try {
    for (;;) {
      const part = telling.queue.shift();
      if (part !== undefined) yield part;
      else if (telling.failure !== undefined) throw telling.failure;
      else if (telling.isDone) return;
      else {
        const told = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Feeding ends by itself. The parser waits for ever for the end of a part whose headers have none.
        await (telling.isFed ? waitFor(told, { milliseconds: endMilliseconds, late: malformed }) : told);
      }
    }
  } finally {
    over.abort();
    parser.destroy();
  }
}

function listen(parser: BusboyInstance, tell: () => void): Telling {
  let file: Readable | undefined;
  const telling: Telling = {
    queue: [],
    failure: undefined,
    isDone: false,
    isFed: false,
    fail: (reason) => {
      telling.failure ??= reason;
      // Whoever reads the file would wait for ever: the parser ends it only with the form.
      file?.destroy(telling.failure);
      tell();
    },
    tell,
  };
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) telling.fail(new Failure('REQUEST_INVALID', { field: 'form' }));
    else telling.queue.push({ kind: 'field', name, value });
    tell();
  });
  parser.on('file', (field, stream, name, _encoding, type) => {
    stream.on('error', () => telling.fail(malformed()));
    if (field !== 'file') return void stream.resume();
    file = stream;
    // The parser says text/plain for a part that declares nothing, so that word says nothing here.
    const declared = type === 'text/plain' ? undefined : type;
    telling.queue.push({ kind: 'file', name, type: declared, bytes: whole(stream as AsyncIterable<Buffer>, telling) });
    tell();
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => telling.fail(malformed()));
  parser.on('error', () => telling.fail(malformed()));
  parser.on('finish', () => {
    telling.isDone = true;
    tell();
  });
  return telling;
}

function malformed(): Failure {
  return new Failure('FILE_MALFORMED');
}

/** A part that breaks off is told by what broke it: the body that ended, or the form that is malformed. */
async function* whole(stream: AsyncIterable<Buffer>, telling: Telling): AsyncIterable<Buffer> {
  try {
    yield* stream;
  } catch {
    throw telling.failure ?? malformed();
  }
}

function createParser(request: IncomingMessage): BusboyInstance {
  const type = request.headers['content-type'] ?? '';
  // A boundary may have 70 characters (RFC 2046 section 5.1.1); without one there is nothing to find.
  if (!/boundary=("[^"]{1,70}"|[^\s;"]{1,70})/i.test(type)) throw malformed();
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: {
        files: 2,
        fields: 10,
        parts: 12,
        fieldNameSize: 100,
        fieldSize: 1024,
        headerPairs: 32,
        headerSize: 8192,
      },
      preservePath: false,
    });
  } catch {
    throw malformed();
  }
}

/** All of the body is counted: parts that nobody wants, and what stands before the first, would otherwise have no end. */
async function feed(
  body: AsyncIterable<Buffer>,
  parser: BusboyInstance,
  { bytes, refusal }: BodyBound,
  wait: (event: 'drain') => Promise<unknown>,
): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bytes) throw refusal;
    if (!parser.write(chunk)) await wait('drain');
  }
  parser.end();
}
