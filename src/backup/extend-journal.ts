// Use case: write down what the journal does not have yet; called every minute, it reads only what happened since.
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
/** Where entries that stand there already are looked for: more than a minute of deletions. */
const tailBytes = 256 * 1024;
/** More than a line has. */
const lineBytes = 1024;
const beginning = '{"kind":"';

/** From the first event after the id, or from the beginning. */
export async function* journalSince({ listJournal }: Pick<JournalSource, 'listJournal'>, id: string) {
  for (let after: string | undefined = id; after !== undefined; ) {
    const page: JournalPage = await listJournal({ after, most: pageSize });
    yield page.entries;
    after = page.next;
  }
}

/** Durable when it resolves; ends with a mark, from which the next call goes on. How many entries were added. */
export async function extendJournal(source: JournalSource, path: string): Promise<number> {
  const file = await open(path, 'a+', 0o600);
  try {
    await refuseOther(file, path);
    const { known, reachesTo } = await readTail(file);
    const begunAt = source.clock.now();
    // A mark of a time that has not come was written by a clock that has gone back since: what it covers is not known.
    const isKnown = reachesTo !== undefined && reachesTo <= begunAt + journalOverlapMilliseconds;
    const after = isKnown ? firstIdAt(reachesTo - journalOverlapMilliseconds) : '';
    let added = 0;
    for await (const entries of journalSince(source, after)) {
      const lines = entries.map(writeEntry).filter((line) => !known.has(line));
      added += lines.length;
      if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
    }
    await file.appendFile(`${writeEntry({ kind: 'mark', at: begunAt })}\n`);
    await file.sync();
    return added;
  } finally {
    await file.close();
  }
}

/** Nothing is added to, or cut off from, a file that was given by mistake. */
async function refuseOther(file: FileHandle, path: string): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lineBytes), 0, lineBytes, 0);
  const [first = '', ...others] = buffer.toString('utf8', 0, bytesRead).split('\n');
  const isCutOff =
    others.length === 0 && bytesRead < lineBytes && beginning.startsWith(first.slice(0, beginning.length));
  if (!isCutOff && parseLine(first) === undefined)
    throw new BackupError(`${path} is no journal. Name a new file, or one that backup journal has written.`);
}

/** The last lines, and how far they reach. A line that was cut off is taken away: its entry comes again. */
async function readTail(file: FileHandle): Promise<{ known: Set<string>; reachesTo: number | undefined }> {
  const { size } = await file.stat();
  const length = Math.min(size, tailBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.lastIndexOf('\n') + 1;
  if (end < length) await file.truncate(size - length + end);
  const known = new Set(buffer.toString('utf8', 0, end).split('\n'));
  return { known, reachesTo: [...known].flatMap((line) => parseLine(line)?.at ?? []).at(-1) };
}
