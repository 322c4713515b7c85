// Migration: the queue of webhook events, with one row per event and endpoint. The event itself is the audit event.
import type { Migration } from './migration.ts';

export const webhooks: Migration = {
  name: '0003-webhooks',
  statements: ({ text, int }) => [
    `create table webhooks (
      id ${text} primary key, event_id ${text} not null, endpoint ${text} not null, type ${text} not null, state ${text} not null,
      tries ${int} not null, due_at ${int} not null, created_at ${int} not null, done_at ${int}, last_error ${text})`,
    'create index webhooks_due on webhooks (endpoint, due_at) where done_at is null',
    'create index webhooks_done on webhooks (done_at) where done_at is not null',
  ],
};
