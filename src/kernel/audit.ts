// Audit events: which security-relevant action, on which user, when. Phone numbers and e-mail addresses are masked.
import type { UserId } from './ids.ts';
import { cleanLine } from './text/plain-text.ts';

export const auditKinds = [
  'otp.requested',
  'otp.failed',
  'otp.exhausted',
  'login.succeeded',
  'login.refused',
  'user.created',
  'user.deleted',
  'user.blocked',
  'user.unblocked',
  'user.signed-out',
  'user.not-me',
  'user.exported',
  'user.revealed',
  'session.ended',
  'session.reused',
  'session.evicted',
  'session.proved',
  'link.requested',
  'email.bound',
  'email.replaced',
  'email.removed',
  'phone.changed',
  'phone.change-scheduled',
  'phone.change-cancelled',
  'phone.change-failed',
  'phone.lost',
  'sms.suspended',
  'spend.suspended',
  'message.sent',
  'message.parked',
  'message.resent',
  'webhooks.replayed',
  'limits.cleared',
  'keys.rotated',
  'keys.revoked',
  'secret.rotated',
  'file.stored',
  'file.deleted',
  'file.trashed',
  'file.restored',
  'file.removed',
  'file.expired',
  'file.shared',
  'file.unshared',
  'file.readers-changed',
  'file.infected',
  'limits.reached',
  'sms.resumed',
  'admin.issued',
  'admin.entered',
  'admin.left',
  'admin.revoked',
  'service-key.created',
  'service-key.revoked',
  'app.signed-in',
  'app.consented',
  'app.withdrawn',
  'app.code-reused',
  'user.data-changed',
  'users.imported',
  'users.exported',
  'backup.created',
  'backup.restored',
  'storage.adopted',
  'database.adopted',
  'sweep.stopped',
  'database.recovered',
] as const;

export type AuditKind = (typeof auditKinds)[number];

export type AuditDetail = Readonly<Record<string, string | number | boolean>>;

/** The required details of events that webhooks deliver. The details of other events are free-form. */
export type WebhookDetails = {
  readonly 'login.succeeded': { readonly session: string; readonly method: string };
  readonly 'session.reused': { readonly session: string };
  readonly 'app.code-reused': { readonly session: string };
  /** One event for one act. `session` if it ended exactly one. */
  readonly 'session.ended': { readonly session?: string; readonly sessions: number };
  readonly 'user.not-me': { readonly sessions: number };
  readonly 'file.stored': { readonly file: string; readonly purpose: string; readonly size: number };
  /** `reason` is `room` if a file in the trash made way for an upload. */
  readonly 'file.deleted': { readonly file: string; readonly reason?: 'room' };
  readonly 'file.trashed': { readonly file: string };
  readonly 'file.restored': { readonly file: string };
  readonly 'file.expired': { readonly file: string };
  readonly 'file.shared': { readonly file: string; readonly link: string; readonly until: string };
  readonly 'file.infected': {
    readonly purpose: string;
    readonly size: number;
    readonly sha256: string;
    readonly signature: string;
  };
  readonly 'spend.suspended': { readonly rule: string; readonly country?: string };
};

type WebhookKind = keyof WebhookDetails;

export type AuditEvent =
  | { readonly kind: Exclude<AuditKind, WebhookKind>; readonly userId?: UserId; readonly detail: AuditDetail }
  | {
      [Kind in WebhookKind]: {
        readonly kind: Kind;
        readonly userId?: UserId;
        readonly detail: WebhookDetails[Kind] & AuditDetail;
      };
    }[WebhookKind];

export type DatedEvent = AuditEvent & { readonly now: number };

/** Who acts on the data of users outside the public API, and why. It is stored in the detail of the audit event. */
export type Act =
  | { readonly actor: 'cli'; readonly why: string }
  | { readonly actor: 'admin'; readonly admin: string; readonly token: string; readonly why: string }
  | { readonly actor: 'service'; readonly key: string; readonly why: string };

/** Acts of the back end of an app, with its service key. */
export type BackendAct = Extract<Act, { readonly actor: 'service' }>;

/** An event as it is stored. A later version may have written it, so this version may not know its kind. */
export type StoredEvent = {
  readonly id: string;
  readonly kind: string;
  readonly userId?: UserId;
  readonly detail: AuditDetail;
  readonly at: number;
};

/** Results are newest first. A filter that is absent does not apply. */
export type AuditQuery = {
  readonly userId?: UserId;
  readonly kind?: AuditKind;
  /** The mark of the recipient that the event is about. */
  readonly recipient?: string;
  /** Only actions outside the public API: by an operator or by staff. */
  readonly acts?: true;
  /** Only events older than this one. */
  readonly before?: string;
  readonly since: number;
  readonly most: number;
};

export type AuditStore = {
  record(event: DatedEvent): Promise<void>;
  list(query: AuditQuery): Promise<StoredEvent[]>;
};

const longestReason = 200;

/** Why somebody acted, as the audit log keeps it. */
export function cleanReason(text: string): string {
  return cleanLine(text, longestReason);
}
