// Use case: what happened to one person, newest first: what they asked for, what was sent, wrong codes, sign-ins, acts on them.
import type { LimitStore } from '../guard/limit-store.ts';
import type { AuditDetail, AuditStore, StoredEvent } from '../kernel/audit.ts';
import { marksOf } from '../kernel/recipient-mark.ts';
import type { Secrets } from '../kernel/secrets.ts';
import { failuresId } from './challenge.ts';
import type { Person } from './person.ts';

export type TimelineEntry = { readonly at: number; readonly kind: string; readonly detail: AuditDetail };

type Deps = { readonly audit: AuditStore; readonly limits: LimitStore; readonly secrets: Secrets };

export async function tracePerson(
  { audit, limits, secrets }: Deps,
  { id, phone, email }: Person,
  { since, most }: { since: number; most: number },
): Promise<TimelineEntry[]> {
  const recipients = [phone, ...(email === undefined ? [] : [email.toLowerCase()])];
  const marks = recipients.flatMap((recipient) => marksOf(secrets, recipient));
  const found = await Promise.all([
    audit.list({ userId: id, since, most }),
    ...marks.map((recipient) => audit.list({ recipient, since, most })),
  ]);
  const events = [...new Map(found.flat().map((event) => [event.id, event])).values()];
  // Wrong codes are counted, not written down one by one; the counter remembers the latest.
  const failures = await Promise.all(recipients.map((recipient) => limits.read(failuresId(recipient))));
  const wrong = failures.flat().filter((at) => at >= since);
  return [...events.map(toEntry), ...wrong.map((at) => ({ at, kind: 'otp.wrong', detail: {} }))]
    .sort((a, b) => b.at - a.at)
    .slice(0, most);
}

function toEntry({ at, kind, detail: { recipient: _, ...detail } }: StoredEvent): TimelineEntry {
  return { at, kind, detail };
}
