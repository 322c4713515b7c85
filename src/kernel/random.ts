// Creates random bytes, random texts and time-ordered ids.
import { randomFillSync } from 'node:crypto';
import { systemClock } from './clock.ts';

let lastTime = 0;
let lastStart = '';
let madeAtLastTime = 0;

/**
 * Ids are ordered by time, so that new rows are stored close together and old rows form a range. Ids that one thread makes in the same
 * millisecond stay in order, because they contain a counter (RFC 9562 section 6.2, method 1). The other 62 bits are random.
 */
export function newId(): string {
  const time = systemClock.now();
  if (time === lastTime) madeAtLastTime += 1;
  else {
    madeAtLastTime = 0;
    lastTime = time;
    lastStart = startOf(time);
  }
  const counter = (0x7000 | (madeAtLastTime & 0xfff)).toString(16);
  const bytes = takeRandom(8);
  // The two highest bits say which kind of id this is.
  bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
  const random = bytes.toString('hex');
  return `${lastStart}-${counter}-${random.slice(0, 4)}-${random.slice(4)}`;
}

/** 48 bits of the time in milliseconds. */
function startOf(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export function randomText(bytes: number): string {
  return takeRandom(bytes).toString('base64url');
}

export function randomPart(bytes: number): Buffer {
  return Buffer.from(takeRandom(bytes));
}

/** One large request to the system costs little more than a small one. */
const buffered = Buffer.alloc(4096);
let used = buffered.length;

/** Returns each byte only once. The caller must copy the result at once: the buffer is filled again later. */
function takeRandom(bytes: number): Buffer {
  if (used + bytes > buffered.length) {
    randomFillSync(buffered);
    used = 0;
  }
  used += bytes;
  return buffered.subarray(used - bytes, used);
}

/** The smallest id that newId() could create at that time. It ends the range of older rows. */
export function firstIdAt(milliseconds: number): string {
  return `${startOf(Math.max(0, Math.floor(milliseconds)))}-7000-8000-000000000000`;
}
