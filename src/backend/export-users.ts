// Exports all users, one line each, a page at a time: memory does not grow with their number.
import type { BackendUser } from '../auth/directory/user-directory.ts';
import { exportedView } from '../auth/directory/user-views.ts';
import type { Act, AuditStore } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';

const usersPerPage = 1000;

export type ExportStore = {
  /** In the order of the ids, after the given one. */
  listExported(page: { readonly after: string; readonly most: number }): Promise<BackendUser[]>;
};

type ExportDeps = { readonly exports: ExportStore; readonly audit: AuditStore; readonly clock: Clock };

/** The act is recorded before the first user is read, so that an export that is interrupted is recorded too. */
export async function* exportUsers({ exports, audit, clock }: ExportDeps, by: Act): AsyncGenerator<readonly string[]> {
  await audit.record({ kind: 'users.exported', detail: { ...by }, now: clock.now() });
  for (let after = ''; ; ) {
    const page = await exports.listExported({ after, most: usersPerPage });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((user) => JSON.stringify(exportedView(user)));
    after = last.id;
  }
}
