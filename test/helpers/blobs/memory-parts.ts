// The parts of uploads in memory, for unit tests. Only flushed bytes count, as after a crash.

import { lostParts, newPartId, orderParts, type PartStore } from '../../../src/files/resumable/part-store.ts';
import type { Spool } from '../../../src/files/spool/spool.ts';
import { asUploadId } from '../people/ids.ts';

type MemoryParts = PartStore & {
  /** Durable bytes by upload and part: `upl_…/part`. */
  readonly contents: Map<string, Buffer>;
};

export function memoryParts(calls: string[], newSpool: () => Spool, changes: Partial<PartStore> = {}): MemoryParts {
  const contents = new Map<string, Buffer>();
  return {
    contents,
    spooledBytes: 0,
    openWriter: (uploadId, firstByte, length) => {
      const id = newPartId();
      let bytes = Buffer.alloc(0);
      let durable = 0;
      return {
        get size() {
          return bytes.length;
        },
        write: async (chunk) => {
          if (length !== undefined && firstByte + bytes.length + chunk.length > length)
            throw new Error('more bytes than announced');
          bytes = Buffer.concat([bytes, chunk]);
        },
        flush: async () => {
          if (bytes.length === durable) return [];
          durable = bytes.length;
          calls.push(`flush ${firstByte + durable}`);
          contents.set(`${uploadId}/${id}`, bytes);
          return [{ id, firstByte, bytes: durable }];
        },
        close: async (recorded) => {
          calls.push('close');
          if (recorded === 0) contents.delete(`${uploadId}/${id}`);
          else if (recorded < durable) contents.set(`${uploadId}/${id}`, bytes.subarray(0, recorded));
        },
      };
    },
    assemble: async (uploadId, parts) => {
      calls.push('assemble');
      const spool = newSpool();
      for (const { id, bytes } of orderParts(parts) ?? []) {
        const found = contents.get(`${uploadId}/${id}`);
        if (found === undefined || found.length < bytes) throw lostParts(undefined);
        await spool.write(found.subarray(0, bytes));
      }
      return spool;
    },
    remove: async (uploadId) => {
      calls.push('remove parts');
      for (const key of contents.keys()) if (key.startsWith(`${uploadId}/`)) contents.delete(key);
    },
    list: async function* () {
      for (const id of new Set([...contents.keys()].map((key) => key.split('/')[0] ?? '')))
        yield { id: asUploadId(id), modifiedAt: 0 };
    },
    ...changes,
  };
}
