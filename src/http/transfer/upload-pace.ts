// The pace of an upload: whether its client has sent too little in the last period.
import type { UploadTimes } from '../../files/uploads/upload-times.ts';

/** Counts the bytes of the last `paceMilliseconds` in sixty steps. No client is too slow before the first period has passed. */
export function createPace({ paceMilliseconds, slowestBytesPerSecond }: UploadTimes) {
  const requiredBytes = (paceMilliseconds / 1000) * slowestBytesPerSecond;
  const marks: { at: number; bytes: number }[] = [];
  let recentBytes = 0;
  return (at: number, bytes: number): boolean => {
    const last = marks.at(-1);
    recentBytes += bytes;
    if (last !== undefined && at - last.at < paceMilliseconds / 60) last.bytes += bytes;
    else marks.push({ at, bytes });
    while ((marks[0]?.at ?? at) < at - paceMilliseconds) recentBytes -= marks.shift()?.bytes ?? 0;
    return at > paceMilliseconds && recentBytes < requiredBytes;
  };
}
