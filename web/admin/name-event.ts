// What happened, in words: every kind of event has a text, or is named here as one that is shown as it is.
import { texts } from './admin-texts.ts';
import type { EventKind } from './event-kinds.ts';

/** Of interest to whoever runs the service, who knows them by these names. */
type ShownAsItIs =
  | 'email.removed'
  | 'spend.suspended'
  | 'webhooks.replayed'
  | 'backup.created'
  | 'backup.restored'
  | 'storage.adopted'
  | 'sweep.stopped'
  | 'database.recovered';

const eventTexts: Readonly<Record<Exclude<EventKind, ShownAsItIs>, string>> = texts;

const troubles: ReadonlySet<string> = new Set<EventKind>([
  'otp.wrong',
  'message.parked',
  'login.refused',
  'session.reused',
  'limits.reached',
  'sms.suspended',
]);

/** A service of a later version may know more kinds. */
export function nameEvent(kind: string): string {
  return (eventTexts as Readonly<Record<string, string>>)[kind] ?? kind;
}

export function isTrouble(kind: string): boolean {
  return troubles.has(kind);
}
