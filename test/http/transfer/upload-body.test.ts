// The pace and the duration of an upload, with a clock that the test moves: a dripping client is cut off, a slow one is not.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { builtInPurposes } from '../../../src/files/purpose.ts';
import { longestOf, uploadTimes } from '../../../src/files/upload-times.ts';
import { bodyOf } from '../../../src/http/transfer/upload-body.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { requestOf } from '../../helpers/request-of.ts';

const [kibibyte, mebibyte] = [1024, 2 ** 20];

/** The bytes do not matter, only their number. */
const zeros = Buffer.alloc(mebibyte);

type Step = { readonly seconds: number; readonly bytes: number };

/** Sends so many bytes after so many seconds, repeatedly. Returns the outcome, the seconds and the bytes taken. */
async function send(steps: Iterable<Step>, mostBytes: number, holdSeconds = 0, headers = {}) {
  let now = 0;
  let taken = 0;
  const chunks = (async function* () {
    for (const { seconds, bytes } of steps) {
      now += seconds * 1000;
      yield zeros.subarray(0, bytes);
    }
  })();
  const request = requestOf(chunks, { headers });
  let end = 'whole';
  try {
    for await (const chunk of bodyOf(request, mostBytes, { ...uploadTimes, now: () => now })) {
      taken += chunk.length;
      now += holdSeconds * 1000;
    }
  } catch (error) {
    end = error instanceof Failure ? error.code : String(error);
  }
  return { end, seconds: now / 1000, taken };
}

function* every(seconds: number, bytes: number, total: number): Generator<Step> {
  for (let sent = 0; sent < total; sent += bytes) yield { seconds, bytes };
}

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
        throw new Failure('FILE_TOO_LARGE');
      },
      () => turn().then(() => Promise.reject(new Failure('FILE_TOO_LARGE'))),
    ]) {
      const request = requestOf([Buffer.alloc(10), Buffer.alloc(10)]);
      await assert.rejects(bodyOf(request, mebibyte, uploadTimes).each(take), { code: 'FILE_TOO_LARGE' });
      assert.equal(request.listenerCount('data'), 0);
    }
  });

  /** A chunked body of 400,000 bytes in chunks of the given size, as a socket delivers it. */
  const cut = async (chunkBytes: number) => {
    const headers = { 'transfer-encoding': 'chunked' };
    const request = Object.assign(new Readable({ read: () => undefined }), { headers, complete: false });
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

describe('the pace of an upload', () => {
  it('an upload of 15 MiB at 20 KiB/s is accepted, also with pauses of half a minute', async () => {
    assert.equal((await send(every(1, 20 * kibibyte, 15 * mebibyte), 15 * mebibyte)).end, 'whole');
    const halting = function* () {
      for (let minute = 0; minute < 26; minute++) {
        yield { seconds: 29, bytes: 20 * kibibyte };
        yield* every(1, 20 * kibibyte, 31 * 20 * kibibyte);
      }
    };
    const { end, taken } = await send(halting(), 15 * mebibyte);
    assert.equal(end, 'whole');
    assert.ok(taken >= 15 * mebibyte);
  });

  it('an upload of 5 MiB at 64 kbit/s is accepted', async () => {
    assert.equal((await send(every(1, 8 * kibibyte, 5 * mebibyte), 5 * mebibyte)).end, 'whole');
  });

  it('an upload that rushes and then drips is ended within a minute and a half', async () => {
    const rush = function* () {
      yield* every(0.01, mebibyte, 199 * mebibyte);
      yield* every(29, 1, 100_000);
    };
    const { end, seconds } = await send(rush(), 200 * mebibyte);
    assert.equal(end, 'REQUEST_TIMEOUT');
    assert.ok(seconds > 60 && seconds < 95, `${seconds} s`);
  });

  it('an upload that drips from the start is ended after a minute', async () => {
    const { end, seconds } = await send(every(1, 1000, mebibyte), mebibyte);
    assert.equal(end, 'REQUEST_TIMEOUT');
    assert.ok(seconds > 60 && seconds < 65, `${seconds} s`);
  });

  it('an upload is not ended for the time our own disk takes', async () => {
    const { end } = await send(every(0.01, 64 * kibibyte, 10 * mebibyte), 200 * mebibyte, 19);
    assert.equal(end, 'whole');
  });
});

describe('the longest duration of an upload', () => {
  it('an upload ends after an hour, whatever its pace', async () => {
    const { end, seconds } = await send(every(10, 100 * kibibyte, 100 * mebibyte), 10 * mebibyte);
    assert.equal(end, 'REQUEST_TIMEOUT');
    assert.ok(seconds >= 3600 && seconds < 3620, `${seconds} s`);
  });

  it('the longest duration of an upload is enough for the largest body at the slowest pace', async () => {
    for (const { name, maxBytes } of builtInPurposes) {
      const { end } = await send(every(20, 200 * kibibyte, maxBytes), maxBytes);
      assert.equal(end, 'whole', name);
    }
    const hours = longestOf(uploadTimes, Math.max(...builtInPurposes.map(({ maxBytes }) => maxBytes))) / 3_600_000;
    assert.ok(hours < 15, `${hours} hours`);
  });

  it('the longest duration of an upload follows from the declared length if that is less', async () => {
    const declared = { 'content-length': String(mebibyte) };
    const { end, seconds } = await send(every(10, 100 * kibibyte, 100 * mebibyte), 200 * mebibyte, 0, declared);
    assert.equal(end, 'REQUEST_TIMEOUT');
    assert.ok(seconds < 3620, `${seconds} s`);
  });
});
