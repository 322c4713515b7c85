// Blobs and records side by side, in the order of their ids: both are streams, so it takes the same memory however many there are.
import type { BlobStore, ListedBlob } from './blob-store.ts';
import type { FileDeps } from './deps.ts';
import type { StoredFile } from './stored-file.ts';

/** What there is under one id: a blob, a record, or both. */
export type Pair = {
  readonly id: string;
  readonly blob: ListedBlob | undefined;
  readonly record: StoredFile | undefined;
};

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

/** Hands out records by id, none that is greater than asked for. */
function readRecords(files: FileDeps['files'], after: string) {
  let page: StoredFile[] = [];
  let at = 0;
  let last = after;
  let isAtEnd = false;
  return {
    /** The id of the record that was handed out last. */
    last: () => last,
    next: async (upTo?: string): Promise<StoredFile | undefined> => {
      if (at === page.length && !isAtEnd) {
        page = await files.listAll({ after: last, most: pageSize });
        at = 0;
        isAtEnd = page.length < pageSize;
      }
      const record = page[at];
      if (record === undefined || (upTo !== undefined && record.id > upTo)) return undefined;
      at += 1;
      last = record.id;
      return record;
    },
  };
}

/** The sizes of blobs by id, asked for in rising order: a third stream beside the two. */
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
