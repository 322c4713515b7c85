// The longest duration of an upload follows from its size at the slowest pace.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestOf, uploadTimes } from '../../src/files/upload-times.ts';

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

  it('storing a file ends before a proxy gives up, and a pause ends before the pace is measured', () => {
    const { keepMilliseconds, idleMilliseconds, paceMilliseconds, slowestBytesPerSecond, leaseMilliseconds } =
      uploadTimes;
    assert.ok(keepMilliseconds < 60_000);
    assert.ok(idleMilliseconds < paceMilliseconds);
    // 64 kbit/s with a pause of `idle` in each interval.
    const sent = 8 * 1024 * ((paceMilliseconds - idleMilliseconds) / 1000);
    assert.ok(sent >= (slowestBytesPerSecond * paceMilliseconds) / 1000);
    assert.ok(leaseMilliseconds > keepMilliseconds);
  });
});
