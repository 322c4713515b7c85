// Migration: the webhook events of each user stand in a line of their own.
import type { Migration } from './migration.ts';

/**
 * Events of an older version are in no line: they come into one when they are due. The index of all due events goes, because
 * PostgreSQL might read it from the beginning, through all events of one user, to find those of another.
 */
export const webhookLines: Migration = {
  name: '0017-webhook-lines',
  statements: ({ text }) => [`alter table webhooks add column line ${text}`, 'drop index webhooks_due'],
  indexes: [{ name: 'webhooks_line', on: 'webhooks (endpoint, line, due_at, id) where done_at is null' }],
};
