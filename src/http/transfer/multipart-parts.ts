// Reads a multipart form as a stream of parts in the order of the body. The consumer sets the pace.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance, Dicer } from '@fastify/busboy';
import type { BodyBound } from '../../files/spool/body-bound.ts';
import type { ContentDigest } from '../../files/uploads/content-digest.ts';
import type { UploadPart } from '../../files/uploads/take-parts.ts';
import { uploadTimes } from '../../files/uploads/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import { withDigests } from './body-digests.ts';
import { readDispositionName } from './disposition-name.ts';
import { type Body, type BodyTimes, bodyOf } from './upload-body.ts';

/** What the parser has reported so far. */
type ParserState = {
  readonly queue: UploadPart[];
  failure: Failure | undefined;
  /** The parser has finished the form. */
  isDone: boolean;
  /** The parser has the whole body. */
  isFed: boolean;
  /** Keeps the first reason, and passes it to the consumer, which waits for a part or for bytes of the file. */
  fail(reason: Failure): void;
  /** Wakes the consumer after a change of this state. */
  notify(): void;
};

/** `endMilliseconds`: a parser with the complete form finishes in the same turn of the event loop. One second is far more time. */
export async function* multipartParts(
  request: IncomingMessage,
  bound: BodyBound,
  times: BodyTimes = uploadTimes,
  digests: readonly ContentDigest[] = [],
  endMilliseconds = 1000,
): AsyncIterable<UploadPart> {
  const parser = createParser(request);
  const abandoned = new AbortController();
  let wake: () => void = () => undefined;
  const state = listen(parser, () => wake());
  // The parser may itself wait for the disk, and a wait for the disk fails after one step.
  const milliseconds = 2 * times.stepMilliseconds;
  const wait = (event: 'drain' | 'finish') =>
    waitFor(once(parser, event, { signal: abandoned.signal }), { milliseconds, late: malformed });
  feed(withDigests(bodyOf(request, bound.bytes, times), digests), parser, bound, wait)
    .then(() => {
      state.isFed = true;
      state.notify();
      return state.isDone ? undefined : wait('finish');
    })
    .catch((error: unknown) => state.fail(error instanceof Failure ? error : malformed()));
  try {
    for (;;) {
      const part = state.queue.shift();
      if (part !== undefined) yield part;
      else if (state.failure !== undefined) throw state.failure;
      // What follows the form counts for the digests.
      else if (state.isDone && (state.isFed || digests.length === 0)) return;
      else {
        const change = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Feeding has its own time-out. The parser would wait for ever for part headers that never end.
        await (state.isFed ? waitFor(change, { milliseconds: endMilliseconds, late: malformed }) : change);
      }
    }
  } finally {
    abandoned.abort();
    parser.destroy();
  }
}

function listen(parser: BusboyInstance, notify: () => void): ParserState {
  const sent = watchHeaders(parser);
  let file: Readable | undefined;
  const state: ParserState = {
    queue: [],
    failure: undefined,
    isDone: false,
    isFed: false,
    fail: (reason) => {
      state.failure ??= reason;
      // The parser ends the file only with the form, so the reader of the file would wait for ever.
      file?.destroy(state.failure);
      notify();
    },
    notify,
  };
  // The types of the parser do not say so, but a part may have no name.
  parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
    if (nameCut || valueCut) state.fail(new Failure('REQUEST_INVALID', { field: 'form' }));
    else if (name !== undefined) state.queue.push({ kind: 'field', name, value });
    notify();
  });
  parser.on('file', (field, stream, name) => {
    stream.on('error', () => state.fail(malformed()));
    if (field !== 'file') return void stream.resume();
    file = stream;
    const bytes = readFile(stream as AsyncIterable<Buffer>, state);
    state.queue.push({ kind: 'file', name: nameOf(name, sent.disposition), type: sent.type, bytes });
    notify();
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => state.fail(malformed()));
  parser.on('error', () => state.fail(malformed()));
  parser.on('finish', () => {
    state.isDone = true;
    notify();
  });
  return state;
}

/** The parser reads every name as UTF-8, puts a mark where it is not, and leaves what HTML escapes in the name of a file. */
function nameOf(read: string | undefined, disposition: string | undefined): string | undefined {
  const isOther = read?.includes('\ufffd') === true && disposition !== undefined;
  if (isOther) return readDispositionName(disposition, { multipart: true });
  return read?.replaceAll('%22', '"').replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n');
}

/**
 * Headers of the current part as they were sent. The parser itself reports its type without its charset, and text/plain for a part
 * without one. Only its inner parser sees the headers of a part.
 */
function watchHeaders(parser: BusboyInstance): { readonly type?: string; readonly disposition?: string } {
  const sent: { type?: string; disposition?: string } = {};
  const inner: unknown = Reflect.get(Object(Reflect.get(parser, '_parser')), 'parser');
  if (!(inner instanceof Dicer)) throw new Error('the multipart parser has no inner parser');
  inner.prependListener('part', (part) => {
    delete sent.type;
    delete sent.disposition;
    part.on('header', (header) => {
      const [type, disposition] = ['content-type', 'content-disposition'].map((name) => firstOf(header, name));
      if (type !== undefined) sent.type = type;
      if (disposition !== undefined) sent.disposition = disposition;
    });
  });
  return sent;
}

function firstOf(header: object, name: string): string | undefined {
  const values: unknown = Reflect.get(header, name);
  return Array.isArray(values) && typeof values[0] === 'string' ? values[0] : undefined;
}

function malformed(): Failure {
  return new Failure('FILE_MALFORMED');
}

/** If the part breaks off, throws the original reason: the body ended early, or the form is malformed. */
async function* readFile(stream: AsyncIterable<Buffer>, state: ParserState): AsyncIterable<Buffer> {
  try {
    yield* stream;
  } catch {
    throw state.failure ?? malformed();
  }
}

function createParser(request: IncomingMessage): BusboyInstance {
  const type = request.headers['content-type'] ?? '';
  // RFC 2046 section 5.1.1: a boundary has at most 70 characters. Without one the parser finds no parts.
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

/** Counts the whole body, because ignored parts and the preamble could otherwise be endless. */
async function feed(
  body: Pick<Body, 'give'>,
  parser: BusboyInstance,
  { bytes, refusal }: BodyBound,
  wait: (event: 'drain') => Promise<unknown>,
): Promise<void> {
  let size = 0;
  await body.give((chunk) => {
    size += chunk.length;
    if (size > bytes) throw refusal;
    return parser.write(chunk) ? undefined : wait('drain').then(() => undefined);
  });
  parser.end();
}
