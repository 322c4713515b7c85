// Migration: service keys, what an app stores with a user, and the order in which apps read events.
import type { Migration } from './migration.ts';

/** Events of an older version have no order number: apps that read events do not get them. */
export const backEnd: Migration = {
  name: '0012-back-end',
  statements: ({ text, int, sequence }) => [
    `alter table users add column external_id ${text}`,
    `alter table users add column claims ${text}`,
    `alter table users add column metadata_public ${text}`,
    `alter table users add column metadata_private ${text}`,
    `alter table audit_events add column order_no ${int}`,
    `alter table audit_events add column position ${int}`,
    `create table service_keys (id ${text} primary key, name ${text} not null, secret_hash ${text} not null,
      scopes ${text} not null, created_by ${text} not null, created_at ${int} not null, expires_at ${int} not null,
      revoked_at ${int}, last_used_at ${int})`,
    `create table event_log (slot ${text} primary key, era ${text} not null, last_position ${int} not null,
      swept_position ${int} not null)`,
    ...sequence('event_order'),
  ],
  indexes: [
    { name: 'service_keys_ends', on: 'service_keys (expires_at desc, id)' },
    { name: 'users_external_id', on: 'users (external_id) where external_id is not null', isUnique: true },
    {
      name: 'audit_events_unplaced',
      on: 'audit_events (order_no) where order_no is not null and position is null',
    },
    { name: 'audit_events_position', on: 'audit_events (position) where position is not null', isUnique: true },
  ],
};
