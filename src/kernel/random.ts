// Unguessable bytes and ids.
import { randomFillSync, randomUUIDv7 } from 'node:crypto';

let lastTime = '';
let madeThen = 0;

/**
 * Time-ordered, so that rows made together lie together and old rows form a range. Those that one thread makes in one millisecond keep
 * the order in which they were made: a count stands where RFC 9562 lets one stand (6.2, method 1).
 */
export function newId(): string {
  const id = randomUUIDv7();
  const time = id.slice(0, 13);
  madeThen = time === lastTime ? madeThen + 1 : 0;
  lastTime = time;
  return `${time}-7${(madeThen & 0xfff).toString(16).padStart(3, '0')}${id.slice(18)}`;
}

export function randomText(bytes: number): string {
  return takeRandom(bytes).toString('base64url');
}

export function randomPart(bytes: number): Buffer {
  return Buffer.from(takeRandom(bytes));
}

/** Asking the system once for many draws costs little more than asking for one. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

/** Only to be copied from at once; never handed out twice. */
function takeRandom(bytes: number): Buffer {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  return drawn.subarray(used - bytes, used);
}

/** The smallest id that newId() could have made at that time: the end of a range of older rows. */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
