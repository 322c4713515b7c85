// The three request forms of an upload, each as the same stream of parts: multipart, raw body, JSON with base64.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { UploadPart } from '../files/take-parts.ts';
import type { BodyBound } from '../files/upload-file.ts';
import { Failure } from '../kernel/failure.ts';
import { type ContentSplitter, createContentSplitter, restBytes } from './content-splitter.ts';
import { allowContinue } from './expect-continue.ts';
import { parseJsonObject } from './json-body.ts';

const idleMilliseconds = 30_000;
/** After so long an upload must have come at this pace at least, or one byte now and then would hold its place for ever. */
const patienceMilliseconds = 60_000;
const slowestBytesPerSecond = 1024;
/** A parser that has the whole form ends it in the same turn of the loop; this long is far more than that. */
const endMilliseconds = 1000;
const jsonFileBytes = 10 * 1024 * 1024;
/** Base64 makes a third more of them, and some writers escape the slash, which may be every letter of it. */
export const jsonBodyBytes = 2 * Math.ceil((jsonFileBytes * 4) / 3) + restBytes;

export type UploadForm = 'multipart' | 'json' | 'raw';

export function formOf(contentType: string | undefined): UploadForm {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (essence === 'multipart/form-data') return 'multipart';
  return essence === 'application/json' ? 'json' : 'raw';
}

export async function* rawParts(request: IncomingMessage, name: string | undefined): AsyncIterable<UploadPart> {
  yield { kind: 'file', name, type: request.headers['content-type'], bytes: givenBack(bodyOf(request)) };
}

/** The content is decoded as it comes; what else the object says is known at its end, wherever it stands. */
export async function* jsonParts(request: IncomingMessage): AsyncIterable<UploadPart> {
  const splitter = createContentSplitter();
  const content = contentOf(givenBack(bodyOf(request)), splitter);
  const begin = await content.next();
  if (begin.done !== true)
    yield { kind: 'file', name: undefined, type: undefined, bytes: continued(begin.value, content) };
  const { purpose, name, type, content: emptied = '' } = parseJsonObject(splitter.rest());
  for (const [field, value] of Object.entries({ purpose, name, type, content: emptied })) {
    if (value !== undefined && (typeof value !== 'string' || value.length > 1024))
      throw new Failure('REQUEST_INVALID', { field });
  }
  if (purpose !== undefined) yield { kind: 'field', name: 'purpose', value: purpose as string };
  yield { kind: 'label', name: name as string | undefined, type: type as string | undefined };
}

/** Yields first when the content begins, then while it lasts; reads the body to its end. */
async function* contentOf(body: AsyncIterable<Buffer>, splitter: ContentSplitter): AsyncGenerator<Buffer> {
  let bodySize = 0;
  let fileSize = 0;
  for await (const chunk of body) {
    bodySize += chunk.length;
    const bytes = splitter.take(chunk);
    fileSize += bytes?.length ?? 0;
    if (fileSize > jsonFileBytes || bodySize > jsonBodyBytes) throw new Failure('FILE_TOO_LARGE', { limit: '10 MiB' });
    if (bytes !== undefined) yield bytes;
  }
}

async function* continued(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first;
  yield* rest;
}

