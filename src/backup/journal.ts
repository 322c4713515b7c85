// The journal: deletions and blocks, which an older backup would undo unless a restore is told of them.
import type { AuditKind } from '../kernel/audit.ts';
import { Refusal } from './snapshot.ts';

export const journalKinds = [
  'user.deleted',
  'file.deleted',
  'user.blocked',
  'user.unblocked',
] as const satisfies readonly AuditKind[];

/** `id` is the user's or the file's. */
export type JournalEntry = {
  readonly kind: (typeof journalKinds)[number];
  readonly id: string;
  readonly at: number;
};

/** Of as many events as a page has, those that belong here: a page costs the same however few they are. */
export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly next: string | undefined };

/** Where things stood when the journal was written. */
export type Journal = {
  /** Users and files. */
  readonly deleted: ReadonlySet<string>;
  /** When each was blocked; undefined for one who was let in again. */
  readonly blocks: ReadonlyMap<string, number | undefined>;
};

export const emptyJournal: Journal = { deleted: new Set(), blocks: new Map() };

export function writeEntry(entry: JournalEntry): string {
  return JSON.stringify(entry);
}

/** Oldest first: the last word on somebody counts. */
export function readJournal(text: string): Journal {
  const deleted = new Set<string>();
  const blocks = new Map<string, number | undefined>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const { kind, id, at } = readEntry(line);
    if (kind === 'user.blocked') blocks.set(id, at);
    else if (kind === 'user.unblocked') blocks.set(id, undefined);
    else deleted.add(id);
  }
  return { deleted, blocks };
}

function readEntry(line: string): JournalEntry {
  try {
    const entry = JSON.parse(line) as JournalEntry;
    const isWhole = typeof entry.id === 'string' && Number.isFinite(entry.at) && journalKinds.includes(entry.kind);
    if (isWhole) return entry;
  } catch {}
  throw new Refusal('The journal has a line that cannot be read. Write it with: gatehouse backup journal > FILE');
}
