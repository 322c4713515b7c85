// Use case: everything that is kept about a person, but for the bytes of their files; written down before it is gathered.

import type { StoredFile } from '../files/stored-file.ts';
import type { Act } from '../kernel/audit.ts';
import type { SupportDeps } from './deps.ts';
import { type ShownPerson, showPerson } from './show-user.ts';
import type { TimelineEntry } from './trace-recipients.ts';
import { tracePerson } from './trace-user.ts';

type Deps = Pick<SupportDeps, 'persons' | 'sessions' | 'files' | 'audit' | 'limits' | 'secrets' | 'clock'>;

export type ExportedPerson = Pick<ShownPerson, 'person' | 'sessions'> & {
  readonly files: readonly StoredFile[];
  readonly timeline: readonly TimelineEntry[];
};

const pageSize = 500;
const mostEvents = 10_000;

export async function exportPerson(deps: Deps, { who, by }: { who: string; by: Act }): Promise<ExportedPerson> {
  const { person, sessions } = await showPerson(deps, who);
  const { id: userId } = person;
  await deps.audit.record({ kind: 'user.exported', userId, detail: { ...by }, now: deps.clock.now() });
  const files = await listAll(deps, userId);
  const { entries } = await tracePerson(deps, person, { since: 0, most: mostEvents });
  return { person, sessions, files, timeline: entries };
}

async function listAll({ files }: Pick<Deps, 'files'>, userId: string): Promise<StoredFile[]> {
  const all: StoredFile[] = [];
  for (;;) {
    const page = await files.listFiles({ userId, before: all.at(-1), most: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
