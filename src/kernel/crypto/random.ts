// Creates random bytes, random texts and time-ordered ids.
import { randomFillSync } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readUuid } from './uuid.ts';

let lastTime = 0;
let madeAtLastTime = 0;

/**
 * Ids are ordered by time, so that new rows are stored close together and old rows form a range. Ids that one thread makes in the same
 * millisecond stay in order, because they contain a counter (RFC 9562 section 6.2, method 1). The other 62 bits are random.
 */
export function newId(): string {
  const time = systemClock.now();
  madeAtLastTime = time === lastTime ? madeAtLastTime + 1 : 0;
  lastTime = time;
  const id = randomPart(16);
  id.writeUIntBE(time, 0, 6);
  id.writeUInt16BE(0x7000 | (madeAtLastTime & 0x0fff), 6);
  // The two highest bits say which kind of id this is.
  id[8] = 0x80 | ((id[8] ?? 0) & 0x3f);
  return readUuid(id, 0);
}

/** 48 bits of the time in milliseconds. */
function startOf(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export function randomText(bytes: number): string {
  return randomPart(bytes).toString('base64url');
}

/** One request to the system for many parts: a request for each costs 3 µs, and a sign-in needs nine (bench/README.md). */
const buffered = Buffer.alloc(4096);
let used = buffered.length;

export function randomPart(bytes: number): Buffer {
  if (used + bytes > buffered.length) {
    randomFillSync(buffered);
    used = 0;
  }
  used += bytes;
  return Buffer.from(buffered.subarray(used - bytes, used));
}

/** The smallest id that newId() could create at that time. It ends the range of older rows. */
export function firstIdAt(milliseconds: number): string {
  return `${startOf(Math.max(0, Math.floor(milliseconds)))}-7000-8000-000000000000`;
}
