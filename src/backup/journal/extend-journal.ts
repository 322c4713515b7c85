// Use case: append new events to the journal. It reads only the events since the last call, so it can run every minute.
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/crypto/random.ts';
import { type BackupKey, refuseUnsigned } from '../backup-mac.ts';
import { BackupError } from '../snapshot.ts';
import { type JournalPage, journalOverlapMilliseconds, longestLine, macIn, parseLine, writeEntry } from './journal.ts';

export type JournalSource = {
  readonly clock: Clock;
  list(input: { after: string; most: number }): Promise<JournalPage>;
};

type Extended = {
  readonly added: number;
  /** The file has lines without a MAC, from before there was a key. */
  readonly isMixed: boolean;
};

const pageSize = 1000;
/** The part of the file that is searched for known entries: more than a minute of deletions. */
const tailBytes = 256 * 1024;
const lineStart = '{"kind":"';

/** Yields the entries after the id. An empty id means all entries. */
export async function* journalSince({ list }: Pick<JournalSource, 'list'>, id: string) {
  for (let after: string | undefined = id; after !== undefined; ) {
    const page: JournalPage = await list({ after, most: pageSize });
    yield page.entries;
    after = page.next;
  }
}

/** Durable when it resolves. Ends the file with a mark, where the next call continues. Returns the number of added entries. */
export async function extendJournal(source: JournalSource, path: string, key?: BackupKey): Promise<Extended> {
  const file = await open(path, 'a+', 0o600).catch(({ message }: Error) => {
    throw new BackupError(
      `${path} cannot be written: ${message}. Name a file in a folder that exists and that you may write to.`,
    );
  });
  try {
    const first = await refuseOther(file, path);
    const { known, reachesTo, isSigned } = await readTail(file);
    refuseUnsigned(path, isSigned || macIn(first) !== undefined, key);
    const startedAt = source.clock.now();
    // A mark in the future means that the clock was set back since. It is not known what such a mark covers.
    const isKnown = reachesTo !== undefined && reachesTo <= startedAt + journalOverlapMilliseconds;
    const after = isKnown ? firstIdAt(reachesTo - journalOverlapMilliseconds) : '';
    let added = 0;
    for await (const entries of journalSince(source, after)) {
      const lines = entries.filter((entry) => !known.has(writeEntry(entry))).map((entry) => writeEntry(entry, key));
      added += lines.length;
      if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
    }
    await file.appendFile(`${writeEntry({ kind: 'mark', at: startedAt }, key)}\n`);
    await file.sync();
    return { added, isMixed: key !== undefined && first !== '' && macIn(first) === undefined };
  } finally {
    await file.close();
  }
}

/** Refuses a file that is not a journal, so that a file named by mistake is neither extended nor truncated. */
async function refuseOther(file: FileHandle, path: string): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestLine), 0, longestLine, 0);
  const [first = '', ...others] = buffer.toString('utf8', 0, bytesRead).split('\n');
  const isCutOff =
    others.length === 0 && bytesRead < longestLine && lineStart.startsWith(first.slice(0, lineStart.length));
  if (!isCutOff && parseLine(first) === undefined)
    throw new BackupError(`${path} is not a journal. Name a new file, or one that backup journal has written.`);
  return isCutOff ? '' : first;
}

/** The last lines, and the time of the last one. An incomplete last line is removed: its entry is written again. */
async function readTail(
  file: FileHandle,
): Promise<{ known: Set<string>; reachesTo: number | undefined; isSigned: boolean }> {
  const { size } = await file.stat();
  const length = Math.min(size, tailBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const end = buffer.lastIndexOf('\n') + 1;
  if (end < length) await file.truncate(size - length + end);
  const texts = buffer.toString('utf8', 0, end).split('\n');
  const lines = texts.flatMap((line) => parseLine(line) ?? []);
  const isSigned = texts.some((line) => macIn(line) !== undefined);
  return { known: new Set(lines.map((line) => writeEntry(line))), reachesTo: lines.at(-1)?.at, isSigned };
}
