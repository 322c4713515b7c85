// Unguessable bytes and ids.
import { randomFillSync } from 'node:crypto';
import { systemClock } from './clock.ts';

let lastTime = 0;
let beginning = '';
let madeThen = 0;

/**
 * Time-ordered, so that rows made together lie together and old rows form a range. Those that one thread makes in one millisecond keep
 * the order in which they were made: a count stands where RFC 9562 lets one stand (6.2, method 1).
 */
export function newId(): string {
  const now = systemClock.now();
  if (now !== lastTime) beginning = timeAt(now);
  madeThen = now === lastTime ? madeThen + 1 : 0;
  lastTime = now;
  const count = (0x7000 + (madeThen & 0xfff)).toString(16);
  const random = takeRandom(8);
  // The variant of RFC 9562: its two highest bits are 10.
  random[0] = 0x80 | ((random[0] ?? 0) & 0x3f);
  const rest = random.toString('hex');
  return `${beginning}-${count}-${rest.slice(0, 4)}-${rest.slice(4)}`;
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

/** To be copied from at once; never handed out twice. */
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
  return `${timeAt(Math.max(0, Math.floor(milliseconds)))}-7000-8000-000000000000`;
}

function timeAt(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
