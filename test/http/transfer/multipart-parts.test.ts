// A form read as a stream: wherever a chunk ends, the parser returns the same parts with the same bytes, and no form hangs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { multipartParts } from '../../../src/http/transfer/multipart-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';

const roomy = { bytes: 2 ** 30, refusal: new Failure('FILE_TOO_LARGE') };

/** The body as it would arrive from a socket: every chunk in its own memory. */
function requestOf(boundary: string, chunks: readonly Buffer[]): IncomingMessage {
  const own = chunks.map((chunk) => Buffer.from(new Uint8Array(chunk).buffer));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  // One at a time, because a stream would hand over everything it has ready in one piece.
  const iterate = () => Readable.from(own).iterator();
  return { complete: true, headers, [Symbol.asyncIterator]: iterate } as unknown as IncomingMessage;
}

/** The result: fields as text, the file as its hash, a refusal as its code. */
async function read(boundary: string, chunks: readonly Buffer[]): Promise<string> {
  const seen: string[] = [];
  try {
    for await (const part of multipartParts(requestOf(boundary, chunks), roomy)) {
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

function fileText(name: string, bytes: Buffer): string {
  return `${name}:${bytes.length}:${createHash('sha256').update(bytes).digest('hex')}`;
}

function formOf(boundary: string, file: Buffer): Buffer {
  const disposition = 'Content-Disposition: form-data; name=';
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${disposition}"purpose"\r\n\r\nimage\r\n--${boundary}\r\n`),
    Buffer.from(`${disposition}"file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}\r\n${disposition}"name"\r\n\r\nlast\r\n--${boundary}--\r\n`),
  ]);
}

function expected(file: Buffer): string {
  return `purpose=image ${fileText('a.png', file)} name=last`;
}

function cut(bytes: Buffer, step: number, first = step): Buffer[] {
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

describe('a form in chunks of any size', () => {
  const boundaries = ['B', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'a'.repeat(70)];

  for (const boundary of boundaries) {
    it(`a form is read completely at every position of one cut, boundary of ${boundary.length} characters`, async () => {
      const file = temptingFile(boundary, 3 * (boundary.length + 4));
      const form = formOf(boundary, file);
      for (let at = 1; at < form.length; at++)
        assert.equal(await read(boundary, cut(form, form.length, at)), expected(file), `cut at ${at}`);
    });

    it(`a form is read completely in chunks of 1 to 70 bytes, boundary of ${boundary.length} characters`, async () => {
      const file = temptingFile(boundary, 300);
      const form = formOf(boundary, file);
      for (let step = 1; step <= 70; step++)
        assert.equal(await read(boundary, cut(form, step)), expected(file), `chunks of ${step}`);
    });
  }

  it('a form is read completely when chunks end anywhere before, in and after a false delimiter', async () => {
    const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    for (let length = 1; length < delimiter.length; length++) {
      const file = Buffer.alloc(200_000, 'x');
      const before = formOf(boundary, Buffer.alloc(0)).indexOf('\r\n\r\n\r\n') + 4;
      // Each chunk but the last ends in that many bytes of the delimiter.
      for (let end = 65_536; end - before < file.length; end += 65_536)
        delimiter.copy(file, end - before - length, 0, length);
      assert.equal(await read(boundary, cut(formOf(boundary, file), 65_536)), expected(file), `${length} bytes of it`);
    }
  });

  it('a form is read completely for any content and any cuts', async () => {
    const boundary = 'ab-a';
    const letters = fc.constantFrom('\r', '\n', '-', 'a', 'b', '\r\n--', '\r\n--ab-', '\r\n--ab', 'x');
    await fc.assert(
      fc.asyncProperty(
        fc.array(letters, { maxLength: 60 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (words, cuts) => {
          const text = words.join('').replaceAll(`\r\n--${boundary}`, '');
          const file = Buffer.from(text.includes(`\r\n--${boundary}`) ? '' : text);
          const form = formOf(boundary, file);
          const places = [...new Set([0, ...cuts, form.length])].filter((at) => at <= form.length);
          places.sort((left, right) => left - right);
          const chunks = places.slice(1).map((end, index) => form.subarray(places[index], end));
          assert.equal(await read(boundary, chunks), expected(file));
        },
      ),
      { numRuns: rounds(100), seed },
    );
  });
});
