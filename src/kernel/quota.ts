// The limits that send RateLimit headers, and what these headers say.

/** Each name is also a metric label. */
export const quotaNames = [
  'requests-per-ip',
  'sends-per-ip',
  'sends-per-recipient',
  'resend',
  'attempts-per-ip',
  'phone-changes',
  'uploads-per-user',
  'admin-sign-ins',
  'requests-per-key',
  'opens-per-link',
] as const;

export type QuotaName = (typeof quotaNames)[number];

/** The content of the `RateLimit` headers: the name of the quota, its size and window, and when it resets. */
export type RateLimitState = { name: QuotaName; quota: number; windowSeconds: number; resetSeconds: number };