/** Parts in the order of the body; the consumer's pace is the parser's. */
export async function* multipartParts(request: IncomingMessage, bound: BodyBound): AsyncIterable<UploadPart> {
  const parser = createParser(request);
  const queue: UploadPart[] = [];
  let failure: Failure | undefined;
  let isDone = false;
  let isFed = false;
  let file: Readable | undefined;
  let wake: () => void = () => undefined;
  const tell = () => wake();
  const fail = (reason: Failure) => {
    failure ??= reason;
    // Whoever reads the file would wait for ever: the parser ends it only with the form.
    file?.destroy(failure);
    tell();
  };
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) fail(new Failure('REQUEST_INVALID', { field: 'form' }));
    else queue.push({ kind: 'field', name, value });
    tell();
  });
  parser.on('file', (field, stream, name, _encoding, type) => {
    stream.on('error', () => fail(new Failure('FILE_MALFORMED')));
    if (field !== 'file') return void stream.resume();
    file = stream;
    // The parser says text/plain for a part that declares nothing, so that word says nothing here.
    const declared = type === 'text/plain' ? undefined : type;
    queue.push({ kind: 'file', name, type: declared, bytes: whole(stream as AsyncIterable<Buffer>, () => failure) });
    tell();
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new Failure('FILE_MALFORMED')));
  parser.on('error', () => fail(new Failure('FILE_MALFORMED')));
  parser.on('finish', () => {
    isDone = true;
    tell();
  });
  const feeding = feed(request, parser, bound).then(
    () => {
      isFed = true;
      tell();
    },
    (error: unknown) => fail(error instanceof Failure ? error : new Failure('FILE_INCOMPLETE')),
  );
  try {
    for (;;) {
      const part = queue.shift();
      if (part !== undefined) yield part;
      else if (failure !== undefined) throw failure;
      else if (isDone) return;
      else {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          // The parser waits for ever for the end of a part whose headers have none.
          if (isFed) timer = setTimeout(() => fail(new Failure('FILE_MALFORMED')), endMilliseconds);
        });
        clearTimeout(timer);
      }
    }
  } finally {
    parser.destroy();
    void feeding;
  }
}

/** A part that breaks off is told by what broke it: the body that ended, or the form that is malformed. */
async function* whole(stream: AsyncIterable<Buffer>, reason: () => Failure | undefined): AsyncIterable<Buffer> {
  try {
    yield* givenBack(stream);
  } catch {
    throw reason() ?? new Failure('FILE_MALFORMED');
  }
}

function createParser(request: IncomingMessage): BusboyInstance {
  const type = request.headers['content-type'] ?? '';
  // A boundary may have 70 characters (RFC 2046 section 5.1.1); without one there is nothing to find.
  if (!/boundary=("[^"]{1,70}"|[^\s;"]{1,70})/i.test(type)) throw new Failure('FILE_MALFORMED');
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
    throw new Failure('FILE_MALFORMED');
  }
}

/** All of the body is counted: parts that nobody wants, and what stands before the first, would otherwise have no end. */
async function feed(request: IncomingMessage, parser: BusboyInstance, bound: BodyBound): Promise<void> {
  let size = 0;
  for await (const chunk of bodyOf(request)) {
    size += chunk.length;
    if (size > bound.bytes) throw bound.refusal;
    if (parser.destroyed) return;
    if (!parser.write(chunk)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          parser.off('drain', go).off('close', go).off('error', go);
          resolve();
        };
        parser.on('drain', go).on('close', go).on('error', go);
      });
    }
  }
  parser.end();
}

/** Memory of a chunk is free as soon as the next one is wanted: left to the collector, those of many uploads pile up. */
async function* givenBack(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    // A part of something larger is not ours to free.
    if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
  }
}

/** The body, chunk by chunk; a client that stops sending is told so instead of being waited for. */
async function* bodyOf(request: IncomingMessage): AsyncIterable<Buffer> {
  allowContinue(request);
  const chunks = request[Symbol.asyncIterator]();
  const begin = performance.now();
  let size = 0;
  for (;;) {
    const next = await nextOrIdle(chunks);
    if (next.done === true) {
      if (!request.complete) throw new Failure('FILE_INCOMPLETE');
      return;
    }
    const chunk = next.value as Buffer;
    size += chunk.length;
    const owed = ((performance.now() - begin - patienceMilliseconds) / 1000) * slowestBytesPerSecond;
    if (size < owed) throw new Failure('REQUEST_TIMEOUT');
    yield chunk;
  }
}

async function nextOrIdle(chunks: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Failure('REQUEST_TIMEOUT')), idleMilliseconds);
  });
  try {
    return await Promise.race([chunks.next(), idle]);
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('FILE_INCOMPLETE');
  } finally {
    clearTimeout(timer);
  }
}
