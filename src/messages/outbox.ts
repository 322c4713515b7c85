// The outbox: messages to people wait in the store until a provider has taken them, so that none is lost and none endlessly repeated.
import type { AuditDetail } from '../kernel/audit.ts';
import type { Language } from '../kernel/language.ts';

export type Channel = 'sms' | 'mail';

/** A wish to tell someone something. The text is written at delivery: no code and no link lies in the store. */
export type MessageDraft = {
  readonly id: string;
  readonly channel: Channel;
  readonly kind: string;
  readonly payload: MessagePayload;
  readonly createdAt: number;
  /** Worthless after this time: parked instead of sent. */
  readonly expiresAt: number;
};

export type MessagePayload = { readonly to: string; readonly language: Language; readonly [name: string]: unknown };

/** A message that this node holds for a while: nobody else sends it before the lease ends. */
export type ClaimedMessage = MessageDraft & {
  /** This one included. */
  readonly tries: number;
  /** Earlier tries of which nobody knows whether they reached the person. */
  readonly doubts: number;
};

export type OutboxStore = {
  /** Takes due messages of a channel that no node holds, oldest first; each counts as tried from now on. */
  claim(input: { channel: Channel; now: number; most: number; leaseSeconds: number }): Promise<ClaimedMessage[]>;
  /** Not to be sent after all: it leaves the outbox. */
  finish(id: string): Promise<void>;
  /** A provider has taken it: it leaves the outbox, and what is known of it is written down. */
  finishSent(input: { id: string; detail: AuditDetail; now: number }): Promise<void>;
  retry(input: { id: string; dueAt: number; error: string; isDoubtful: boolean }): Promise<void>;
  park(input: { id: string; error: string; detail?: AuditDetail; now: number }): Promise<void>;
  /** How many wait, and since when the oldest does. */
  measure(): Promise<{ waiting: number; parked: number; oldestAt: number | undefined }>;
};
