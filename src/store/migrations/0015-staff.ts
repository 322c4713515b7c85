// Migration: the roles of staff, and the counts of each day that the admin page shows.
import type { Migration } from './migration.ts';

/** A staff sign-in of an older version has no role and may do everything, as before. */
export const staff: Migration = {
  name: '0015-staff',
  statements: ({ text, int }) => [
    `alter table admins add column role ${text}`,
    `create table day_counts (id ${text} primary key, day ${int} not null, kind ${text} not null, amount ${int} not null)`,
    `create table counters (slot ${text} primary key, counted_until ${text} not null)`,
  ],
  indexes: [{ name: 'day_counts_day', on: 'day_counts (day)' }],
};
