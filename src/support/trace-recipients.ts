// Use case: what happened to phone numbers and addresses, and to whoever owns them, newest first, page by page.
import type { LimitStore } from '../abuse/limit-store.ts';
import type { Hits } from '../abuse/limits.ts';
import { hitsOfReserve, reserveId } from '../auth/attempt-budget.ts';
import { failuresId } from '../auth/challenge.ts';
import type { AuditDetail, AuditStore, StoredEvent } from '../kernel/audit.ts';
import { Failure } from '../kernel/failure.ts';
import { marksOf } from '../kernel/recipient-mark.ts';
import type { Secrets } from '../kernel/secrets.ts';

export type TimelineEntry = { readonly at: number; readonly kind: string; readonly detail: AuditDetail };

/** `next` is handed in as `cursor` for what lies further back; null at the end. */
export type Timeline = { readonly entries: readonly TimelineEntry[]; readonly next: string | null };

export type TimelineRange = { readonly since: number; readonly most: number; readonly cursor?: string };

export type TraceDeps = { readonly audit: AuditStore; readonly limits: LimitStore; readonly secrets: Secrets };

export async function traceRecipients(
  { audit, limits, secrets }: TraceDeps,
  { userId, recipients }: { userId?: string; recipients: readonly string[] },
  { since, most, cursor }: TimelineRange,
): Promise<Timeline> {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  const range = { since, most: most + 1, ...(place !== undefined && { before: place.id }) };
  const found = await Promise.all([
    ...(userId === undefined ? [] : [audit.list({ userId, ...range })]),
    ...recipients.flatMap((one) => marksOf(secrets, one)).map((recipient) => audit.list({ recipient, ...range })),
  ]);
  const events = [...new Map(found.flat().map((event) => [event.id, event])).values()].sort(newestFirst);
  const page = events.slice(0, most);
  const last = events.length > most ? page.at(-1) : undefined;
  // Under an attack not every wrong code is written down; the counter remembers the latest.
  const failures = await Promise.all(recipients.map((recipient) => readFailures(limits, recipient)));
  const from = last?.at ?? since;
  const written = new Set(events.filter(({ kind }) => /^otp\.(failed|exhausted)$/.test(kind)).map(({ at }) => at));
  const isHere = (at: number) => at >= from && at < (place?.at ?? Number.POSITIVE_INFINITY) && !written.has(at);
  const wrong = failures.flat().filter(isHere);
  const entries = [...page.map(toEntry), ...wrong.map((at) => ({ at, kind: 'otp.wrong', detail: {} }))];
  return { entries: entries.sort((a, b) => b.at - a.at), next: last === undefined ? null : `${last.at}_${last.id}` };
}

async function readFailures(limits: LimitStore, recipient: string): Promise<Hits> {
  const [failures, reserve] = await Promise.all([
    limits.read(failuresId(recipient)),
    limits.read(reserveId(recipient)),
  ]);
  return [...((failures ?? []) as Hits), ...hitsOfReserve(reserve)];
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
