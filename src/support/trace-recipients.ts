// Use case: list the events of phone numbers, e-mail addresses and their owner, newest first, in pages.

import type { LimitStore } from '../abuse/limit-store.ts';
import type { Hits } from '../abuse/limits.ts';
import { budgetIds, hitsOfReserve } from '../auth/codes/attempt-budget.ts';
import { type AuditDetail, type AuditKind, type AuditStore, auditKinds, type StoredEvent } from '../kernel/audit.ts';
import { marksOf } from '../kernel/crypto/recipient-mark.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import { Failure } from '../kernel/failure.ts';
import type { UserId } from '../kernel/ids.ts';

/** The audit kinds, and wrong codes that only a counter recorded. */
export const timelineKinds = [...auditKinds, 'otp.wrong'] as const;

export type TimelineEntry = { readonly at: number; readonly kind: string; readonly detail: AuditDetail };

/** Pass `next` as `cursor` to get the next older page; null on the last page. */
export type Timeline = { readonly entries: readonly TimelineEntry[]; readonly next: string | null };

export type TimelineRange = { readonly since: number; readonly most: number; readonly cursor?: string };

export type TraceDeps = { readonly audit: AuditStore; readonly limits: LimitStore; readonly secrets: Secrets };

export async function traceRecipients(
  { audit, limits, secrets }: TraceDeps,
  { userId, recipients }: { userId?: UserId; recipients: readonly string[] },
  { since, most, cursor }: TimelineRange,
): Promise<Timeline> {
  const start = cursor === undefined ? undefined : readCursor(cursor);
  const range = { since, most: most + 1, ...(start !== undefined && { before: start.id }) };
  const found = await Promise.all([
    ...(userId === undefined ? [] : [audit.list({ userId, ...range })]),
    ...recipients.flatMap((text) => marksOf(secrets, text)).map((recipient) => audit.list({ recipient, ...range })),
  ]);
  const events = [...new Map(found.flat().map((event) => [event.id, event])).values()].sort(newestFirst);
  const page = events.slice(0, most);
  const last = events.length > most ? page.at(-1) : undefined;
  // During an attack not every wrong code gets an audit event. The counters hold the latest ones.
  const failures = await Promise.all(recipients.map((recipient) => readFailures(limits, recipient)));
  const from = last?.at ?? since;
  const audited = new Set(events.filter(({ kind }) => wrongCodes.includes(kind)).map(({ at }) => at));
  const isOnPage = (at: number) => at >= from && at < (start?.at ?? Number.POSITIVE_INFINITY) && !audited.has(at);
  const wrong = failures.flat().filter(isOnPage);
  const entries = [...page.map(toEntry), ...wrong.map((at) => ({ at, kind: 'otp.wrong', detail: {} }))];
  return { entries: entries.sort((a, b) => b.at - a.at), next: last === undefined ? null : `${last.at}_${last.id}` };
}

const wrongCodes: readonly string[] = ['otp.failed', 'otp.exhausted'] satisfies AuditKind[];

async function readFailures(limits: LimitStore, recipient: string): Promise<Hits> {
  const { failuresId, reserveId, deviceReserveId } = budgetIds(recipient);
  const [failures, reserve, devices] = await Promise.all([
    limits.read(failuresId),
    limits.read(reserveId),
    limits.read(deviceReserveId),
  ]);
  return [...((failures ?? []) as Hits), ...hitsOfReserve(reserve), ...((devices ?? []) as Hits)];
}

function newestFirst(a: StoredEvent, b: StoredEvent): number {
  return a.id < b.id ? 1 : -1;
}

function readCursor(text: string): { at: number; id: string } {
  const [, at = '', id = ''] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(text) ?? [];
  if (id === '') throw new Failure('REQUEST_INVALID', { field: 'cursor' });
  return { at: Number(at), id };
}

function toEntry({ at, kind, detail: { recipient: _, ...detail } }: StoredEvent): TimelineEntry {
  return { at, kind, detail };
}
