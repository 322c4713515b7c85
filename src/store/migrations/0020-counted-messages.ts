// Migration: a message in the outbox knows the limits that it was counted in, to give them back if it never leaves.
import type { Migration } from './migration.ts';

/** Null for messages of an older version, and for those that give nothing back. */
export const countedMessages: Migration = {
  name: '0020-counted-messages',
  statements: ({ text }) => [`alter table outbox add column counted ${text}`],
};
