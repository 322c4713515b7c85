// The report of an import, one JSON line per remark, and beside it the place that an interrupted import goes on from.
import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type ImportCounts, type ImportStep, noCounts } from '../../backend/import-users.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import { CommandError } from '../command-error.ts';

/** Which file is imported, and how. A resumed import must be of the same file. */
type ImportSubject = { readonly from: string; readonly size: number; readonly digest: string };

type DoneRecords = { readonly records: number; readonly counts: ImportCounts };

type ImportReport = {
  readonly done: DoneRecords;
  /** Writes the remarks, then the place. If it ends in between, the remarks are cut off when the import goes on. */
  add(step: ImportStep): Promise<void>;
  /** Writes the summary. The place is no longer needed. */
  end(counts: ImportCounts): Promise<void>;
  close(): Promise<void>;
};

const noReport: ImportReport = {
  done: { records: 0, counts: noCounts },
  add: async () => undefined,
  end: async () => undefined,
  close: async () => undefined,
};

/** For a dry run whose report nobody asked for. */
export function withoutReport(): ImportReport {
  return noReport;
}

/** A dry run has no place to go on from. */
export async function openReport(
  path: string,
  subject: ImportSubject,
  { isResumed, isDryRun }: { readonly isResumed: boolean; readonly isDryRun: boolean },
): Promise<ImportReport> {
  const statePath = `${path}.state`;
  const state = isResumed ? await readState(statePath, subject) : undefined;
  if (state === undefined) await refuseForeign(path);
  if (isDryRun) await refuseInterrupted(statePath);
  const file = await open(path, state === undefined ? 'w' : 'r+', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (state !== undefined && error.code === 'ENOENT') throw new CommandError(`${path} is gone. ${again}`);
    throw new CommandError(`The report cannot be written: ${error.message}. Name another file: --report FILE`);
  });
  let length = state?.reportBytes ?? 0;
  await file.truncate(length);
  const append = async (records: readonly unknown[]) => {
    const text = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    // A nearly full disk may take only a part of a write.
    for (let done = 0; done < text.length; ) {
      const { bytesWritten } = await file.write(text, done, text.length - done, length + done).catch(refuseWrite);
      done += bytesWritten;
    }
    length += text.length;
  };
  if (state === undefined) {
    if (!isDryRun) await rm(statePath, { force: true });
    await append([{ import: subject }]);
  }
  return {
    done: state?.done ?? noReport.done,
    add: async ({ records, line, counts, remarks }) => {
      if (remarks.length > 0) await append(remarks);
      if (isDryRun) return;
      const next = JSON.stringify({ subject, done: { records, counts }, line, reportBytes: length });
      const part = `${statePath}.part`;
      // What is there is left over from a run that was ended, or is a link that somebody else made: it is not written to.
      await rm(part, { force: true });
      await writeFile(part, next, { mode: 0o600, flag: 'wx' }).catch(refuseWrite);
      // A rename replaces the place at once, so that there is always a whole one.
      await rename(part, statePath).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        throw new CommandError(`Another import has used ${path} too. No user is lost: let it end, or import again.`);
      });
    },
    end: async (counts) => {
      await append([{ summary: counts }]);
      if (!isDryRun) await rm(statePath, { force: true });
    },
    close: () => file.close(),
  };
}

/** A repeated import gives the same users. */
const again = 'Import without --resume: users who were imported stay as they are.';

function refuseWrite(error: Error): never {
  throw new CommandError(`The report cannot be written: ${error.message}.`);
}

/** The report of a dry run must not replace the one that an interrupted import adds to when it goes on. */
async function refuseInterrupted(statePath: string): Promise<void> {
  if ((await stat(statePath).catch(() => undefined)) !== undefined)
    throw new CommandError('This report belongs to an interrupted import. Name another file: --report FILE');
}

/** A mistyped name must not overwrite another file. */
async function refuseForeign(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile())
    throw new CommandError(`The report cannot be written: ${path} is no file. Name another file: --report FILE`);
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return;
  const start = Buffer.alloc(10);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  await file.close();
  if (bytesRead > 0 && start.toString() !== '{"import":')
    throw new CommandError(`${path} exists and is no report of an import. Name another file: --report FILE`);
}

async function readState(path: string, subject: ImportSubject) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new CommandError(`There is nothing to go on with: ${path} does not exist. Import without --resume.`);
  const state = asRecord(parseState(path, text));
  if (JSON.stringify(state.subject) !== JSON.stringify(subject))
    throw new CommandError(`${path} belongs to an import of another file. Import without --resume.`);
  const { records, counts } = asRecord(state.done);
  return {
    done: { records: Number(records), counts: { ...noCounts, ...asRecord(counts) } },
    reportBytes: Number(state.reportBytes),
  };
}

/** After a power cut it may be empty. */
function parseState(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${path} cannot be read. ${again}`);
  }
}

/** The size and the beginning of the file tell it from another one. Reading all of it twice would take as long as the import. */
export async function readSubject(path: string, from: string): Promise<ImportSubject> {
  const file = await open(path).catch((error: Error) => {
    throw new CommandError(`The file cannot be read: ${error.message}.`);
  });
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new CommandError(`${path} is no file.`);
    const start = Buffer.alloc(Math.min(facts.size, 65_536));
    await file.read(start, 0, start.length, 0);
    return { from, size: facts.size, digest: createHash('sha256').update(start).digest('hex') };
  } finally {
    await file.close();
  }
}
