// The command `recover`: makes a database safe that was set back in time. Whatever it issued ends, and what the journal tells of is done anew.
import { stat } from 'node:fs/promises';
import { chooseBlobs } from '../app/choose-blobs.ts';
import { openSetBackStore } from '../app/choose-snapshots.ts';
import { type Applied, applyJournal, type JournalTarget } from '../backup/apply-journal.ts';
import { type LastActs, readLastActs } from '../backup/journal.ts';
import { BackupError, type EndedThings } from '../backup/snapshot.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createOperatorPorts, createPorts } from '../store/ports.ts';
import { openMigrated } from './open-migrated.ts';
import { startProgress } from './progress.ts';
import { orRefusal } from './refusals.ts';
import { print, tell } from './terminal.ts';

export type RecoverOptions = {
  readonly to: string;
  readonly journal?: string;
  readonly yes?: true;
  readonly force?: true;
  readonly json?: true;
};

type Recovered = {
  readonly to: string;
  /** Null where that was done before for this moment. */
  readonly ended: EndedThings | null;
  readonly applied: Applied | null;
  readonly journalReachesTo: string | null;
};

export function recover(config: Config, options: RecoverOptions): Promise<number> {
  return orRefusal(async () => {
    const to = readMoment(options.to);
    if (!options.yes)
      throw new BackupError(
        `This would end every session, code, link and key of this database, as it was set back to ${to}; everybody has to sign in anew. Say --yes to do it.`,
      );
    // Read to its end before anything is touched.
    const acts = options.journal === undefined ? undefined : await readTwice(options.journal);
    await (await openMigrated(config)).close();
    const setBack = await openSetBackStore(config);
    const ended = await setBack.endEverything({ to, now: systemClock.now(), evenInUse: options.force === true });
    const applied =
      acts === undefined || options.journal === undefined ? null : await redo(config, to, options.journal, acts);
    const recovered: Recovered = {
      to,
      ended: ended ?? null,
      applied,
      journalReachesTo: acts?.reachesTo === undefined ? null : new Date(acts.reachesTo).toISOString(),
    };
    print(options.json ? `${JSON.stringify(recovered)}\n` : describe(recovered));
    for (const line of warnings(recovered)) tell(`${line}\n`);
    return 0;
  });
}

function readMoment(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))$/.test(text);
  // The 31st of February would be taken for the 3rd of March.
  const isDay = isTime && new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  const time = isDay ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(time))
    throw new BackupError('--to takes the moment with its time zone, such as 2027-01-31T04:30:00Z.');
  if (time > systemClock.now()) throw new BackupError('--to names a time that has not come yet.');
  return new Date(time).toISOString();
}

/** It is read once more when it is applied, and what comes through a pipe would be gone by then. */
async function readTwice(journal: string): Promise<LastActs> {
  const found = await stat(journal).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new BackupError(`--journal takes a file, and ${journal} is none. Write the journal into one first.`);
  return readLastActs(journal);
}

async function redo(config: Config, to: string, path: string, acts: LastActs): Promise<Applied> {
  const store = await openMigrated(config);
  const progress = startProgress('Journal');
  try {
    const { users, files } = createPorts(store);
    const { directory, audit } = createOperatorPorts(store);
    const target: JournalTarget = {
      ...users,
      clock: store.clock,
      audit,
      blobs: await chooseBlobs(config),
      findFile: files.findFile,
      deleteFile: files.deleteFile,
      actOn: directory.actOn,
      removeEmail: (input) => store.call('removeEmail', input),
    };
    const by = { actor: 'cli', why: `database set back to ${to}` } as const;
    return await applyJournal(target, { path, acts, by, progress: progress.report });
  } finally {
    progress.end();
    await store.close();
  }
}

function describe({ to, ended, applied }: Recovered): string {
  const lines = [
    ended === null
      ? `Everything issued up to ${to} was ended before; who has signed in since stays signed in.`
      : `Recovered to ${to}. Ended: ${ended.sessions} sessions, ${ended.adminSignIns} sign-ins to /admin; not sent again: ${ended.messages} messages, ${ended.webhooks} webhook events.`,
    ...(applied === null
      ? []
      : [
          `Done anew: ${applied.users} users and ${applied.files} files deleted, ${applied.blocks} blocks or unblocks, ${applied.addresses} replaced addresses removed.`,
        ]),
    'Start the service, then run gatehouse files check: it lists records whose bytes are gone.',
  ];
  return `${lines.join('\n')}\n`;
}

function warnings({ to, applied, journalReachesTo }: Recovered): string[] {
  if (applied === null)
    return [`Deletions and blocks after ${to} are undone. If there is a journal, run this again with --journal.`];
  const left = applied.left === 0 ? [] : [`The bytes of ${applied.left} files will be swept later.`];
  if (journalReachesTo === null || journalReachesTo < to)
    return [...left, `The journal ends before ${to}: it knows nothing of what was deleted after that.`];
  return [...left, `The journal reaches to ${journalReachesTo}; deletions and blocks after that are undone.`];
}
