// The uploaded and downloaded files, and the check that an answer contains a complete one.
import { randomBytes } from 'node:crypto';
import type { Check } from '../load/drive.ts';

export type Payload = { readonly name: string; readonly bytes: Buffer };

const mebibyte = 2 ** 20;
const noise = randomBytes(mebibyte);

export const payload4KiB: Payload = { name: '4KiB.bin', bytes: noise.subarray(0, 4096) };
export const payload1MiB: Payload = { name: '1MiB.bin', bytes: noise };
export const payload100MiB: Payload = { name: '100MiB.bin', bytes: Buffer.concat(Array(100).fill(noise)) };

/** The load generator does not keep long bodies, so only their first bytes are compared. */
export function expectPayload({ name, bytes }: Payload): Check {
  const start = bytes.subarray(0, 4096);
  const length = `content-length: ${bytes.length}`;
  return (status, body, head) => {
    if (status === 200 && head.toLowerCase().includes(length) && body.subarray(0, start.length).equals(start)) return;
    throw new Error(`wanted ${name}, got ${status}: ${head}\n${body.toString('latin1', 0, 400)}`);
  };
}
