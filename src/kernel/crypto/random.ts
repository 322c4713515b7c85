// Creates random bytes, random texts and time-ordered ids.
import { randomFillSync } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { readUuid } from './uuid.ts';

/** The id that is being made: six bytes of the time, two of the counter, eight of chance. */
const id = Buffer.alloc(16);
let lastTime = 0;
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
    id.writeUIntBE(time, 0, 6);
  }
  id[6] = 0x70 | ((madeAtLastTime >> 8) & 0x0f);
  id[7] = madeAtLastTime;
  const from = takeRandom(8);
  for (let at = 0; at < 8; at += 1) id[8 + at] = buffered[from + at] ?? 0;
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
  const at = takeRandom(bytes);
  return buffered.toString('base64url', at, at + bytes);
}

export function randomPart(bytes: number): Buffer {
  const part = Buffer.allocUnsafe(bytes);
  writeRandom(part, 0, bytes);
  return part;
}

/** Fills so many bytes of the target from `at` on. */
export function writeRandom(target: Buffer, at: number, bytes: number): void {
  const from = takeRandom(bytes);
  buffered.copy(target, at, from, from + bytes);
}

/** One large request to the system costs little more than a small one. */
const buffered = Buffer.alloc(4096);
let used = buffered.length;

/** Returns where so many unused bytes begin. The caller must copy them at once: the buffer is filled again later. */
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
