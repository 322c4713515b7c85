// Recognises a file that a user chooses again: by name, size, time, and a hash of its first and last bytes.
import { GatehouseError } from './gatehouse-error.ts';
import type { RememberedUpload } from './upload-memory.ts';

export const markedBytes = 2 ** 16;

export function nameOf(file: Blob): string | undefined {
  return 'name' in file && typeof file.name === 'string' ? file.name : undefined;
}

export function timeOf(file: Blob): number | undefined {
  return 'lastModified' in file && typeof file.lastModified === 'number' ? file.lastModified : undefined;
}

/** Some mobile engines cannot read a blob: then the mark is empty. */
export async function markOf(file: Blob): Promise<string> {
  if (typeof file.arrayBuffer !== 'function') return '';
  const ends = [file.slice(0, markedBytes), file.slice(Math.max(0, file.size - markedBytes))];
  const bytes = await Promise.all(ends.map((end) => readable(() => end.arrayBuffer())));
  return bytes.map((buffer) => hash(new Uint8Array(buffer))).join('-');
}

/** A file that changed or went away since it was chosen cannot be read, which looks like a broken connection to a request. */
export async function assertReadable(file: Blob, offset: number): Promise<void> {
  const byte = file.slice(offset, offset + 1);
  if (typeof byte.arrayBuffer === 'function') await readable(() => byte.arrayBuffer());
}

export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = 'The file has changed or can no longer be read. Choose it again.';
    throw new GatehouseError({ code: 'FILE_UNREADABLE', message, cause });
  }
}

export async function isSameFile(
  upload: Pick<RememberedUpload, 'fileName' | 'size' | 'lastModified' | 'mark'>,
  file: Blob,
): Promise<boolean> {
  const [name, time] = [nameOf(file), timeOf(file)];
  if (file.size !== upload.size) return false;
  if (name !== undefined && upload.fileName !== undefined && name !== upload.fileName) return false;
  if (time !== undefined && upload.lastModified !== undefined && time !== upload.lastModified) return false;
  return (await markOf(file)) === upload.mark;
}

/** FNV-1a with two states. It need not resist an attacker: nobody but the user chooses the file. */
function hash(bytes: Uint8Array): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (const byte of bytes) {
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte, 0x85ebca6b) + (low >>> 16);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
}
