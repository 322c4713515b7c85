// Migration: the queue of bytes that must go, because their file, their upload or their user was deleted, and the ids of files in the making.
import type { Migration } from './migration.ts';

/** What older versions had noted for later comes into the queue. Their own notes after this are found by the sweep of blobs. */
export const removals: Migration = {
  name: '0016-removals',
  statements: ({ text, int }) => [
    `create table removals (id ${text} primary key, due_at ${int} not null, tries ${int} not null, looks ${int} not null)`,
    'create index removals_due on removals (due_at)',
    `create table pending_files (id ${text} primary key, due_at ${int} not null)`,
    'create index pending_files_due on pending_files (due_at)',
    'insert into removals (id, due_at, tries, looks) select id, 0, 0, 1 from orphans where is_ours = 1',
    'delete from orphans where is_ours = 1',
  ],
};
