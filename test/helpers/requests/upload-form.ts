// Builds forms with a file and reads them in chunks, as they would arrive from a socket.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ContentDigest } from '../../../src/files/uploads/content-digest.ts';
import { multipartParts } from '../../../src/http/transfer/multipart-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { requestOf } from './request-of.ts';

const roomy = { bytes: 2 ** 30, refusal: new Failure('FILE_TOO_LARGE', { limit: '1 KiB' }) };

/** The body as it would arrive from a socket: every chunk in its own memory. */
function formRequest(boundary: string, chunks: readonly Buffer[]): IncomingMessage {
  const own = chunks.map((chunk) => Buffer.from(new Uint8Array(chunk).buffer));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return requestOf(own, { headers });
}

/** The result: fields as text, the file as its hash, a refusal as its code. */
export async function readForm(
  boundary: string,
  chunks: readonly Buffer[],
  digests: readonly ContentDigest[] = [],
): Promise<string> {
  const seen: string[] = [];
  try {
    for await (const part of multipartParts(formRequest(boundary, chunks), roomy, undefined, digests)) {
      if (part.kind === 'field') seen.push(`${part.name}=${part.value}`);
      if (part.kind === 'file') {
        const content: Buffer[] = [];
        // Copied at once before the next is requested, as the spool does.
        for await (const piece of part.bytes) content.push(Buffer.from(piece));
        seen.push(fileText(part.name ?? '', Buffer.concat(content)));
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    seen.push(error.code);
  }
  return seen.join(' ');
}

/** The content types of the files in a form, whose part headers are given. A field with other headers comes before the file. */
export async function typesOf(header: string, before = ''): Promise<(string | undefined)[]> {
  const disposition = 'Content-Disposition: form-data; name=';
  const field = `--B\r\n${before}${disposition}"name"\r\n\r\na\r\n`;
  const file = `--B\r\n${disposition}"file"; filename="a.png"\r\n${header}\r\nwords\r\n--B--\r\n`;
  const types: (string | undefined)[] = [];
  for await (const part of multipartParts(formRequest('B', [Buffer.from(field + file)]), roomy)) {
    if (part.kind !== 'file') continue;
    types.push(part.type);
    for await (const _ of part.bytes);
  }
  return types;
}

/** The name of the file in a form, given as its bytes. */
export async function nameIn(name: Buffer): Promise<string | undefined> {
  const [head, tail] = [
    '--B\r\nContent-Disposition: form-data; name="file"; filename="',
    '"\r\n\r\nwords\r\n--B--\r\n',
  ];
  const form = Buffer.concat([Buffer.from(head), name, Buffer.from(tail)]);
  for await (const part of multipartParts(formRequest('B', [form]), roomy)) {
    if (part.kind !== 'file') continue;
    for await (const _ of part.bytes);
    return part.name;
  }
  return undefined;
}

function fileText(name: string, bytes: Buffer): string {
  return `${name}:${bytes.length}:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function formOf(boundary: string, file: Buffer): Buffer {
  const disposition = 'Content-Disposition: form-data; name=';
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${disposition}"purpose"\r\n\r\nimage\r\n--${boundary}\r\n`),
    Buffer.from(`${disposition}"file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}\r\n${disposition}"name"\r\n\r\nlast\r\n--${boundary}--\r\n`),
  ]);
}

export function formResult(file: Buffer): string {
  return `purpose=image ${fileText('a.png', file)} name=last`;
}

export function cut(bytes: Buffer, step: number, first = step): Buffer[] {
  const chunks = first > 0 ? [bytes.subarray(0, first)] : [];
  for (let at = first; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
  return chunks;
}

/** Every beginning of the delimiter, each followed by something else, repeated. */
function temptingFile(boundary: string, size: number): Buffer {
  const delimiter = `\r\n--${boundary}`;
  const beginnings = Array.from({ length: delimiter.length - 1 }, (_, index) => delimiter.slice(0, index + 1));
  const run = Buffer.from(beginnings.map((beginning) => `${beginning}\u0001`).join(''));
  return Buffer.alloc(size, run);
}

export const boundaries = ['B', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'a'.repeat(70)];

/** Cuts the form once, at each of these positions. Returns the positions at which something else is read. */
export async function findBadCuts(boundary: string, isWanted: (at: number) => boolean): Promise<number[]> {
  const file = temptingFile(boundary, 3 * (boundary.length + 4));
  const form = formOf(boundary, file);
  const bad: number[] = [];
  for (let at = 1; at < form.length; at++) {
    if (isWanted(at) && (await readForm(boundary, cut(form, form.length, at))) !== formResult(file)) bad.push(at);
  }
  return bad;
}

/** Cuts the form into chunks of each of these sizes. Returns the sizes with which something else is read. */
export async function findBadSteps(boundary: string, steps: readonly number[]): Promise<number[]> {
  const file = temptingFile(boundary, 300);
  const form = formOf(boundary, file);
  const bad: number[] = [];
  for (const step of steps) if ((await readForm(boundary, cut(form, step))) !== formResult(file)) bad.push(step);
  return bad;
}
