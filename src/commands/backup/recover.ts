// The command `recover`: secures a database that was set back in time. It ends everything the database issued and repeats the acts in the journal.

import { stat } from 'node:fs/promises';
import { type CheckMac, requireMac } from '../../backup/backup-mac.ts';
import { type Applied, applyJournal, type JournalTarget } from '../../backup/journal/apply-journal.ts';
import { type LastActs, readLastActs } from '../../backup/journal/journal.ts';
import type { EndedCounts } from '../../backup/snapshot.ts';
import type { Config } from '../../config/config.ts';
import { systemClock } from '../../kernel/clock.ts';
import { chooseBlobs } from '../../service/choose-blobs.ts';
import { openSetBackStore } from '../../service/choose-snapshots.ts';
import { createOperatorPorts, createPorts } from '../../store/ports.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { openMigrated } from '../open-migrated.ts';
import { startProgress } from '../progress.ts';
import { countOf } from '../write-text.ts';
import { acceptedKeys } from './backup-keys.ts';
import { journalReach } from './journal-reach.ts';

type Recovered = {
  readonly to: string;
  /** Null when an earlier run has done this for the same moment. */
  readonly ended: EndedCounts | null;
  readonly applied: Applied | null;
  readonly journalReachesTo: string | null;
};

export const recover: Command<'recover'> = async (context, { to: toText, journal, yes, force, unauthenticated }) => {
  const config = context.config();
  const to = readMoment(toText, systemClock.now());
  if (!yes)
    throw new CommandError(
      `This would end every session, code, link and key of this database, which was set back to ${to}; all users would have to sign in again. Add --yes to do it.`,
    );
  // Reads the whole journal before it changes anything.
  const check = requireMac(acceptedKeys(config), unauthenticated);
  const acts = journal === undefined ? undefined : await readTwice(journal, check);
  await (await openMigrated(config)).close();
  const setBack = await openSetBackStore(config);
  const ended = await setBack.endEverything({ to, now: systemClock.now(), evenInUse: force });
  const applied =
    acts === undefined || journal === undefined ? null : await redo(config, { to, path: journal, acts, check });
  const recovered: Recovered = {
    to,
    ended: ended ?? null,
    applied,
    journalReachesTo: acts?.reachesTo === undefined ? null : new Date(acts.reachesTo).toISOString(),
  };
  context.show(recovered, describe(recovered));
  for (const line of warnings(recovered)) context.say(line);
  return 0;
};

/** The time in ISO form. */
export function readMoment(text: string, now: number): string {
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))$/.test(text);
  // Date.parse takes the 31st of February for the 3rd of March.
  const isDay = isTime && new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  const time = isDay ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(time)) throw new CommandError('--to takes a time with its time zone, such as 2027-01-31T04:30:00Z.');
  if (time > now) throw new CommandError('--to is in the future.');
  return new Date(time).toISOString();
}

/** The journal is read a second time when it is applied, so it cannot be a pipe. */
async function readTwice(journal: string, check: CheckMac): Promise<LastActs> {
  const found = await stat(journal).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new CommandError(`--journal takes a file, and ${journal} is not one. Write the journal into a file first.`);
  return readLastActs(journal, { check });
}

type Repeat = { readonly to: string; readonly path: string; readonly acts: LastActs; readonly check: CheckMac };

async function redo(config: Config, { to, path, acts, check }: Repeat): Promise<Applied> {
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
      findRecord: files.findRecord,
      deleteFile: files.deleteFile,
      actOn: directory.actOn,
      removeEmail: (input) => store.call('bindings.removeEmail', { ...input, isRepeat: true }),
    };
    const by = { actor: 'cli', why: `database set back to ${to}` } as const;
    return await applyJournal(target, { path, acts, by, progress: progress.report, check });
  } finally {
    progress.end();
    await store.close();
  }
}

function describe({ to, ended, applied }: Recovered): string {
  return [
    ended === null
      ? `An earlier run has ended everything issued up to ${to}; users who have signed in since stay signed in.`
      : `Recovered to ${to}. Ended: ${ended.sessions} sessions, ${ended.adminSignIns} sign-ins to /admin, ${countOf(ended.serviceKeys, 'service key')}; not sent again: ${ended.messages} messages, ${ended.webhooks} webhook events. Announced again: ${countOf(ended.phoneChanges, 'scheduled change')} of a phone number.`,
    ...(applied === null
      ? []
      : [
          `Repeated: ${countOf(applied.users, 'user')} and ${countOf(applied.files, 'file')} deleted, ${applied.blocks} blocks or unblocks, ${applied.addresses} replaced addresses removed.`,
        ]),
    ...(ended !== null && ended.serviceKeys > 0 ? [newKeysNeeded] : []),
    'Start the service, then run gatehouse files check: it lists records whose bytes are missing.',
  ].join('\n');
}

const newKeysNeeded = 'Servers of apps need new keys: gatehouse service-keys create --help';

function warnings({ to, applied, journalReachesTo }: Recovered): string[] {
  if (applied === null)
    return [
      `Deletions and blocks after ${to} are undone. If there is a journal, run this command again with --journal.`,
    ];
  const left = applied.left === 0 ? [] : [`The service removes the bytes of ${applied.left} files later.`];
  return [...left, journalReach(journalReachesTo === null ? undefined : Date.parse(journalReachesTo), to)];
}
