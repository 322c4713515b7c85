// A bucket of backups in memory. It notes what is asked of it, in order.
import { Readable } from 'node:stream';
import { openSpool } from '../../../src/adapters/disk/spool.ts';
import type { Bucket } from '../../../src/backup/bucket/bucket.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';

type MemoryBucket = Bucket & { readonly objects: Map<string, Buffer>; readonly asked: string[] };

export function createMemoryBucket(now: () => number): MemoryBucket {
  const folder = makeFolder();
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  return {
    objects,
    asked,
    fullName: (key) => `bucket/${key}`,
    spool: () => openSpool(folder),
    put: async (key, { reader }) => {
      asked.push(`put ${key}`);
      objects.set(key, await reader.read(0, reader.size));
    },
    read: async (key) => Readable.from([objects.get(key) ?? Buffer.alloc(0)]),
    list: async function* (beginning) {
      asked.push(`list ${beginning}`);
      for (const [key, { length: size }] of [...objects].toSorted(([one], [other]) => (one < other ? -1 : 1)))
        if (key.startsWith(beginning)) yield { key, size, modifiedAt: now() };
    },
    remove: async (key) => {
      asked.push(`remove ${key}`);
      objects.delete(key);
    },
  };
}
