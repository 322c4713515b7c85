// The names of what is swept, apart from how, so that the main thread need not load the statements.

/** What is swept; the operation of the same name knows how. */
export const sweepTargets = [
  'challenges',
  'loginLinks',
  'limits',
  'captchas',
  'idempotencyKeys',
  'uploads',
  'receipts',
  'endedSessions',
  'oldSessions',
  'signingKeys',
  'inbox',
  'parked',
  'doneWebhooks',
  'oldWebhooks',
  'auditEvents',
  'admins',
  'orphans',
] as const;

export type SweepTarget = (typeof sweepTargets)[number];
