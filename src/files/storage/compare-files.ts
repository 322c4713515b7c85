// Merges blobs and records by id. Both are streams, so memory use does not depend on their number.

import type { FileId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import type { BlobStore, ListedBlob } from './blob-store.ts';

/** The blob and the record of one id. At least one of them exists. */
export type Pair = { readonly id: FileId } & (
  | { readonly blob: ListedBlob | undefined; readonly record: StoredFile }
  | { readonly blob: ListedBlob; readonly record: undefined }
);

const pageSize = 500;

export async function* compareFiles(
  { blobs, files }: Pick<FileDeps, 'files'> & { blobs: Pick<BlobStore, 'list'> },
  after = '',
): AsyncIterable<Pair> {
  const records = readRecords(files, after);
  for await (const blob of blobs.list({ after })) {
    for (let record = await records.next(blob.id); record !== undefined; record = await records.next(blob.id)) {
      yield { id: record.id, record, blob: record.id === blob.id ? blob : undefined };
    }
    if (records.last() !== blob.id) yield { id: blob.id, blob, record: undefined };
  }
  for (let record = await records.next(); record !== undefined; record = await records.next())
    yield { id: record.id, record, blob: undefined };
}

/** Returns records in the order of their ids. `next` returns no record with an id greater than `upTo`. */
function readRecords(files: FileDeps['files'], after: string) {
  let page: StoredFile[] = [];
  let at = 0;
  let last = after;
  let isAtEnd = false;
  return {
    /** The id of the last record that `next` returned. */
    last: () => last,
    next: async (upTo?: string): Promise<StoredFile | undefined> => {
      if (at === page.length && !isAtEnd) {
        page = await files.listAll({ after: last, most: pageSize });
        at = 0;
        isAtEnd = page.length < pageSize;
      }
      const record = page[at];
      if (record === undefined || record.id > (upTo ?? record.id)) return undefined;
      at += 1;
      last = record.id;
      return record;
    },
  };
}

/** Looks up blob sizes by id in a stream. Callers must ask in ascending order. */
export function readSizes(blobs: Pick<BlobStore, 'list'>): {
  at(id: string): Promise<number | undefined>;
  end(): Promise<void>;
} {
  const source = blobs.list()[Symbol.asyncIterator]();
  let next: IteratorResult<ListedBlob> | undefined;
  return {
    at: async (id) => {
      next ??= await source.next();
      while (next.done !== true && next.value.id < id) next = await source.next();
      return next.done !== true && next.value.id === id ? next.value.size : undefined;
    },
    end: async () => {
      await source.return?.();
    },
  };
}
