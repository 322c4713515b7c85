// Creates random bytes, random texts and time-ordered ids.
import { randomFillSync } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readUuid } from './uuid.ts';

/** The id that is being made: that does not wait, so all calls share its memory (1.5 µs of a sign-in with that of randomText). */
const id = Buffer.alloc(16);
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
  id.writeUIntBE(time, 0, 6);
  id.writeUInt16BE(0x7000 | (madeAtLastTime & 0x0fff), 6);
  writeRandom(id, 8, 8);
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
  const from = takeRandom(bytes);
  return buffered.toString('base64url', from, from + bytes);
}

/** One request to the system for many parts: a request for each costs 3 µs, and a sign-in needs nine (bench/README.md). */
const buffered = Buffer.alloc(4096);
let used = buffered.length;

export function randomPart(bytes: number): Buffer {
  const from = takeRandom(bytes);
  return Buffer.from(buffered.subarray(from, from + bytes));
}

/** Fills so many bytes of the target from `at` on. */
export function writeRandom(target: Buffer, at: number, bytes: number): void {
  const from = takeRandom(bytes);
  buffered.copy(target, at, from, from + bytes);
}

/** Where so many unused bytes begin. Copy them at once: the buffer is filled again later. */
function takeRandom(bytes: number): number {
  if (used + bytes > buffered.length) {
    randomFillSync(buffered);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

/** The smallest id that newId() could create at that time. It ends the range of older rows. */
export function firstIdAt(milliseconds: number): string {
  return `${startOf(Math.max(0, Math.floor(milliseconds)))}-7000-8000-000000000000`;
}
