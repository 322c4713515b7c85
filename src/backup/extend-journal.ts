// Use case: append new events to the journal. It reads only the events since the last call, so it can run every minute.
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/random.ts';
import { type JournalPage, journalOverlapMilliseconds, parseLine, writeEntry } from './journal.ts';
import { BackupError } from './snapshot.ts';

export type JournalSource = {
  readonly clock: Clock;
  listJournal(input: { after: string; most: number }): Promise<JournalPage>;
};

const pageSize = 1000;
/** The part of the file that is searched for known entries: more than a minute of deletions. */
const tailBytes = 256 * 1024;
/** Longer than any line. */
const lineBytes = 1024;
const lineStart = '{"kind":"';

/** Yields the entries after the id. An empty id means all entries. */
export async function* journalSince({ listJournal }: Pick<JournalSource, 'listJournal'>, id: string) {
  for (let after: string | undefined = id; after !== undefined; ) {
    const page: JournalPage = await listJournal({ after, most: pageSize });
    yield page.entries;
    after = page.next;
  }
}

/** Durable when it resolves. Ends the file with a mark, where the next call continues. Returns the number of added entries. */
export async function extendJournal(source: JournalSource, path: string): Promise<number> {
  const file = await open(path, 'a+', 0o600);
  try {
    await refuseOther(file, path);
    const { known, reachesTo } = await readTail(file);
    const startedAt = source.clock.now();
    // A mark in the future means that the clock was set back since. It is not known what such a mark covers.
    const isKnown = reachesTo !== undefined && reachesTo <= startedAt + journalOverlapMilliseconds;
    const after = isKnown ? firstIdAt(reachesTo - journalOverlapMilliseconds) : '';
    let added = 0;
    for await (const entries of journalSince(source, after)) {
      const lines = entries.map(writeEntry).filter((line) => !known.has(line));
      added += lines.length;
      if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
    }
    await file.appendFile(`${writeEntry({ kind: 'mark', at: startedAt })}\n`);
    await file.sync();
    return added;
  } finally {
    await file.close();
  }
}

/** Refuses a file that is not a journal, so that a file named by mistake is neither extended nor truncated. */
async function refuseOther(file: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lineBytes), 0, lineBytes, 0);
  const [first = '', ...others] = buffer.toString('utf8', 0, bytesRead).split('\n');
  const isCutOff =
    others.length === 0 && bytesRead < lineBytes && lineStart.startsWith(first.slice(0, lineStart.length));
  if (!isCutOff && parseLine(first) === undefined)
    throw new BackupError(`${path} is not a journal. Name a new file, or one that backup journal has written.`);
}

/** The last lines, and the time of the last one. An incomplete last line is removed: its entry is written again. */
async function readTail(file: FileHandle): Promise<{ known: Set<string>; reachesTo: number | undefined }> {
  const { size } = await file.stat();
  const length = Math.min(size, tailBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.lastIndexOf('\n') + 1;
  if (end < length) await file.truncate(size - length + end);
  const known = new Set(buffer.toString('utf8', 0, end).split('\n'));
  return { known, reachesTo: [...known].flatMap((line) => parseLine(line)?.at ?? []).at(-1) };
}
