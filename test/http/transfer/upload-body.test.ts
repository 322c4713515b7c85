// The body of an upload, chunk by chunk: what has arrived at its end, what its readers keep, and what is read ahead.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { bodyOf } from '../../../src/http/transfer/upload-body.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';

const [kibibyte, mebibyte] = [1024, 2 ** 20];

describe('the body of an upload', () => {
  it('the body of an upload arrives in few pieces, however many chunks the client sends', async () => {
    const bytes = randomBytes(5000);
    const request = Object.assign(new Readable({ read: () => undefined }), { headers: {}, complete: true });
    for (const byte of bytes) request.push(Buffer.from([byte]));
    request.push(null);
    const pieces: Buffer[] = [];
    for await (const piece of bodyOf(request as unknown as IncomingMessage, mebibyte, uploadTimes)) pieces.push(piece);
    assert.ok(Buffer.concat(pieces).equals(bytes));
    assert.ok(pieces.length < 10, `${pieces.length} pieces`);
  });

  for (const [what, isWhole] of [
    ['is destroyed', false],
    ['is destroyed after its last byte', true],
    ['is stopped', false],
  ] as const)
    it(`a body that ${what} gives what has arrived`, async () => {
      const readable = new Readable({ read: () => undefined });
      const request = Object.assign(readable, { headers: {}, complete: isWhole }) as unknown as IncomingMessage;
      readable.push(Buffer.from('arrived'));
      readable.on('error', () => undefined);
      const body = bodyOf(request, mebibyte, uploadTimes);
      if (what === 'is stopped') body.stop();
      else readable.destroy();
      let taken = '';
      const reading = (async () => {
        for await (const chunk of body) taken += String(chunk);
      })();
      if (isWhole) await reading;
      else await assert.rejects(reading, { code: 'FILE_INCOMPLETE' });
      assert.equal(taken, 'arrived');
    });

  it('a body that is stopped while a piece is processed gives what came meanwhile, and no more', async () => {
    const readable = new Readable({ read: () => undefined });
    const request = Object.assign(readable, { headers: {}, complete: false }) as unknown as IncomingMessage;
    const body = bodyOf(request, mebibyte, uploadTimes);
    const pieces = body[Symbol.asyncIterator]();
    const first = pieces.next();
    await turn();
    readable.push(Buffer.from('one'));
    assert.equal(String((await first).value), 'one');
    readable.push(Buffer.from('two'));
    await turn();
    body.stop();
    readable.push(Buffer.from('three'));
    assert.equal(String((await pieces.next()).value), 'two');
    await assert.rejects(async () => pieces.next(), { code: 'FILE_INCOMPLETE' });
  });

  it('few chunks wait in memory while a piece of the upload is processed, however small they are', async () => {
    let given = 0;
    const readable = new Readable({
      highWaterMark: 16,
      read() {
        given += 1;
        this.push(Buffer.alloc(1));
      },
    });
    const request = Object.assign(readable, { headers: {}, complete: false }) as unknown as IncomingMessage;
    const pieces = bodyOf(request, mebibyte, uploadTimes)[Symbol.asyncIterator]();
    let taken = 0;
    for (let round = 0; round < 3; round += 1) {
      const { value } = await pieces.next();
      taken += (value as Buffer).length;
      for (let turns = 0; turns < 5; turns += 1) await turn();
      assert.ok(given - taken < 10_000, `${given - taken} chunks wait`);
    }
    await pieces.return?.();
  });

  it('a chunk is freed when it was taken, and not while it is still needed', async () => {
    const chunks = [1, 2, 3].map((byte) => Buffer.alloc(64 * kibibyte, byte));
    const request = requestOf(chunks);
    const bytesOf = (chunk: Buffer) => chunk.length;
    const seen: (readonly number[])[] = [];
    await bodyOf(request, mebibyte, uploadTimes).each((chunk) => {
      seen.push(chunks.map(bytesOf));
      // The second one takes a while.
      return chunk[0] === 2 ? turn().then(() => void seen.push(chunks.map(bytesOf))) : undefined;
    });
    const whole = 64 * kibibyte;
    assert.deepEqual(seen, [
      [whole, whole, whole],
      [0, whole, whole],
      [0, whole, whole],
      [0, 0, whole],
    ]);
    assert.deepEqual(chunks.map(bytesOf), [0, 0, 0]);
  });

  it('chunks that waited are freed when they are joined', async () => {
    const chunks = [1, 2, 3].map((byte) => Buffer.alloc(kibibyte, byte));
    const taken: Buffer[] = [];
    await bodyOf(requestOf(chunks), mebibyte, uploadTimes).give((chunk) => {
      taken.push(chunk);
      return taken.length === 1 ? turn().then(turn) : undefined;
    });
    assert.deepEqual(
      taken.map(({ length }) => length),
      [kibibyte, 2 * kibibyte],
    );
    assert.deepEqual([...new Set(taken[1])], [2, 3]);
    assert.deepEqual(
      chunks.map(({ length }) => length),
      [kibibyte, 0, 0],
    );
  });

  it('a chunk that shares its memory with others stays as it is', async () => {
    const whole = Buffer.alloc(64 * kibibyte, 1);
    await bodyOf(requestOf([whole.subarray(0, kibibyte)]), mebibyte, uploadTimes).each(() => undefined);
    assert.equal(whole.length, 64 * kibibyte);
  });

  it('a body that is iterated leaves its chunks to the reader', async () => {
    const chunks = await Array.fromAsync(bodyOf(requestOf([Buffer.alloc(kibibyte)]), mebibyte, uploadTimes));
    assert.deepEqual(
      chunks.map(({ length }) => length),
      [kibibyte],
    );
  });

  it('what a taker throws, at once or later, ends the body', async () => {
    for (const take of [
      () => {
        throw new Failure('FILE_TOO_LARGE', { limit: '1 KiB' });
      },
      () => turn().then(() => Promise.reject(new Failure('FILE_TOO_LARGE', { limit: '1 KiB' }))),
    ]) {
      const request = requestOf([Buffer.alloc(10), Buffer.alloc(10)]);
      await assert.rejects(bodyOf(request, mebibyte, uploadTimes).each(take), { code: 'FILE_TOO_LARGE' });
      assert.equal(request.listenerCount('data'), 0);
    }
  });

  /** A chunked body of 400,000 bytes in chunks of the given size, as a socket delivers it. */
  const cut = async (chunkBytes: number) => {
    const headers = { 'transfer-encoding': 'chunked' };
    const request = Object.assign(new Readable({ read: () => undefined }), {
      headers,
      complete: false,
      socket: { bytesRead: 0 },
    });
    let taken = 0;
    const sending = async () => {
      for (let sent = 0; sent < 400_000; sent += 10_000) {
        for (let at = 0; at < 10_000; at += chunkBytes) request.push(Buffer.alloc(chunkBytes));
        await turn();
      }
      request.complete = true;
      request.push(null);
    };
    const taking = async () => {
      for await (const piece of bodyOf(request as unknown as IncomingMessage, mebibyte, uploadTimes))
        taken += piece.length;
      return 'whole';
    };
    const [end] = await Promise.all([taking().catch((error: Failure) => error.code), sending()]);
    return { end, taken };
  };

  it('an upload in tiny chunks is refused after a few of them', async () => {
    for (const chunkBytes of [1, 2, 4]) {
      const { end, taken } = await cut(chunkBytes);
      assert.equal(end, 'FILE_MALFORMED', `chunks of ${chunkBytes}`);
      assert.ok(taken < 100_000, `${taken} bytes`);
    }
    for (const chunkBytes of [20, 100, 10_000]) assert.equal((await cut(chunkBytes)).end, 'whole');
  });
});
