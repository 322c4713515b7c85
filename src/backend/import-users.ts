// Imports the users of a file, a batch in each commit, and reports what was refused or left out. Memory does not grow with the file.

import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PhoneNumber } from '../kernel/recipient.ts';
import { asRecord } from '../kernel/text/as-record.ts';
import { maskAddressText, maskNumberText } from '../kernel/text/mask.ts';
import { type Drafted, draftUser } from './import/draft-user.ts';
import type { Entry, ForeignUser, Source } from './import/foreign-user.ts';
import type { ImportOutcome, ImportStore, UserDraft } from './import-user.ts';
import { eachUserDatum } from './user-data.ts';

/** So many records share a commit, or fewer if they are large: users with all the metadata they may have need nine KiB each. */
const recordsPerCommit = 1000;
const charactersPerCommit = 1024 * 1024;

export type ImportCounts = {
  readonly created: number;
  readonly completed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Records that were imported without some of their fields. */
  readonly reduced: number;
};

export const noCounts: ImportCounts = { created: 0, completed: 0, unchanged: 0, refused: 0, reduced: 0 };

/** `id` is the foreign id. Numbers and addresses in it are masked. */
type ImportRemark = {
  readonly line: number;
  readonly record: number;
  readonly id: string | null;
  readonly outcome: 'refused' | 'imported';
  readonly reason: string;
};

/** After a commit: how many records of the file are done, and what became of all of them so far. */
export type ImportStep = {
  readonly records: number;
  readonly line: number;
  readonly counts: ImportCounts;
  readonly remarks: readonly ImportRemark[];
};

type ImportDeps = { readonly imports: ImportStore; readonly clock: Clock };

export type ImportRun = {
  readonly entries: AsyncIterable<readonly Entry[]>;
  readonly source: Source;
  readonly readPhone: (text: string) => PhoneNumber;
  readonly by: Act;
  readonly isDryRun: boolean;
  /** The records that an earlier run has done. */
  readonly done: { readonly records: number; readonly counts: ImportCounts };
  /** The next commit waits until the report of this one is written. */
  readonly onStep: (step: ImportStep) => Promise<void>;
  readonly isStopped: () => boolean;
};

type Place = { readonly line: number; readonly record: number; readonly id: string | null };

type Batch = {
  readonly drafts: UserDraft[];
  readonly places: Place[];
  readonly remarks: ImportRemark[];
  records: number;
  line: number;
  characters: number;
};

/** Answers false if it was stopped before the end of the file. */
export async function importUsers(deps: ImportDeps, run: ImportRun): Promise<boolean> {
  const newBatch = (): Batch => ({ drafts: [], places: [], remarks: [], records: 0, line: 0, characters: 0 });
  let batch = newBatch();
  let records = 0;
  let { counts } = run.done;
  /** While a batch is committed, the next one is prepared. */
  let running = Promise.resolve();
  const commit = async (ready: Batch) => {
    const outcomes = await judge(deps, run, ready.drafts);
    const remarks = mergeRemarks(ready.remarks, conflictsOf(outcomes, ready.places));
    counts = addCounts(counts, countBatch(outcomes, remarks));
    await run.onStep({ records: ready.records, line: ready.line, counts, remarks });
  };
  const flush = async () => {
    await running;
    running = commit(batch);
    // The rejection is seen at the next `await running`.
    running.catch(() => undefined);
    batch = newBatch();
  };
  for await (const entries of run.entries) {
    for (const entry of entries) {
      records += 1;
      if (records <= run.done.records) continue;
      takeEntry(batch, entry, records, run, deps.clock.now());
      if (isFull(batch)) await flush();
      if (run.isStopped()) break;
    }
    if (run.isStopped()) break;
  }
  if (batch.records > 0) await flush();
  await running;
  return !run.isStopped();
}

function isFull({ places, remarks, characters }: Batch): boolean {
  return places.length + remarks.length >= recordsPerCommit || characters >= charactersPerCommit;
}

