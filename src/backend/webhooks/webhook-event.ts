// Webhook events: which audit events apps receive, and the payload of each, which identifies users by id only.
import {
  type AuditDetail,
  type AuditKind,
  auditKinds,
  type StoredEvent,
  type WebhookDetails,
} from '../../kernel/audit.ts';
import { findWord } from '../../kernel/text/closed-list.ts';

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
  'email.replaced': { type: 'user.email_changed', data: ({ userId }) => ({ userId: userId ?? null }) },
  'email.removed': { type: 'user.email_removed', data: ({ userId }) => ({ userId: userId ?? null }) },
  'phone.changed': { type: 'user.phone_changed', data: ({ userId }) => ({ userId: userId ?? null }) },
  'phone.lost': { type: 'user.phone_changed', data: ({ userId }) => ({ userId: userId ?? null }) },
  'user.not-me': {
    type: 'user.sessions_revoked',
    data: ({ userId, detail }) => ({ userId: userId ?? null, sessions: Number(detail.sessions) }),
  },
  'user.blocked': { type: 'user.blocked', data: ({ userId }) => ({ userId: userId ?? null }) },
  'user.unblocked': { type: 'user.unblocked', data: ({ userId }) => ({ userId: userId ?? null }) },
  'user.data-changed': { type: 'user.updated', data: ({ userId }) => ({ userId: userId ?? null }) },
  'user.signed-out': {
    type: 'user.sessions_ended',
    data: ({ userId }) => ({ userId: userId ?? null, sessionId: null }),
  },
  'session.ended': {
    type: 'user.sessions_ended',
    data: ({ userId, detail }) => ({ userId: userId ?? null, sessionId: text(detail, 'session') }),
  },
  'user.deleted': { type: 'user.deleted', data: ({ userId }) => ({ userId: userId ?? null }) },
  'session.reused': {
    type: 'session.reused',
    data: ({ userId, detail }) => ({ userId: userId ?? null, sessionId: text(detail, 'session') }),
  },
  'app.code-reused': {
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
    data: ({ userId, detail }) => ({
      userId: userId ?? null,
      fileId: text(detail, 'file'),
      ...(detail.reason !== undefined && { reason: text(detail, 'reason') }),
    }),
  },
  'file.trashed': {
    type: 'file.deleted',
    data: ({ userId, detail }) => ({ userId: userId ?? null, fileId: text(detail, 'file') }),
  },
  'file.expired': {
    type: 'file.deleted',
    data: ({ userId, detail }) => ({ userId: userId ?? null, fileId: text(detail, 'file') }),
  },
  'file.restored': {
    type: 'file.restored',
    data: ({ userId, detail }) => ({ userId: userId ?? null, fileId: text(detail, 'file') }),
  },
  'file.shared': {
    type: 'file.shared',
    data: ({ userId, detail }) => ({
      userId: userId ?? null,
      fileId: text(detail, 'file'),
      linkId: text(detail, 'link'),
      expiresAt: text(detail, 'until'),
    }),
  },
  'file.infected': {
    type: 'file.infected',
    data: ({ userId, detail }) => ({
      userId: userId ?? null,
      purpose: text(detail, 'purpose'),
      size: Number(detail.size),
      sha256: text(detail, 'sha256'),
      signature: text(detail, 'signature'),
    }),
  },
  'spend.suspended': {
    type: 'spend.suspended',
    data: ({ detail }) => ({ rule: text(detail, 'rule'), country: text(detail, 'country') }),
  },
  'otp.requested': internal,
  'otp.failed': internal,
  'otp.exhausted': internal,
  'login.refused': internal,
  'user.exported': internal,
  'user.revealed': internal,
  'session.evicted': internal,
  'session.proved': internal,
  'link.requested': internal,
  'phone.change-scheduled': internal,
  'phone.change-cancelled': internal,
  'phone.change-failed': internal,
  'sms.suspended': internal,
  'message.sent': internal,
  'message.parked': internal,
  'message.resent': internal,
  'webhooks.replayed': internal,
  'limits.cleared': internal,
  'keys.rotated': internal,
  'keys.revoked': internal,
  'secret.rotated': internal,
  'file.removed': internal,
  'file.unshared': internal,
  'file.readers-changed': internal,
  'limits.reached': internal,
  'sms.resumed': internal,
  'admin.issued': internal,
  'admin.entered': internal,
  'admin.left': internal,
  'admin.revoked': internal,
  'service-key.created': internal,
  'service-key.revoked': internal,
  'app.signed-in': internal,
  'app.consented': internal,
  'app.withdrawn': internal,
  'users.imported': internal,
  'users.exported': internal,
  'backup.created': internal,
  'backup.restored': internal,
  'storage.adopted': internal,
  'database.adopted': internal,
  'sweep.stopped': internal,
  'database.recovered': internal,
} as const satisfies Readonly<Record<AuditKind, EventRule | typeof internal>>;

type Rules = typeof rules;
type PublicRule = Exclude<Rules[AuditKind], typeof internal>;

type WebhookType = PublicRule['type'] | 'webhook.test';

/** The kinds of audit events that apps receive. */
export const webhookKinds: readonly AuditKind[] = auditKinds.filter((kind) => rules[kind] !== internal);

/** Undefined for an internal event, and for a kind of a later version. */
export function webhookTypeOf(kind: string): WebhookType | undefined {
  return ruleOf(kind)?.type;
}

function ruleOf(text: string): PublicRule | undefined {
  const kind = findWord(auditKinds, text);
  return kind === undefined ? undefined : rules[kind];
}

/** An event as apps receive it: posted by a webhook, or read by their server. */
export type WebhookPayload = {
  readonly id: string;
  readonly type: WebhookType;
  readonly version: number;
  readonly timestamp: string;
  readonly data: Data;
};

/** Undefined for an internal event, and for a kind of a later version. */
export function toPayload(event: StoredEvent): WebhookPayload | undefined {
  const rule = ruleOf(event.kind);
  return rule && payloadOf(event.id, rule.type, event.at, rule.data(event));
}

/** Deterministic: every attempt sends the same text. */
export function writeWebhook(event: StoredEvent): string {
  const payload = toPayload(event);
  if (payload === undefined) throw new Error(`there is no webhook for ${event.kind}`);
  return JSON.stringify(payload);
}

/** An event about no user, to test a receiver. */
export function writeTestWebhook(id: string, now: number): string {
  return JSON.stringify(payloadOf(id, 'webhook.test', now, { sentBy: 'gatehouse webhooks test' }));
}

function payloadOf(id: string, type: WebhookType, at: number, data: Data): WebhookPayload {
  return { id, type, version, timestamp: new Date(at).toISOString(), data };
}

type DetailName = { [Kind in keyof WebhookDetails]: keyof WebhookDetails[Kind] }[keyof WebhookDetails];

function text(detail: AuditDetail, name: DetailName): string | null {
  const value = detail[name];
  return value === undefined ? null : String(value);
}
