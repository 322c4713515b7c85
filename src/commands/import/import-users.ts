// The command `import users`: reads the export of another service, shows its progress, and says how to go on if it is interrupted.

import { resolve } from 'node:path';
import { findTestRecipient } from '../../auth/codes/test-recipient.ts';
import { parsePhoneNumber } from '../../auth/identity/phone-number.ts';
import { SourceError } from '../../backend/import/foreign-user.ts';
import { type SourceName, sourceNames, sources } from '../../backend/import/sources.ts';
import { type ImportCounts, type ImportStep, importUsers as importAll } from '../../backend/import-users.ts';
import type { Config } from '../../config/config.ts';
import { cleanReason } from '../../kernel/audit.ts';
import { releaseMemory } from '../../kernel/process/release-memory.ts';
import type { PhoneNumber } from '../../kernel/recipient.ts';
import { findWord } from '../../kernel/text/closed-list.ts';
import { CommandError } from '../command-error.ts';
import type { Command, CommandInput } from '../declarations.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../write-text.ts';
import { openReport, readSubject, withoutReport } from './import-report.ts';
import { readEntries } from './read-entries.ts';

type Input = CommandInput<'import users'>;

/** How often the garbage of the import is collected. */
const commitsPerCollection = 10;

/** Exit code 1 when a record was refused, or when the import was stopped. */
export const importUsers: Command<'import users'> = async (context, input) => {
  const { dryRun, resume, reason } = input;
  const from = readSourceName(input.from);
  if (dryRun && resume) throw new CommandError('A dry run cannot continue another run: leave out --resume.', 2);
  const path = resolve(input.file);
  const subject = await readSubject(path, from);
  const config = context.config();
  const { imports, clock } = await context.open();
  const place = input.report ?? (dryRun ? undefined : `${input.file}.report.jsonl`);
  const report =
    place === undefined
      ? withoutReport()
      : await openReport(resolve(place), subject, { isResumed: resume, isDryRun: dryRun });
  const progress = startProgress(dryRun ? 'Dry run' : 'Import');
  const stopping = watchSignals();
  let { records, counts } = report.done;
  let bytes = 0;
  let commits = 0;
  const onStep = async (step: ImportStep) => {
    ({ records, counts } = step);
    await report.add(step);
    commits += 1;
    if (commits % commitsPerCollection === 0) releaseMemory();
    progress.report({ done: records, total: estimate(records, bytes, subject.size), bytes: 0, what: 'records' });
  };
  const entries = readEntries(path, sources[from], (read) => {
    bytes = read;
  });
  try {
    const isComplete = await importAll(
      { imports, clock },
      {
        entries,
        source: sources[from],
        readPhone: phoneReader(config, clock.now()),
        by: { actor: 'cli', why: cleanReason(reason ?? '') },
        isDryRun: dryRun,
        done: report.done,
        onStep,
        isStopped: stopping.isStopped,
      },
    );
    if (isComplete) await report.end(counts);
    progress.end();
    const shown = { isComplete, isDryRun: dryRun, records, ...counts, report: place ?? null };
    context.show(shown, describe(input, isComplete, records, counts, place));
    return isComplete && counts.refused === 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    if (!(error instanceof SourceError)) {
      if (records > 0 && !dryRun) context.say(`Stopped after ${countOf(records, 'record')}. ${howToGoOn(input)}`);
      throw error;
    }
    const rest = records === 0 ? 'Nothing was imported.' : `The ${countOf(records, 'record')} before it were read.`;
    throw new CommandError(`${input.file}: ${error.message} ${dryRun ? '' : rest}`.trim());
  } finally {
    stopping.end();
    await report.close();
  }
};

function readSourceName(text: string): SourceName {
  const name = findWord(sourceNames, text);
  if (name === undefined) throw new CommandError(`--from takes one of: ${sourceNames.join(', ')}.`, 2);
  return name;
}

/** The same numbers are served as at sign-in. */
function phoneReader(
  { phoneTypes, testRecipients }: Pick<Config, 'phoneTypes' | 'testRecipients'>,
  now: number,
): (text: string) => PhoneNumber {
  const isTest = (phone: string) => findTestRecipient(testRecipients, phone, now) !== undefined;
  return (text) => parsePhoneNumber(text, phoneTypes, isTest).phone;
}

/** Ctrl-C ends the import after the commit that is running. A second one ends it at once, which loses nothing either. */
function watchSignals() {
  let isStopped = false;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    isStopped = true;
    end();
  };
  const end = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return { isStopped: () => isStopped, end };
}

/** Records have about the same length, so the bytes read tell how many there will be. */
function estimate(records: number, bytes: number, size: number): number {
  return bytes === 0 || bytes >= size ? records : Math.round((records * size) / bytes);
}

function describe(
  input: Input,
  isComplete: boolean,
  records: number,
  { created, completed, unchanged, refused, reduced }: ImportCounts,
  place: string | undefined,
): string {
  const { dryRun } = input;
  const remarks = refused + reduced;
  return [
    `${countOf(records, 'record')}: ${created} ${dryRun ? 'to create' : 'created'}, ${completed} ${dryRun ? 'to complete' : 'completed'}, ${unchanged} unchanged, ${refused} refused`,
    ...(reduced > 0 ? [`${countOf(reduced, 'record')} without some of their fields`] : []),
    ...(remarks > 0 && place !== undefined ? [`The reasons are in ${place}.`] : []),
    ...(remarks > 0 && place === undefined ? ['To see the reasons: --report FILE'] : []),
    ...(isComplete || dryRun ? [] : [`Stopped. ${howToGoOn(input)}`]),
  ].join('\n');
}

function howToGoOn({ from, file, report }: Input): string {
  return `To go on: gatehouse import users --from ${from} ${file}${report === undefined ? '' : ` --report ${report}`} --resume`;
}
