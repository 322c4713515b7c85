// The pace and the duration of an upload, with a clock that the test moves: a dripping client is cut off, a slow one is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInPurposes } from '../../../src/files/purpose.ts';
import { longestOf, uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { bodyOf } from '../../../src/http/transfer/upload-body.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';

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
