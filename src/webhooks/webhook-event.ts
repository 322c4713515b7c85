// What apps are told of: the facts that become webhook events, and how each is written down for them, by ids alone.
import { type AuditDetail, type AuditKind, auditKinds, type StoredEvent, type ToldDetails } from '../kernel/audit.ts';
import { findWord } from '../kernel/closed-list.ts';

/** The version of the payload's shape; a field may be added to it, none is renamed or removed. */
const version = 1;

type Data = Readonly<Record<string, string | number | null>>;

type Fact = { readonly type: string; data(event: Pick<StoredEvent, 'userId' | 'detail'>): Data };

/** Stays inside the service. */
const notTold = undefined;

/** By the audit event that is written in the commit of the fact. No number, address or name of a user goes out. */
const facts = {
  'user.created': { type: 'user.created', data: ({ userId }) => ({ userId: userId ?? null }) },
  'login.succeeded': {
    type: 'user.signed_in',
    data: ({ userId, detail }) => ({
      userId: userId ?? null,
      sessionId: text(detail, 'session'),
      method: text(detail, 'method'),
    }),
  },
  'email.bound': { type: 'user.email_bound', data: ({ userId }) => ({ userId: userId ?? null }) },
  'user.deleted': { type: 'user.deleted', data: ({ userId }) => ({ userId: userId ?? null }) },
  'session.reused': {
    type: 'session.reused',
    data: ({ userId, detail }) => ({ userId: userId ?? null, sessionId: text(detail, 'session') }),
  },
  'file.stored': {
    type: 'file.stored',
    data: ({ userId, detail }) => ({
      userId: userId ?? null,
      fileId: text(detail, 'file'),
      purpose: text(detail, 'purpose'),
      size: Number(detail.size),
    }),
  },
  'file.deleted': {
    type: 'file.deleted',
    data: ({ userId, detail }) => ({ userId: userId ?? null, fileId: text(detail, 'file') }),
  },
  'spend.suspended': {
    type: 'spend.suspended',
    data: ({ detail }) => ({ rule: text(detail, 'rule'), country: text(detail, 'country') }),
  },
  'otp.requested': notTold,
  'otp.failed': notTold,
  'otp.exhausted': notTold,
  'login.refused': notTold,
  'user.blocked': notTold,
  'user.unblocked': notTold,
  'user.signed-out': notTold,
  'user.exported': notTold,
  'user.revealed': notTold,
  'session.ended': notTold,
  'session.evicted': notTold,
  'link.requested': notTold,
  'email.replaced': notTold,
  'email.removed': notTold,
  'sms.suspended': notTold,
  'message.sent': notTold,
  'message.parked': notTold,
  'message.resent': notTold,
  'webhooks.replayed': notTold,
  'limits.cleared': notTold,
  'keys.rotated': notTold,
  'keys.revoked': notTold,
  'secret.rotated': notTold,
  'limits.reached': notTold,
  'sms.resumed': notTold,
  'admin.issued': notTold,
  'admin.entered': notTold,
  'admin.left': notTold,
  'admin.revoked': notTold,
  'backup.created': notTold,
  'backup.restored': notTold,
  'storage.adopted': notTold,
  'sweep.stopped': notTold,
  'database.recovered': notTold,
} as const satisfies Readonly<Record<AuditKind, Fact | typeof notTold>>;

type Facts = typeof facts;
type ToldFact = Exclude<Facts[AuditKind], typeof notTold>;

export type WebhookType = ToldFact['type'] | 'webhook.test';

/** The kinds of audit event that apps are told of. */
export const toldKinds: readonly AuditKind[] = auditKinds.filter((kind) => facts[kind] !== notTold);

/** Undefined for what apps are not told of, and for a kind of a later version. */
export function webhookTypeOf(kind: string): WebhookType | undefined {
  return factOf(kind)?.type;
}

function factOf(text: string): ToldFact | undefined {
  const kind = findWord(auditKinds, text);
  return kind === undefined ? undefined : facts[kind];
}

/** The same text at every try, so that a receiver may compare. */
export function writeWebhook(event: StoredEvent): string {
  const fact = factOf(event.kind);
  if (fact === undefined) throw new Error(`nobody is told of ${event.kind}`);
  return writePayload(event.id, fact.type, event.at, fact.data(event));
}

/** An event about nobody, to try a receiver with. */
export function writeTestWebhook(id: string, now: number): string {
  return writePayload(id, 'webhook.test', now, { sentBy: 'gatehouse webhooks test' });
}

function writePayload(id: string, type: string, at: number, data: Data): string {
  return JSON.stringify({ id, type, version, timestamp: new Date(at).toISOString(), data });
}

type DetailName = { [Kind in keyof ToldDetails]: keyof ToldDetails[Kind] }[keyof ToldDetails];

function text(detail: AuditDetail, name: DetailName): string | null {
  const value = detail[name];
  return value === undefined ? null : String(value);
}
