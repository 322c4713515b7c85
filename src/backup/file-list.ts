// The list of the files of a backup, one line for each: id, size and hash.
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { isContentHash } from '../files/storage/blob-store.ts';
import type { BlobInfo } from '../files/storage/copy-blob.ts';
import { isFileId } from '../files/stored-file.ts';
import { asRecord } from '../kernel/text/as-record.ts';
import { fileListPath } from './backup-folder.ts';
import { type OnBad, quote, refuseBackup } from './finding.ts';
import { linesOf, parseJson } from './lines.ts';
import type { Manifest } from './manifest.ts';

const longestLine = 1024;

/** Must be asked in the order of ids, which is the order of the records in a backup. */
export type FindListed = (id: string) => BlobInfo | undefined | Promise<BlobInfo | undefined>;

/** Undefined if the line does not describe a file. Fields that a later version may add are ignored. */
function parseFileLine(line: string): BlobInfo | undefined {
  const { id, size, sha256 } = asRecord(parseJson(line));
  if (typeof id !== 'string' || !isFileId(id) || typeof sha256 !== 'string' || !isContentHash(sha256)) return undefined;
  return Number.isSafeInteger(size) && Number(size) >= 0 ? { id, size: Number(size), sha256 } : undefined;
}

/** A line that is no entry is reported to `onBad` and left out. Without `onBad` it ends the reading. */
export function readFileList(folder: string, onBad: OnBad = refuseBackup): AsyncGenerator<BlobInfo> {
  return filesIn(createReadStream(fileListPath(folder)), onBad);
}

export async function* filesIn(list: Readable, onBad: OnBad = refuseBackup): AsyncGenerator<BlobInfo> {
  for await (const line of linesOf(list, longestLine)) {
    const facts = parseFileLine(line);
    if (facts === undefined) onBad(`the list of files has the line ${quote(line)}, which names no file`);
    else yield facts;
  }
}

/** Counts the files of the list. A file that comes twice, or a list out of order, would hide others. */
export async function checkFileList(folder: string, { format }: Manifest, onBad: OnBad): Promise<number> {
  let count = 0;
  let last = '';
  for await (const { id } of readFileList(folder, onBad)) {
    count += 1;
    if (format === 'gatehouse backup 2' && id <= last)
      onBad(`the list of files has the file ${id} twice, or not in its order`);
    last = id;
  }
  return count;
}

/** Each call of the result starts a new pass. */
export async function openFileList(folder: string, { format }: Pick<Manifest, 'format'>): Promise<() => FindListed> {
  if (format === 'gatehouse backup 2') return () => followList(folder);
  // The list of the first format is not sorted, so it is held in memory.
  const listed = new Map<string, BlobInfo>();
  for await (const facts of readFileList(folder)) listed.set(facts.id, facts);
  return () => (id) => listed.get(id);
}

/** Reads the list in step with the records. */
function followList(folder: string): FindListed {
  const list = readFileList(folder)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<BlobInfo>> | undefined;
  return async (id) => {
    for (;;) {
      next ??= list.next();
      const { done, value } = await next;
      if (done === true || value.id > id) return undefined;
      if (value.id === id) return value;
      next = undefined;
    }
  };
}
