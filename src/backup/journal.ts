// The journal: ends that an older state of the database does not know of, so that neither a restore nor a recovery undoes them.
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { linesOf } from './backup-folder.ts';
import {
  type AddressKind,
  type BlockKind,
  type DeletionKind,
  isAbout,
  isJournalKind,
  type JournalEntry,
} from './journal-kinds.ts';
import { BackupError } from './snapshot.ts';

/** Everything up to then stands above it. */
export type JournalMark = { readonly kind: 'mark'; readonly at: number };

export type JournalLine = JournalEntry | JournalMark;

/** Of as many events as a page has, those that belong here: a page costs the same however few they are. */
export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly next: string | undefined };

/** What was done to users last, by user. */
export type LastActs = {
  readonly blocks: ReadonlyMap<string, JournalEntry<BlockKind>>;
  /** Users whose address was replaced or removed: the old one must not sign them in again. */
  readonly addresses: ReadonlyMap<string, JournalEntry<AddressKind>>;
  /** The time up to which the journal knows everything. */
  readonly reachesTo: number | undefined;
};

export type Journal = LastActs & {
  /** Users and files. */
  readonly deleted: ReadonlySet<string>;
};

export const emptyJournal: Journal = {
  deleted: new Set(),
  blocks: new Map(),
  addresses: new Map(),
  reachesTo: undefined,
};

/** An act may become visible a little after the time it carries, and clocks differ a little. */
export const journalOverlapMilliseconds = 60_000;

export function writeEntry(line: JournalLine): string {
  return JSON.stringify(line);
}

/** What happened after a moment: whatever is older, a state of that moment knows itself. */
export async function readJournal(path: string, moment: number): Promise<Journal> {
  const deleted = new Set<string>();
  const after = moment - journalOverlapMilliseconds;
  const acts = await readLastActs(path, (entry) => entry.at > after && deleted.add(entry.id), after);
  return { ...acts, deleted };
}

/** Reads all of it; the deletions are handed on, because they may be many. */
export async function readLastActs(
  path: string,
  onDeletion: (entry: JournalEntry<DeletionKind>) => unknown = () => undefined,
  after = Number.NEGATIVE_INFINITY,
): Promise<LastActs> {
  const blocks = new Map<string, JournalEntry<BlockKind>>();
  const addresses = new Map<string, JournalEntry<AddressKind>>();
  let reachesTo: number | undefined;
  for await (const line of readLines(path)) {
    reachesTo = Math.max(line.at, reachesTo ?? line.at);
    if (line.kind === 'mark' || line.at <= after) continue;
    if (isAbout(line, 'deletion')) onDeletion(line);
    else if (isAbout(line, 'block')) keepLast(blocks, line);
    else if (isAbout(line, 'address')) keepLast(addresses, line);
  }
  return { blocks, addresses, reachesTo };
}

/** Users and files that were deleted, as they come. */
export async function* readDeletions(path: string): AsyncIterable<JournalEntry<DeletionKind>> {
  for await (const line of readLines(path)) {
    if (line.kind !== 'mark' && isAbout(line, 'deletion')) yield line;
  }
}

function keepLast<Entry extends JournalEntry>(acts: Map<string, Entry>, entry: Entry): void {
  const known = acts.get(entry.id);
  if (known === undefined || known.at <= entry.at) acts.set(entry.id, entry);
}

/** The last line may be cut off, where the machine went down while it was written. */
async function* readLines(path: string): AsyncIterable<JournalLine> {
  await access(path).catch(() => {
    throw new BackupError(`${path} cannot be read. Write it with: gatehouse backup journal > ${path}`);
  });
  let unreadable = false;
  let count = 0;
  for await (const text of linesOf(createReadStream(path))) {
    const line = parseLine(text);
    if (unreadable) throw badLine();
    unreadable = line === undefined;
    if (line === undefined) continue;
    count += 1;
    yield line;
  }
  if (unreadable && count === 0) throw badLine();
}

export function parseLine(text: string): JournalLine | undefined {
  try {
    const line = JSON.parse(text) as JournalLine;
    if (!Number.isFinite(line.at)) return undefined;
    const isWhole = line.kind === 'mark' || (typeof line.id === 'string' && isJournalKind(line.kind));
    return isWhole ? line : undefined;
  } catch {
    return undefined;
  }
}

function badLine(): BackupError {
  return new BackupError('The journal has a line that cannot be read. Write it with: gatehouse backup journal > FILE');
}
