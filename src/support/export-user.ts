// Use case: export all data about a user except file contents. The audit event is written before the data is read.

import type { StoredFile } from '../files/stored-file.ts';
import type { Act } from '../kernel/audit.ts';
import type { SupportDeps } from './deps.ts';
import { type ShownUser, showUser } from './show-user.ts';
import type { TimelineEntry } from './trace-recipients.ts';
import { traceUser } from './trace-user.ts';

type Deps = Pick<SupportDeps, 'directory' | 'sessions' | 'files' | 'audit' | 'limits' | 'secrets' | 'clock'>;

export type ExportedUser = Pick<ShownUser, 'user' | 'sessions'> & {
  readonly files: readonly StoredFile[];
  readonly timeline: readonly TimelineEntry[];
};

const pageSize = 500;
const mostEvents = 10_000;

export async function exportUser(deps: Deps, { who, by }: { who: string; by: Act }): Promise<ExportedUser> {
  const { user, sessions } = await showUser(deps, who);
  const { id: userId } = user;
  await deps.audit.record({ kind: 'user.exported', userId, detail: { ...by }, now: deps.clock.now() });
  const files = await listAll(deps, userId);
  const { entries } = await traceUser(deps, user, { since: 0, most: mostEvents });
  return { user, sessions, files, timeline: entries };
}

async function listAll({ files }: Pick<Deps, 'files'>, userId: string): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for (;;) {
    const page = await files.listFiles({ userId, before: all.at(-1), most: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
