// Webhook events: which audit events apps receive, and the payload of each, which identifies users by id only.
import { type AuditDetail, type AuditKind, auditKinds, type StoredEvent, type ToldDetails } from '../kernel/audit.ts';
import { findWord } from '../kernel/closed-list.ts';

/** The version of the payload format. Fields may be added within a version, but not renamed or removed. */
const version = 1;

type Data = Readonly<Record<string, string | number | null>>;

type EventRule = { readonly type: string; data(event: Pick<StoredEvent, 'userId' | 'detail'>): Data };

/** The event stays inside the service. */
const internal = undefined;

/** By kind of audit event. A payload never contains a phone number, e-mail address or name of a user. */
const rules = {
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
  'otp.requested': internal,
  'otp.failed': internal,
  'otp.exhausted': internal,
  'login.refused': internal,
  'user.blocked': internal,
  'user.unblocked': internal,
  'user.signed-out': internal,
  'user.exported': internal,
  'user.revealed': internal,
  'session.ended': internal,
  'session.evicted': internal,
  'link.requested': internal,
  'email.replaced': internal,
  'email.removed': internal,
  'sms.suspended': internal,
  'message.sent': internal,
  'message.parked': internal,
  'message.resent': internal,
  'webhooks.replayed': internal,
  'limits.cleared': internal,
  'keys.rotated': internal,
  'keys.revoked': internal,
  'secret.rotated': internal,
  'limits.reached': internal,
  'sms.resumed': internal,
  'admin.issued': internal,
  'admin.entered': internal,
  'admin.left': internal,
  'admin.revoked': internal,
  'backup.created': internal,
  'backup.restored': internal,
  'storage.adopted': internal,
  'sweep.stopped': internal,
  'database.recovered': internal,
} as const satisfies Readonly<Record<AuditKind, EventRule | typeof internal>>;

type Rules = typeof rules;
type PublicRule = Exclude<Rules[AuditKind], typeof internal>;

export type WebhookType = PublicRule['type'] | 'webhook.test';

/** The kinds of audit events that apps receive. */
export const toldKinds: readonly AuditKind[] = auditKinds.filter((kind) => rules[kind] !== internal);

/** Undefined for an internal event, and for a kind of a later version. */
export function webhookTypeOf(kind: string): WebhookType | undefined {
  return ruleOf(kind)?.type;
}

function ruleOf(text: string): PublicRule | undefined {
  const kind = findWord(auditKinds, text);
  return kind === undefined ? undefined : rules[kind];
}

/** Deterministic: every attempt sends the same text. */
export function writeWebhook(event: StoredEvent): string {
  const rule = ruleOf(event.kind);
  if (rule === undefined) throw new Error(`there is no webhook for ${event.kind}`);
  return writePayload(event.id, rule.type, event.at, rule.data(event));
}

/** An event about no user, to test a receiver. */
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
