// Reads a raw body, or JSON with base64 content, as a stream of parts. Multipart is in multipart-parts.ts.

import type { IncomingMessage } from 'node:http';
import type { BodyBound } from '../../files/spool/body-bound.ts';
import type { ContentDigest } from '../../files/uploads/content-digest.ts';
import type { UploadPart } from '../../files/uploads/take-parts.ts';
import { longestOf, uploadTimes } from '../../files/uploads/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import { createTurns } from '../../kernel/work/turns.ts';
import { checkTree, readJsonObject } from '../server/json-body.ts';
import { withDigests } from './body-digests.ts';
import { type BodyTimes, bodyOf, declaredBytes, toFailure } from './upload-body.ts';

const jsonFileBytes = 1024 * 1024;
/** Everything except the content: names, types, unknown fields, white space. */
const restBytes = 64 * 1024;
/** Commas and opening brackets outside the content. Each has another byte next to it, so more of them do not fit into `restBytes`. */
const mostMarks = restBytes / 2;
export const jsonBodyBytes = longestBody(jsonFileBytes);
/** Memory limit for all JSON bodies that are arriving. */
const jsonMemoryBytes = 64 * 1024 * 1024;
/** The share of it for the bodies of one user. What finds no room waits unread. */
const userShare = 1 / 4;
const mostWaiting = { most: 1024, mostOfOne: 128 };

export type UploadForm = 'multipart' | 'json' | 'raw';

/** A content type without its parameters. Empty without one. */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function formOf(contentType: string | undefined): UploadForm {
  const essence = essenceOf(contentType);
  if (essence === 'multipart/form-data') return 'multipart';
  return essence === 'application/json' ? 'json' : 'raw';
}

export async function* rawParts(
  request: IncomingMessage,
  name: string | undefined,
  bound: BodyBound,
  times: BodyTimes = uploadTimes,
  digests: readonly ContentDigest[] = [],
): AsyncIterable<UploadPart> {
  const bytes = withDigests(bodyOf(request, bound.bytes, times), digests);
  yield { kind: 'file', name, type: request.headers['content-type'], bytes };
}

export type JsonParts = (
  request: IncomingMessage,
  userId: UserId,
  mostBytes: number,
  times?: BodyTimes,
  /** Ends the wait of an upload whose client is gone. */
  signal?: AbortSignal,
  digests?: readonly ContentDigest[],
) => AsyncIterable<UploadPart>;

/** For small files: reads and parses the whole body in memory. All JSON uploads share one memory limit, by the length of their bodies. */
export function createJsonParts(memoryBytes = jsonMemoryBytes): JsonParts {
  const turns = createTurns({
    most: memoryBytes,
    mostOfOne: memoryBytes * userShare,
    waiting: mostWaiting,
    refuse: noMemory,
  });
  return async function* jsonParts(request, userId, mostBytes, times = uploadTimes, signal, digests = []) {
    // The uploads before it may all be as slow as an upload may be.
    const milliseconds = longestOf(times, jsonBodyBytes);
    const patience = { milliseconds, late: noMemory, signal };
    const weight = Math.min(declaredBytes(request), jsonBodyBytes);
    const endTurn = await turns.take(userId, (turn) => waitFor(turn, patience).catch(toFailure), weight);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      await withDigests(bodyOf(request, jsonBodyBytes, times), digests).give((chunk) => {
        size += chunk.length;
        if (size > jsonBodyBytes) throw jsonTooLarge(mostBytes);
        chunks.push(chunk);
        return undefined;
      });
      // Only the decoded file stays in memory while it is stored.
      yield* partsOf(Buffer.concat(chunks.splice(0)), mostBytes);
    } finally {
      endTurn();
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

/** Runs before parsing: a body with a million values would need a hundred times its size in memory. */
function refuseMarks(body: Buffer): void {
  let marks = 0;
  for (const mark of [',', '[', '{']) {
    for (let at = body.indexOf(mark); at !== -1 && marks <= mostMarks; at = body.indexOf(mark, at + 1)) marks += 1;
  }
  if (marks > mostMarks) throw new Failure('JSON_INVALID');
}

/** Base64 is a third longer than the file. Some encoders escape slashes, and every character may be a slash. */
function longestBody(fileBytes: number): number {
  return 2 * Math.ceil((fileBytes * 4) / 3) + restBytes;
}

/** Many clients write `null` for a field that they leave out. */
function shortText(value: Record<string, unknown>, field: string): string | undefined {
  const text = value[field];
  if (text === undefined || text === null) return undefined;
  if (typeof text !== 'string' || text.length > 1024) throw new Failure('REQUEST_INVALID', { field });
  return text;
}

/** Accepts both alphabets, with or without padding. Refuses white space and any other character that is not base64. */
function decodeContent(content: unknown): Buffer {
  const characters = typeof content === 'string' ? /^([\w+/-]*)={0,2}$/.exec(content)?.[1] : undefined;
  // A single character after complete groups does not encode a byte.
  if (characters === undefined || characters.length % 4 === 1)
    throw new Failure('REQUEST_INVALID', { field: 'content' });
  return Buffer.from(characters, 'base64');
}

async function* inOnePiece(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}

/** The limit also names the form that allows larger files. It uses content types, which need no translation. */
export function jsonTooLarge(mostBytes: number): Failure {
  const [json, other] = [formatBytes(jsonFileBytes), formatBytes(mostBytes)];
  return new Failure('FILE_TOO_LARGE', { limit: `${json} (application/json), ${other} (multipart/form-data)` });
}

function noMemory(): Failure {
  const cause = new Error('running JSON uploads have reached their memory limit');
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, cause);
}
