// What apps are told of: the facts that become webhook events, and how each is written down for them, by ids alone.
import type { AuditDetail, AuditKind, StoredEvent } from '../kernel/audit.ts';

/** The version of the payload's shape; a field may be added to it, none is renamed or removed. */
const version = 1;

type Data = Readonly<Record<string, string | number | null>>;

type Fact = { readonly type: string; data(event: Pick<StoredEvent, 'userId' | 'detail'>): Data };

/** By the audit event that is written in the commit of the fact. No number, address or name of a person goes out. */
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
} as const satisfies Partial<Record<AuditKind, Fact>>;

export type WebhookType = (typeof facts)[keyof typeof facts]['type'] | 'webhook.test';

/** The kinds of audit event that apps are told of. */
export const toldKinds = Object.keys(facts) as readonly (keyof typeof facts)[];

/** Undefined for what apps are not told of. */
export function webhookTypeOf(kind: AuditKind): WebhookType | undefined {
  return kind in facts ? facts[kind as keyof typeof facts].type : undefined;
}

/** The same text at every try, so that a receiver may compare. */
export function writeWebhook(event: StoredEvent): string {
  const fact: Fact | undefined = facts[event.kind as keyof typeof facts];
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

function text(detail: AuditDetail, name: string): string | null {
  const value = detail[name];
  return value === undefined ? null : String(value);
}
