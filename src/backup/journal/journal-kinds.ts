// Which audit events go into the journal, and what each of them means to a restore. A new kind compiles only when it is decided here.

import { isFileId } from '../../files/stored-file.ts';
import type { AuditKind, StoredEvent } from '../../kernel/audit.ts';
import { isId } from '../../kernel/crypto/uuid.ts';
import type { FileId, UserId } from '../../kernel/ids.ts';

/** deletion: what is gone stays gone. block, address: of each user the last act counts. */
export type JournalTopic = 'deletion' | 'block' | 'address';

type Rule = { readonly topic: JournalTopic; readonly subject: 'user' | 'file' };

/** An older state of the database may forget it. */
const notKept = undefined;

const rules = {
  'user.deleted': { topic: 'deletion', subject: 'user' },
  'file.deleted': { topic: 'deletion', subject: 'file' },
  'file.removed': { topic: 'deletion', subject: 'file' },
  'file.expired': { topic: 'deletion', subject: 'file' },
  'user.blocked': { topic: 'block', subject: 'user' },
  'user.unblocked': { topic: 'block', subject: 'user' },
  'email.replaced': { topic: 'address', subject: 'user' },
  'email.removed': { topic: 'address', subject: 'user' },
  'otp.requested': notKept,
  'otp.failed': notKept,
  'otp.exhausted': notKept,
  'login.succeeded': notKept,
  'login.refused': notKept,
  'user.created': notKept,
  'user.signed-out': notKept,
  'user.not-me': notKept,
  'user.exported': notKept,
  'user.revealed': notKept,
  'session.ended': notKept,
  'session.reused': notKept,
  'session.evicted': notKept,
  'session.proved': notKept,
  'link.requested': notKept,
  'email.bound': notKept,
  'phone.changed': notKept,
  'phone.change-scheduled': notKept,
  'phone.change-cancelled': notKept,
  'phone.change-failed': notKept,
  'phone.lost': notKept,
  'sms.suspended': notKept,
  'spend.suspended': notKept,
  'message.sent': notKept,
  'message.parked': notKept,
  'message.resent': notKept,
  'webhooks.replayed': notKept,
  'limits.cleared': notKept,
  'keys.rotated': notKept,
  'keys.revoked': notKept,
  'secret.rotated': notKept,
  'file.stored': notKept,
  'file.infected': notKept,
  // A file in the trash may have been restored since. The end of its time there is kept.
  'file.trashed': notKept,
  'file.restored': notKept,
  'file.shared': notKept,
  'file.unshared': notKept,
  'file.readers-changed': notKept,
  'limits.reached': notKept,
  'sms.resumed': notKept,
  'admin.issued': notKept,
  'admin.entered': notKept,
  'admin.left': notKept,
  'admin.revoked': notKept,
  'service-key.created': notKept,
  'service-key.revoked': notKept,
  'app.signed-in': notKept,
  'app.consented': notKept,
  'app.withdrawn': notKept,
  'app.code-reused': notKept,
  'user.data-changed': notKept,
  'users.imported': notKept,
  'users.exported': notKept,
  'backup.created': notKept,
  'backup.restored': notKept,
  'storage.adopted': notKept,
  'database.adopted': notKept,
  'sweep.stopped': notKept,
  'database.recovered': notKept,
} as const satisfies Readonly<Record<AuditKind, Rule | typeof notKept>>;

type Rules = typeof rules;

type KindAbout<Topic extends JournalTopic> = {
  [Kind in AuditKind]: Rules[Kind] extends { readonly topic: Topic } ? Kind : never;
}[AuditKind];

type JournalKind = KindAbout<JournalTopic>;
export type DeletionKind = KindAbout<'deletion'>;
export type BlockKind = KindAbout<'block'>;
export type AddressKind = KindAbout<'address'>;

type SubjectIds = { readonly user: UserId; readonly file: FileId };

/** `id` is the user's or the file's. */
export type JournalEntry<Kind extends JournalKind = JournalKind> = {
  readonly kind: Kind;
  readonly id: SubjectIds[Rules[Kind]['subject']];
  readonly at: number;
};

export function isJournalKind(kind: string): kind is JournalKind {
  return Object.hasOwn(rules, kind) && rules[kind as AuditKind] !== notKept;
}

/** Whether an entry of this kind can carry the id: that of a user, or of a file. */
export function isSubjectId(kind: JournalKind, id: unknown): id is SubjectIds[Rule['subject']] {
  return typeof id === 'string' && { user: isId, file: isFileId }[rules[kind].subject](id);
}

export function isAbout<Topic extends JournalTopic>(
  entry: JournalEntry,
  topic: Topic,
): entry is JournalEntry<Extract<JournalKind, KindAbout<Topic>>> {
  return rules[entry.kind].topic === topic;
}

/** Undefined for an event that does not go into the journal. */
export function toJournalEntry({ kind, userId, detail, at }: StoredEvent): JournalEntry | undefined {
  if (!isJournalKind(kind)) return undefined;
  const id = { user: userId, file: detail.file }[rules[kind].subject];
  return isSubjectId(kind, id) ? { kind, id, at } : undefined;
}
