// Two request forms of an upload as a stream of parts: a raw body, and JSON with base64. Multipart has a file of its own.
import type { IncomingMessage } from 'node:http';
import type { UploadPart } from '../../files/take-parts.ts';
import type { BodyBound } from '../../files/upload-file.ts';
import { uploadTimes } from '../../files/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import { formatBytes } from '../../kernel/format-bytes.ts';
import { checkTree, readJsonObject } from '../server/json-body.ts';
import { type BodyTimes, bodyOf } from './upload-body.ts';

const jsonFileBytes = 1024 * 1024;
/** Everything but the content: names, types, fields that nobody asked for, white space. */
const restBytes = 64 * 1024;
/** Commas and opening brackets outside the content: with more of them the rest would be longer, as each stands beside another byte. */
const mostMarks = restBytes / 2;
export const jsonBodyBytes = longestBody(jsonFileBytes);
/** What all JSON bodies together may hold in memory while they arrive. */
const jsonMemoryBytes = 64 * 1024 * 1024;

export type UploadForm = 'multipart' | 'json' | 'raw';

export function formOf(contentType: string | undefined): UploadForm {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (essence === 'multipart/form-data') return 'multipart';
  return essence === 'application/json' ? 'json' : 'raw';
}

export async function* rawParts(
  request: IncomingMessage,
  name: string | undefined,
  bound: BodyBound,
  times: BodyTimes = uploadTimes,
): AsyncIterable<UploadPart> {
  yield { kind: 'file', name, type: request.headers['content-type'], bytes: bodyOf(request, bound.bytes, times) };
}

export type JsonParts = (request: IncomingMessage, mostBytes: number, times?: BodyTimes) => AsyncIterable<UploadPart>;

/** For small files: the body is read whole and parsed in one piece, in memory that all such uploads share. */
export function createJsonParts(memoryBytes: number = jsonMemoryBytes): JsonParts {
  let held = 0;
  return async function* jsonParts(request, mostBytes, times = uploadTimes) {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of bodyOf(request, jsonBodyBytes, times)) {
        size += chunk.length;
        held += chunk.length;
        if (size > jsonBodyBytes) throw jsonTooLarge(mostBytes);
        if (held > memoryBytes) throw noMemory();
        chunks.push(chunk);
      }
      // Only the decoded file stays in memory while it is stored.
      yield* partsOf(Buffer.concat(chunks.splice(0)), mostBytes);
    } finally {
      held -= size;
    }
  };
}

function partsOf(body: Buffer, mostBytes: number): UploadPart[] {
  refuseMarks(body);
  const value = readJsonObject(body);
  const [purpose, name, type] = [shortText(value, 'purpose'), shortText(value, 'name'), shortText(value, 'type')];
  const { content } = value;
  const bytes = content === undefined ? undefined : decodeContent(content);
  if (body.length > longestBody(bytes?.length ?? 0)) throw new Failure('REQUEST_INVALID', { field: 'body' });
  checkTree(value);
  if (bytes !== undefined && bytes.length > jsonFileBytes) throw jsonTooLarge(mostBytes);
  const parts: UploadPart[] = [];
  if (purpose !== undefined) parts.push({ kind: 'field', name: 'purpose', value: purpose });
  if (bytes !== undefined) parts.push({ kind: 'file', name, type, bytes: inOnePiece(bytes) });
  return parts;
}

/** Before it is parsed: a million values in one body would take a hundred times its memory. */
function refuseMarks(body: Buffer): void {
  let marks = 0;
  for (const mark of [',', '[', '{']) {
    for (let at = body.indexOf(mark); at !== -1 && marks <= mostMarks; at = body.indexOf(mark, at + 1)) marks += 1;
  }
  if (marks > mostMarks) throw new Failure('JSON_INVALID');
}

/** Base64 makes a third more of a file, and some writers escape the slash, which may be every letter of it. */
function longestBody(fileBytes: number): number {
  return 2 * Math.ceil((fileBytes * 4) / 3) + restBytes;
}

function shortText(value: Record<string, unknown>, field: string): string | undefined {
  const text = value[field];
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || text.length > 1024) throw new Failure('REQUEST_INVALID', { field });
  return text;
}

/** Both alphabets, with or without padding. White space and anything else that is not base64 is refused, not skipped. */
function decodeContent(content: unknown): Buffer {
  const letters = typeof content === 'string' ? /^([\w+/-]*)={0,2}$/.exec(content)?.[1] : undefined;
  // A single letter behind whole groups holds no byte.
  if (letters === undefined || letters.length % 4 === 1) throw new Failure('REQUEST_INVALID', { field: 'content' });
  return Buffer.from(letters, 'base64');
}

async function* inOnePiece(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}

/** Names the form that takes more, in words that are the same in every language. */
export function jsonTooLarge(mostBytes: number): Failure {
  const [json, other] = [formatBytes(jsonFileBytes), formatBytes(mostBytes)];
  return new Failure('FILE_TOO_LARGE', { limit: `${json} (application/json), ${other} (multipart/form-data)` });
}

function noMemory(): Failure {
  const cause = new Error('JSON uploads under way hold as much memory as they may');
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
}
