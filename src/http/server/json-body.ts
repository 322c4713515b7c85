// Reads a JSON body with limits on size, time and depth, and refuses names and texts that parsers or databases treat differently.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../kernel/failure.ts';
import { formatBytes } from '../../kernel/text/format-bytes.ts';
import { allowContinue } from './connections/expect-continue.ts';
import { serverTimes } from './server-times.ts';

/** Of every route that names no other limit. */
export const maxBodyBytes = 16 * 1024;
const maxDepth = 32;

export async function readBytes(
  stream: IncomingMessage,
  milliseconds = serverTimes.bodyMilliseconds,
  most = maxBodyBytes,
): Promise<Buffer> {
  const length = Number(stream.headers['content-length'] ?? 0);
  if (length > most) throw tooLarge(most);
  allowContinue(stream);
  // A small body arrives with its head: then it needs no events and no timer. Node runs this line after the parser has handed over
  // the bytes, and before it calls the request complete, so the declared length says whether they are all here.
  await Promise.resolve();
  const isHere = stream.complete || (length > 0 && stream.readableLength === length);
  return isHere ? takeWhole(stream, most) : gather(stream, milliseconds, most);
}

function takeWhole(stream: IncomingMessage, most: number): Buffer {
  if (stream.readableLength > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) chunks.push(chunk as Buffer);
  return joined(chunks);
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function gather(stream: IncomingMessage, milliseconds: number, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(new Failure('REQUEST_TIMEOUT')), milliseconds);
    const finish = (failure?: Failure) => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      if (failure !== undefined) reject(failure);
      else resolve(joined(chunks));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) finish(tooLarge(most));
      else chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onCut = () => finish(new Failure('REQUEST_INVALID', { field: 'body' }));
    stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  const value = readJsonObject(bytes);
  checkTree(value);
  return value;
}

/** Does not check the fields: call `checkTree` for that. */
export function readJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw new Failure('JSON_INVALID');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new Failure('JSON_INVALID');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Failure('JSON_INVALID');
  return value as Record<string, unknown>;
}

/** Uses no recursion, so deeply nested input cannot exhaust the stack. */
export function checkTree(root: object): void {
  const open: { node: object; depth: number; path: string }[] = [{ node: root, depth: 1, path: '' }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (entry.depth > maxDepth) throw new Failure('JSON_INVALID');
    const fields = entry.node as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (name === '__proto__') throw new Failure('JSON_INVALID');
      const path = entry.path === '' ? name : entry.path;
      if (!isPlainText(name)) throw new Failure('REQUEST_INVALID', { field: 'body' });
      if (typeof value === 'string' && !isPlainText(value))
        throw new Failure('REQUEST_INVALID', { field: shownName(path) });
      if (typeof value === 'object' && value !== null) open.push({ node: value, depth: entry.depth + 1, path });
    }
  }
}

/** PostgreSQL refuses NUL, and UTF-8 cannot encode half of a surrogate pair. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Answers repeat a field name from the request only if it is short and harmless. */
export function shownName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : 'body';
}

function tooLarge(most: number): Failure {
  return new Failure('BODY_TOO_LARGE', { limit: formatBytes(most) });
}
