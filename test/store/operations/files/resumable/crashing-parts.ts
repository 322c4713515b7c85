// A PartStore in memory that can crash: bytes that were not flushed may be lost, or be found in a part without a record.

import type { ListedUpload, PartWriter, UploadPartInfo } from '../../../../../src/files/resumable/part-store.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { asUploadId } from '../../../../helpers/people/ids.ts';

export type MemoryWriter = PartWriter & {
  /** The node dies: of the bytes that were not flushed, so many are found later. */
  crash(surviving: number): void;
};

type MemoryParts = {
  openWriter(uploadId: string, firstByte: number): MemoryWriter;
  /** Undefined if a part is missing or too short. */
  read(uploadId: string, parts: readonly UploadPartInfo[]): Buffer | undefined;
  remove(uploadId: string): void;
  list(): ListedUpload[];
};

/** `growing`: one part for each writer, as on disk. Otherwise one for each flush, as in S3. */
export function createMemoryParts(now: () => number, growing: boolean): MemoryParts {
  const uploads = new Map<string, { parts: Map<string, Buffer>; modifiedAt: number }>();
  const store = (uploadId: string, id: string, bytes: Buffer) => {
    const upload = uploads.get(uploadId) ?? { parts: new Map<string, Buffer>(), modifiedAt: 0 };
    upload.parts.set(id, bytes);
    upload.modifiedAt = now();
    uploads.set(uploadId, upload);
  };
  return {
    openWriter: (uploadId, firstByte) => {
      let part = { id: newId(), firstByte, bytes: Buffer.alloc(0) };
      let pending = Buffer.alloc(0);
      let size = 0;
      return {
        get size() {
          return size;
        },
        write: async (chunk) => {
          pending = Buffer.concat([pending, chunk]);
          size += chunk.length;
        },
        flush: async () => {
          if (pending.length === 0) return [];
          if (!growing) part = { id: newId(), firstByte: firstByte + size - pending.length, bytes: Buffer.alloc(0) };
          part.bytes = Buffer.concat([part.bytes, pending]);
          pending = Buffer.alloc(0);
          store(uploadId, part.id, part.bytes);
          return [{ id: part.id, firstByte: part.firstByte, bytes: part.bytes.length }];
        },
        close: async () => undefined,
        crash: (surviving) => {
          const left = pending.subarray(0, surviving);
          if (left.length > 0)
            store(uploadId, growing ? part.id : newId(), growing ? Buffer.concat([part.bytes, left]) : left);
        },
      };
    },
    read: (uploadId, parts) => {
      const found = parts.map(({ id, bytes }) => {
        const stored = uploads.get(uploadId)?.parts.get(id);
        return stored !== undefined && stored.length >= bytes ? stored.subarray(0, bytes) : undefined;
      });
      return found.includes(undefined) ? undefined : Buffer.concat(found.filter((bytes) => bytes !== undefined));
    },
    remove: (uploadId) => void uploads.delete(uploadId),
    list: () => [...uploads].map(([id, { modifiedAt }]) => ({ id: asUploadId(id), modifiedAt })),
  };
}