function takeEntry(batch: Batch, entry: Entry, record: number, { source, readPhone }: ImportRun, now: number): void {
  const { line } = entry;
  batch.records = record;
  batch.line = line;
  const read = readForeign(entry, source);
  const id = 'problem' in read ? null : showId(read);
  const drafted = 'problem' in read ? refusal(read.problem) : draftUser(read, { readPhone, now });
  const remark = (outcome: ImportRemark['outcome'], reason: string) =>
    batch.remarks.push({ line, record, id, outcome, reason });
  if (drafted.kind === 'refused') {
    remark('refused', drafted.reason);
    return;
  }
  batch.drafts.push(drafted.draft);
  batch.characters += lengthOf(drafted.draft);
  batch.places.push({ line, record, id });
  if (drafted.leftOut.length > 0) remark('imported', `left out: ${drafted.leftOut.join(', ')}`);
}

/** Ids are short. */
function lengthOf(draft: UserDraft): number {
  const lengths = eachUserDatum((field) => (field === 'externalId' ? 0 : (draft[field]?.length ?? 0)));
  return Object.values(lengths).reduce((sum, length) => sum + length, 0);
}

function readForeign(entry: Entry, source: Source): ForeignUser | { readonly problem: string } {
  if ('problem' in entry) return entry;
  const { value } = entry;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? source.read(asRecord(value)) : { problem: 'the record is no object' };
}

function refusal(reason: string): Drafted {
  return { kind: 'refused', reason };
}

async function judge(
  { imports, clock }: ImportDeps,
  { by, isDryRun }: ImportRun,
  drafts: readonly UserDraft[],
): Promise<readonly ImportOutcome[]> {
  if (drafts.length === 0) return [];
  const batch = { drafts, by, now: clock.now() };
  return isDryRun ? imports.previewImport(batch) : imports.importUsers(batch);
}

const plainOutcomes: ReadonlySet<string> = new Set(['created', 'completed', 'unchanged']);

/** In the order of the file. A record that the store refused was not imported, with or without all of its fields. */
function mergeRemarks(drafted: readonly ImportRemark[], conflicts: readonly ImportRemark[]): ImportRemark[] {
  const refused = new Set(conflicts.map(({ record }) => record));
  return [...drafted.filter(({ record }) => !refused.has(record)), ...conflicts].sort((a, b) => a.record - b.record);
}

function countBatch(outcomes: readonly ImportOutcome[], remarks: readonly ImportRemark[]): ImportCounts {
  const count = (wanted: ImportOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const refused = remarks.filter(({ outcome }) => outcome === 'refused').length;
  return {
    created: count('created'),
    completed: count('completed'),
    unchanged: count('unchanged'),
    refused,
    reduced: remarks.length - refused,
  };
}

function addCounts(...all: readonly ImportCounts[]): ImportCounts {
  const sum = (name: keyof ImportCounts) => all.reduce((total, counts) => total + counts[name], 0);
  return {
    created: sum('created'),
    completed: sum('completed'),
    unchanged: sum('unchanged'),
    refused: sum('refused'),
    reduced: sum('reduced'),
  };
}

function conflictsOf(outcomes: readonly ImportOutcome[], places: readonly Place[]): ImportRemark[] {
  return outcomes.flatMap((outcome, index) => {
    const place = places[index];
    if (place === undefined || plainOutcomes.has(outcome)) return [];
    return [{ ...place, outcome: 'refused' as const, reason: outcome }];
  });
}

const longestShownId = 100;

/** Some services use the address or the number of a user as the id. */
function showId({ externalId, phone, email }: ForeignUser): string | null {
  if (externalId === undefined) return null;
  const digits = phone?.replaceAll(/\D/g, '') ?? '';
  const text = externalId.slice(0, longestShownId);
  const masked = text
    .split(/([\s|:])/)
    .map(maskPart)
    .join('');
  const isNumber = digits.length > 5 && masked.includes(digits);
  return isNumber || (email !== undefined && masked.includes(email)) ? '•••' : masked;
}

function maskPart(part: string): string {
  if (part.includes('@')) return maskAddressText(part);
  return /^\+\d{6}/.test(part) ? maskNumberText(part) : part;
}
