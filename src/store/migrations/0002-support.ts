// Migration for the staff: their sign-ins, search of users by the last digits of a number, and of audit events by recipient.
import type { Migration } from './migration.ts';

export const support: Migration = {
  name: '0002-support',
  statements: ({ text, int, asJson }) => [
    `create table admins (
      id ${text} primary key, name ${text} not null, link_hash ${text} not null unique, session_hash ${text} unique,
      created_at ${int} not null, link_ends_at ${int} not null, ends_at ${int} not null, last_used_at ${int},
      ended_at ${int}, end_reason ${text})`,
    'create index admins_ends on admins (ends_at)',
    'create index users_phone_end on users (substr(phone, length(phone) - 3), id)',
    `alter table audit_events add column recipient ${text}`,
    `update audit_events set recipient = ${asJson('detail')} ->> 'recipient' where detail like '%"recipient":%'`,
    // Every event is in at least one of these indexes: events with a user, events with a recipient, events with neither.
    'drop index audit_events_user',
    'create index audit_events_user on audit_events (user_id, id) where user_id is not null',
    'create index audit_events_recipient on audit_events (recipient, id) where recipient is not null',
    'create index audit_events_house on audit_events (kind, id) where user_id is null and recipient is null',
    `create index audit_events_acts on audit_events (id) where detail like '%"actor":%'`,
  ],
};
