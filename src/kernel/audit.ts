// Security-relevant acts, as they are written down: what, whose, when; numbers and addresses masked.

export type AuditKind =
  | 'otp.requested'
  | 'otp.failed'
  | 'otp.exhausted'
  | 'login.succeeded'
  | 'login.refused'
  | 'user.created'
  | 'user.deleted'
  | 'session.ended'
  | 'session.reused'
  | 'session.evicted'
  | 'link.requested'
  | 'email.bound'
  | 'email.replaced'
  | 'sms.suspended'
  | 'message.parked'
  | 'keys.rotated'
  | 'file.stored'
  | 'file.deleted';

export type AuditDetail = Readonly<Record<string, string | number | boolean>>;

export type AuditEvent = {
  readonly kind: AuditKind;
  readonly userId?: string;
  readonly detail: AuditDetail;
};
