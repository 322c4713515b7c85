// The body of an S3 answer: exactly the announced bytes, or an error.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readText, streamBody } from '../../../src/adapters/s3/s3-body.ts';

const long = 5000;

/** An answer whose bytes the test sends. `complete` is what Node sets when the whole answer has arrived. */
function createAnswer() {
  const stream = Object.assign(new PassThrough(), { complete: false });
  const end = () => {
    stream.complete = true;
    stream.end();
  };
  return { stream, end, answer: stream as unknown as IncomingMessage };
}

async function read(chunks: readonly string[], length: number | undefined, isCutOff = false): Promise<string> {
  const { stream, end, answer } = createAnswer();
  const body = streamBody(answer, length, long);
  for (const chunk of chunks) stream.write(chunk);
  if (isCutOff) stream.destroy();
  else end();
  return Buffer.concat(await body.toArray()).toString();
}

describe('the body of an S3 answer', () => {
  it('is read whole if it has the announced length, or none was announced', async () => {
    assert.equal(await read(['ab', 'c'], 3), 'abc');
    assert.equal(await read(['ab', 'c'], undefined), 'abc');
    assert.equal(await read([], 0), '');
  });

  for (const [what, chunks, length, isCutOff, message] of [
    ['too short', ['ab'], 3, false, /fewer bytes than announced/],
    ['too long', ['ab', 'cd'], 3, false, /more bytes than announced/],
    ['cut off', ['ab'], 3, true, /the connection was lost/],
    ['cut off without a length', ['ab'], undefined, true, /the connection was lost/],
  ] as const) {
    it(`that is ${what} is an error of the storage`, () =>
      assert.rejects(read(chunks, length, isCutOff), (error: Error & { code: string }) => {
        assert.equal(error.code, 'STORAGE_UNAVAILABLE');
        return message.test((error.cause as Error).message);
      }));
  }

  it('without a byte in time is an error, and closes the connection', async () => {
    const { stream, answer } = createAnswer();
    await assert.rejects(streamBody(answer, 3, 1).toArray(), { code: 'STORAGE_UNAVAILABLE' });
    assert.ok(stream.destroyed);
  });

  it('that nobody reads does not run out of time', async () => {
    const { stream, end, answer } = createAnswer();
    const body = streamBody(answer, 3, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    stream.write('abc');
    end();
    assert.equal(Buffer.concat(await body.toArray()).toString(), 'abc');
  });

  it('as a text is undefined if it is longer than the limit or cut off', async () => {
    const text = (chunk: string, isCutOff = false) => {
      const { stream, end, answer } = createAnswer();
      const reading = readText(answer, long, 3);
      stream.write(chunk);
      if (isCutOff) stream.destroy();
      else end();
      return reading;
    };
    assert.equal(await text('abc'), 'abc');
    assert.equal(await text('abcd'), undefined);
    assert.equal(await text('ab', true), undefined);
  });
});
