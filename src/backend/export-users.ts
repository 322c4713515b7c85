// Exports all users, one line each, a page at a time: memory does not grow with their number.
import type { Act, AuditStore } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { type ExportStore, writeExported } from './export-user.ts';

const usersPerPage = 1000;

type ExportDeps = { readonly exports: ExportStore; readonly audit: AuditStore; readonly clock: Clock };

/** The act is recorded before the first user is read, so that an export that is interrupted is recorded too. */
export async function* exportUsers({ exports, audit, clock }: ExportDeps, by: Act): AsyncGenerator<readonly string[]> {
  await audit.record({ kind: 'users.exported', detail: { ...by }, now: clock.now() });
  for (let after = ''; ; ) {
    const page = await exports.listExported({ after, most: usersPerPage });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(writeExported);
    after = last.id;
  }
}
