// Use case: export all data about a user except file contents. The audit event is written before the data is read.

import type { StoredFile } from '../../files/stored-file.ts';
import type { TrashedFile } from '../../files/trash/trash.ts';
import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { AllowedScopes, SupportDeps } from '../deps.ts';
import type { TimelineEntry } from '../trace-recipients.ts';
import { type ShownUser, showUser } from './show-user.ts';
import { traceUser } from './trace-user.ts';

type Deps = Pick<
  SupportDeps,
  | 'directory'
  | 'sessions'
  | 'scheduledPhones'
  | 'files'
  | 'trash'
  | 'audit'
  | 'limits'
  | 'secrets'
  | 'clock'
  | 'appStore'
>;

type ExportedUser = Omit<ShownUser, 'usage'> & {
  /** Also the files in the trash. They have `deletedAt`. */
  readonly files: readonly (StoredFile | TrashedFile)[];
  readonly timeline: readonly TimelineEntry[];
  /** What the user allowed apps. */
  readonly allowed: readonly AllowedScopes[];
};

const pageSize = 500;
const mostEvents = 10_000;

export async function exportUser(deps: Deps, { who, by }: { who: string; by: Act }): Promise<ExportedUser> {
  const { usage: _, ...shown } = await showUser(deps, who);
  const { user } = shown;
  const { id: userId } = user;
  await deps.audit.record({ kind: 'user.exported', userId, detail: { ...by }, now: deps.clock.now() });
  const now = deps.clock.now();
  const files = await listFiles(deps, userId, now);
  const trash = await listTrash(deps, userId, now);
  const { entries } = await traceUser(deps, user, { since: 0, most: mostEvents });
  return {
    ...shown,
    files: [...files, ...trash],
    timeline: entries,
    allowed: await deps.appStore.listConsents(userId),
  };
}

async function listFiles({ files }: Pick<Deps, 'files'>, userId: UserId, now: number): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for (;;) {
    const page = await files.listFiles({ userId, before: all.at(-1), most: pageSize, now });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

async function listTrash({ trash }: Pick<Deps, 'trash'>, userId: UserId, now: number): Promise<TrashedFile[]> {
  const all: TrashedFile[] = [];
  for (;;) {
    const page = await trash.listTrash({ userId, before: all.at(-1), most: pageSize, now });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
