// Sends a range of a file with two alternating buffers: it fills one while it writes the other.
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { BlobRange, Pump } from '../../files/storage/blob-store.ts';

const bufferBytes = 256 * 1024;

export function pumpRange(handle: FileHandle, { start, end }: BlobRange): Pump {
  return async (target) => {
    try {
      await pump(handle, start, end, target);
    } finally {
      await handle.close().catch(() => undefined);
    }
  };
}

async function pump(handle: FileHandle, start: number, end: number, target: Writable): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)] as const;
  let pending: Promise<void> = Promise.resolve();
  for (let position = start, turn = 0; position <= end; turn += 1) {
    const buffer = turn % 2 === 0 ? buffers[0] : buffers[1];
    const length = Math.min(bufferBytes, end - position + 1);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead === 0) throw new Error('the file is shorter than its record');
    // The next turn fills the other buffer, so its write must be complete.
    await pending;
    pending = write(target, buffer.subarray(0, bytesRead));
    pending.catch(() => undefined);
    position += bytesRead;
  }
  await pending;
}

/** Resolves when the bytes are with the operating system, not when they are queued, because the buffer is reused. */
function write(target: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (target.destroyed) return reject(new Error('the reader has disconnected'));
    const onClose = () => reject(new Error('the reader has disconnected'));
    target.once('close', onClose);
    target.write(bytes, (error) => {
      target.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}
