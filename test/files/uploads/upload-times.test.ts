// The longest duration of an upload follows from its size at the slowest pace.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finishTimesOf, longestOf, scanTimeOf, uploadTimes } from '../../../src/files/uploads/upload-times.ts';

describe('the time limits of an upload', () => {
  const times = { ...uploadTimes, slowestBytesPerSecond: 100, longestMilliseconds: 60_000 };
  for (const [bytes, milliseconds] of [
    [0, 60_000],
    [6000, 60_000],
    [6001, 60_010],
    [1_000_000, 10_000_000],
  ] as const) {
    it(`a body of ${bytes} bytes may take ${milliseconds} ms at 100 bytes a second and a minute for all`, () => {
      assert.equal(longestOf(times, bytes), milliseconds);
    });
  }

  for (const [mebibytes, milliseconds] of [
    [0, 10_000],
    [50, 15_000],
    [199, 29_900],
    [201, 30_000],
    [5000, 30_000],
  ] as const) {
    it(`the scan of ${mebibytes} MiB may take ${milliseconds} ms`, () => {
      assert.equal(scanTimeOf(uploadTimes, mebibytes * 2 ** 20), milliseconds);
    });
  }

  for (const [mebibytes, keep, scan] of [
    [0, 40_000, 10_000],
    [1000, 540_000, 110_000],
    [5120, 2_600_000, 522_000],
  ] as const) {
    it(`storing an upload in several requests of ${mebibytes} MiB may take ${keep} ms, and its scan ${scan} ms of it`, () => {
      const times = finishTimesOf(uploadTimes, mebibytes * 2 ** 20);
      assert.deepEqual([times.keepMilliseconds, scanTimeOf(times, mebibytes * 2 ** 20)], [keep, scan]);
    });
  }

  it('a scan leaves time to prove and store the file', () => {
    assert.ok(uploadTimes.longestScanMilliseconds + 10_000 <= uploadTimes.keepMilliseconds);
  });

  it('storing a file ends before a proxy gives up, and a pause ends before the pace is measured', () => {
    const { keepMilliseconds, idleMilliseconds, paceMilliseconds, slowestBytesPerSecond, leaseMilliseconds } =
      uploadTimes;
    assert.ok(keepMilliseconds < 60_000);
    assert.ok(idleMilliseconds < paceMilliseconds);
    // 64 kbit/s with a pause of `idle` in each interval.
    const sent = 8 * 1024 * ((paceMilliseconds - idleMilliseconds) / 1000);
    assert.ok(sent >= (slowestBytesPerSecond * paceMilliseconds) / 1000);
    // Whoever works renews it three times as often. A client of a node that was killed waits for it, so it is shorter than storing may take.
    assert.ok(leaseMilliseconds >= 10_000 && leaseMilliseconds < keepMilliseconds);
  });
});
