// Migration: an account may lose its number, a change of the number may be scheduled, and the last use of an account is known.
import type { Migration } from './migration.ts';

/** Nobody knows how long an account of an older version was unused: the count begins with the migration. */
export const phoneLife: Migration = {
  name: '0010-phone-life',
  statements: ({ text, int, addTimeOfNow, withoutNotNull }) => [
    ...withoutNotNull('users', 'phone', {
      table: `id ${text} primary key, phone ${text} unique, email ${text}, email_key ${text} unique,
        blocked_at ${int}, created_at ${int} not null`,
      columns: 'id, phone, email, email_key, blocked_at, created_at',
      indexes: ['create index users_phone_end on users (substr(phone, length(phone) - 3), id)'],
    }),
    ...addTimeOfNow('users', 'seen_at'),
    `alter table users add column next_phone ${text}`,
    `alter table users add column next_phone_at ${int}`,
    `alter table users add column next_phone_language ${text}`,
    `alter table notice_links add column kind ${text} not null default 'not-me'`,
    `alter table notice_links add column phone ${text}`,
  ],
  indexes: [
    { name: 'users_next_phone', on: 'users (next_phone_at) where next_phone_at is not null' },
    // With sessions_alive: all stored sessions of a user, to know the last use of the account.
    { name: 'sessions_ended_of', on: 'sessions (user_id) where ended_at is not null' },
  ],
};
