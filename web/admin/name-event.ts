// Names audit events: every kind has a text.
import { texts } from './admin-texts.ts';
import type { EventKind } from './event-kinds.ts';

/** A new kind without a text does not compile. */
const eventTexts: Readonly<Record<EventKind, string>> = texts.events;

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
