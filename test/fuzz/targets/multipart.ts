// Target: the reader of multipart forms. The same body gives the same parts, however it is cut into chunks.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { multipartParts } from '../../../src/http/transfer/multipart-parts.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { waitFor } from '../../../src/kernel/work/deadline.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';
import type { FuzzTarget } from '../engine/target.ts';

type Form = {
  readonly parts: readonly string[];
  readonly files: readonly Buffer[];
  readonly refusal: string | undefined;
};

const boundary = 'Xb7';
const mostBytes = 1_000;
const expected = new Set(['FILE_MALFORMED', 'FILE_TOO_LARGE', 'REQUEST_INVALID']);
/** Timers fire only when the parser has come to rest, so the shortest waits are long enough, and no result depends on them. */
const times = { ...uploadTimes, idleMilliseconds: 1, stepMilliseconds: 1, now: () => 0 };
const endMilliseconds = 1;
const hangMilliseconds = 10_000;

function formRequest(chunks: readonly Buffer[]): IncomingMessage {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return requestOf(chunks, { headers });
}

async function read(chunks: readonly Buffer[]): Promise<Form> {
  const [parts, files]: [string[], Buffer[]] = [[], []];
  const bound = { bytes: mostBytes, refusal: new Failure('FILE_TOO_LARGE', { limit: '1 KiB' }) };
  try {
    for await (const part of multipartParts(formRequest(chunks), bound, times, [], endMilliseconds)) {
      if (part.kind === 'field') {
        assert.ok(part.name.length <= 100 && part.value.length <= 1024, 'a field that is too long');
        parts.push(`${part.name}=${part.value}`);
        continue;
      }
      const content: Buffer[] = [];
      for await (const piece of part.bytes) content.push(Buffer.from(piece));
      files.push(Buffer.concat(content));
      parts.push(`${part.name} ${part.type} ${files.at(-1)?.toString('latin1')}`);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    assert.ok(expected.has(error.code), `refused with ${error.code}`);
    return { parts, files, refusal: error.code };
  }
  assert.ok(parts.length <= 12, 'too many parts');
  return { parts, files, refusal: undefined };
}

async function orHangs<T>(work: Promise<T>): Promise<T> {
  return waitFor(work, { milliseconds: hangMilliseconds, late: () => new Error('a form that hangs') });
}

/** The first byte is the length of the chunks, the second that of the first one. */
function chunksOf(input: Buffer): Buffer[] {
  const [step = 0, first = 0] = input;
  const body = input.subarray(2);
  const chunks = first === 0 ? [] : [body.subarray(0, first)];
  for (let at = first; at < body.length; at += step + 1) chunks.push(body.subarray(at, at + step + 1));
  // In memory of its own, as it arrives from a socket.
  return chunks.filter(({ length }) => length > 0).map((chunk) => Buffer.from(new Uint8Array(chunk).buffer));
}

/** The contents of the parts if the form follows RFC 2046 and 7578 to the letter, found by splitting. */
function contentsOf(body: string): string[] | undefined {
  const [before, ...pieces] = `\r\n${body}`.split(`\r\n--${boundary}`);
  const last = pieces.pop();
  if (before !== '' || pieces.length === 0 || pieces.length > 8 || (last !== '--' && last !== '--\r\n'))
    return undefined;
  const head = /^\r\n(?:[A-Za-z-]+: [ -~]{0,200}\r\n){1,6}\r\n/;
  const contents = pieces.map((piece) => {
    const found = head.exec(piece)?.[0];
    const isNamed = /^\r\nContent-Disposition: form-data; name="[a-z]{1,9}"(?:; filename="[a-z.]{1,9}")?\r\n/.test(
      found ?? '',
    );
    return found === undefined || !isNamed ? undefined : piece.slice(found.length);
  });
  return contents.every((content) => content !== undefined && content.length <= 1024)
    ? (contents as string[])
    : undefined;
}

async function run(input: Buffer): Promise<'accepted' | 'refused'> {
  const body = input.subarray(2);
  const whole = await orHangs(read([Buffer.from(body)]));
  const cut = await orHangs(read(chunksOf(input)));
  for (const { refusal } of [whole, cut])
    assert.ok(refusal !== undefined || body.length <= mostBytes, 'a form that is too large');
  for (const file of [...whole.files, ...cut.files]) assert.ok(body.includes(file), 'a file that is not in the body');
  const contents = contentsOf(body.toString('latin1'));
  // A broken form may be refused or read in part, depending on the chunks. A good one may not.
  if (contents !== undefined) {
    assert.deepEqual(cut, whole, 'the result depends on the chunks');
    for (const file of whole.files) assert.ok(contents.includes(file.toString('latin1')), 'a file that is no part');
  }
  return whole.refusal === undefined ? 'accepted' : 'refused';
}

function part(head: string, content: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
}

const forms = [
  part('name="purpose"', 'image'),
  part('name="file"; filename="a.png"\r\nContent-Type: image/png', 'abc'),
  part('name="purpose"', 'image') +
    part('name="file"; filename="ü.txt"', `x\r\n--${boundary.slice(0, -1)}y\r`) +
    part('name="name"', 'last'),
  part(`name="file"; filename*=utf-8''%e2%82%ac%20rates.txt`, ''),
  part(
    'name=file; filename="a\\"b.txt"\r\nContent-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=latin1',
    'YWJj',
  ),
  part('name="a"', '') + part('name="b"', 'x'.repeat(200)) + part('name="file"; filename=""', ''),
  part('name="other"; filename="x"', 'ignored') + part('name="file"; filename="y"', '\r\n\r\n--'),
  `preamble\r\n${part('name="file"; filename="C:\\\\folder\\\\z"\r\nX-A: b\r\n c', 'folded')}`,
].map((parts) => `${parts}--${boundary}--\r\n`);

export const targets: readonly FuzzTarget[] = [
  {
    name: 'multipart',
    promise: 'reads or refuses a form, never hangs, and the result does not depend on the chunks',
    run,
    seeds: () =>
      [...forms, `--${boundary}--`, ''].flatMap((form) =>
        [
          [0, 0],
          [6, 3],
          [40, 17],
        ].map((head) => Buffer.concat([Buffer.from(head), Buffer.from(form)])),
      ),
    words: [
      `--${boundary}`,
      `\r\n--${boundary}`,
      `--${boundary}--`,
      '\r\n\r\n',
      'Content-Disposition: form-data; name="file"',
      '; filename="',
      `filename*=utf-8''%C3`,
      'Content-Type: ',
      'Content-Transfer-Encoding: ',
    ],
    longest: 1_500,
    mostWork: (size) => 50_000 + 600 * size,
  },
];
