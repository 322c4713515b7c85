// Names audit events: every kind has a text.
import { texts } from './admin-texts.ts';
import type { EventKind } from './event-kinds.ts';

/** A new kind without a text does not compile. */
const eventTexts: Readonly<Record<EventKind, string>> = texts.events;

const problems: ReadonlySet<string> = new Set<EventKind>([
  'otp.wrong',
  'otp.failed',
  'otp.exhausted',
  'message.parked',
  'login.refused',
  'session.reused',
  'limits.reached',
  'sms.suspended',
]);

/** A newer version of the service may send other kinds. They are shown by their own name. */
export function nameEvent(kind: string): string {
  return (eventTexts as Readonly<Record<string, string>>)[kind] ?? kind;
}

export function isProblem(kind: string): boolean {
  return problems.has(kind);
}
