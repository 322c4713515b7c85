// The names of the sweep targets, in their own file so that the main thread need not load the statements.

/** What the sweeper removes. The operation tables.sweep has a statement for each. */
export const sweepTargets = [
  'challenges',
  'loginLinks',
  'noticeLinks',
  'appCodes',
  'limits',
  'captchas',
  'idempotencyKeys',
  'uploads',
  'fileLinks',
  'receipts',
  'endedSessions',
  'oldSessions',
  'signingKeys',
  'inbox',
  'parked',
  'doneWebhooks',
  'oldWebhooks',
  'auditEvents',
  'dayCounts',
  'admins',
  'serviceKeys',
  'orphans',
] as const;

export type SweepTarget = (typeof sweepTargets)[number];
