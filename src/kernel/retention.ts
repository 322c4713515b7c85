// How long records are kept after their end. The sweep removes older ones.

const hour = 3_600_000;
const day = 24 * hour;

export type RetentionInput = {
  readonly now: number;
  /** Every node must know of an ended session until its last access token has expired. */
  readonly accessTokenLifeSeconds: number;
};

/** The time before which each kind of record may be removed. */
type Retention = {
  /** By their end: they were ended, or have reached their maximum life. */
  readonly sessions: number;
  readonly signingKeys: number;
  readonly inbox: number;
  readonly parkedMessages: number;
  readonly doneWebhooks: number;
  /** Delivered or not: entries of an endpoint that the settings no longer name are never claimed. */
  readonly oldWebhooks: number;
  readonly auditEvents: number;
  readonly dayCounts: number;
  readonly admins: number;
  readonly serviceKeys: number;
};

export function planRetention({ now, accessTokenLifeSeconds }: RetentionInput): Retention {
  return {
    sessions: now - accessTokenLifeSeconds * 1000 - hour,
    signingKeys: now - 61 * day,
    inbox: now - 7 * day,
    parkedMessages: now - 7 * day,
    doneWebhooks: now - 7 * day,
    oldWebhooks: now - 30 * day,
    auditEvents: now - 90 * day,
    dayCounts: now - 90 * day,
    admins: now - 90 * day,
    serviceKeys: now - 90 * day,
  };
}
