// The journal: deletions and other ends. A restore or recovery repeats those that an older state of the database does not have.
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isTime } from '../../kernel/clock.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import { ifThere } from '../backup-folder.ts';
import type { BackupKey, CheckMac } from '../backup-mac.ts';
import { linesOf, parseJson } from '../lines.ts';
import { BackupError } from '../snapshot.ts';
import {
  type AddressKind,
  type BlockKind,
  type DeletionKind,
  isAbout,
  isJournalKind,
  isSubjectId,
  type JournalEntry,
} from './journal-kinds.ts';

/** Everything up to then stands above it. */
type JournalMark = { readonly kind: 'mark'; readonly at: number };

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

/** Longer than any line. */
export const longestLine = 1024;

/** With a key, the line carries a MAC over the text that it has without one. */
export function writeEntry(line: JournalLine, key?: BackupKey): string {
  const { kind, at } = line;
  const plain = kind === 'mark' ? { kind, at } : { kind, id: line.id, at };
  const text = JSON.stringify(plain);
  return key === undefined ? text : JSON.stringify({ ...plain, mac: key.sign('journal', text) });
}

/** What happened after a moment: whatever is older, a state of that moment knows itself. */
export async function readJournal(path: string, moment: number, check?: CheckMac): Promise<Journal> {
  const deleted = new Set<string>();
  const after = moment - journalOverlapMilliseconds;
  const onDeletion = (entry: JournalEntry) => entry.at > after && deleted.add(entry.id);
  const acts = await readLastActs(path, { onDeletion, after, check });
  return { ...acts, deleted };
}

type ReadOptions = {
  readonly onDeletion?: (entry: JournalEntry<DeletionKind>) => unknown;
  readonly after?: number;
  /** Throws for a line whose MAC is not as it must be. */
  readonly check?: CheckMac | undefined;
};

/** Reads all of it; the deletions are handed on, because they may be many. */
export async function readLastActs(
  path: string,
  { onDeletion = () => undefined, after = Number.NEGATIVE_INFINITY, check }: ReadOptions = {},
): Promise<LastActs> {
  const blocks = new Map<string, JournalEntry<BlockKind>>();
  const addresses = new Map<string, JournalEntry<AddressKind>>();
  let reachesTo: number | undefined;
  for await (const line of readLines(path, check)) {
    reachesTo = Math.max(line.at, reachesTo ?? line.at);
    if (line.kind === 'mark' || line.at <= after) continue;
    if (isAbout(line, 'deletion')) onDeletion(line);
    else if (isAbout(line, 'block')) keepLast(blocks, line);
    else if (isAbout(line, 'address')) keepLast(addresses, line);
  }
  return { blocks, addresses, reachesTo };
}

/** Users and files that were deleted, as they come. */
export async function* readDeletions(path: string, check?: CheckMac): AsyncIterable<JournalEntry<DeletionKind>> {
  for await (const line of readLines(path, check)) {
    if (line.kind !== 'mark' && isAbout(line, 'deletion')) yield line;
  }
}

function keepLast<Entry extends JournalEntry>(acts: Map<string, Entry>, entry: Entry): void {
  const known = acts.get(entry.id);
  if (known === undefined || known.at <= entry.at) acts.set(entry.id, entry);
}

/** The last line may be cut off if the machine went down while it was written. The rest of it is no JSON. */
async function* readLines(path: string, check: CheckMac = () => undefined): AsyncIterable<JournalLine> {
  const found = await ifThere(
    path,
    access(path, constants.R_OK).then(() => stat(path)),
  );
  if (found === undefined)
    throw new BackupError(`${path} cannot be read. Write it with: gatehouse backup journal > ${path}`);
  if (found.isDirectory()) throw new BackupError(`${path} is a folder. Name the file that backup journal has written.`);
  let unreadable = false;
  let [number, count] = [0, 0];
  for await (const text of linesOf(createReadStream(path), longestLine)) {
    const line = parseLine(text);
    if (unreadable) throw badLine(number);
    number += 1;
    unreadable = line === undefined;
    if (line === undefined && parseJson(text) !== undefined) throw badLine(number);
    if (line === undefined) continue;
    count += 1;
    check('journal', writeEntry(line), macIn(text));
    yield line;
  }
  if (unreadable && count === 0) throw badLine(number);
}

/** Undefined if the line is not whole, its time is not valid, or its id does not have the form that its kind needs. */
export function parseLine(text: string): JournalLine | undefined {
  const { kind, id, at } = asRecord(parseJson(text));
  if (!isTime(at) || typeof kind !== 'string') return undefined;
  if (kind === 'mark') return { kind, at };
  return isJournalKind(kind) && isSubjectId(kind, id) ? { kind, id, at } : undefined;
}

export function macIn(text: string): string | undefined {
  const { mac } = asRecord(parseJson(text));
  return typeof mac === 'string' ? mac : undefined;
}

function badLine(number: number): BackupError {
  return new BackupError(
    `The journal has a line that cannot be read (number ${number} of those that are not empty). Write it with: gatehouse backup journal > FILE`,
  );
}
