// Migration: the id of the installation, the progress of the blob sweep, and the blobs that it found without a record.
import type { Migration } from './migration.ts';

export const installation: Migration = {
  name: '0005-installation',
  statements: ({ text, int }) => [
    `create table installation (slot ${text} primary key, id ${text} not null, created_at ${int} not null)`,
    `create table blob_sweeps (
      slot ${text} primary key, pass ${int} not null, place ${text} not null, begun_at ${int} not null, ended_at ${int},
      blobs ${int} not null, orphans ${int} not null, missing ${int} not null,
      last_blobs ${int} not null, last_orphans ${int} not null, last_missing ${int} not null,
      holder ${text} not null, lease_until ${int} not null)`,
    `create table orphans (
      id ${text} primary key, first_seen_at ${int} not null, first_pass ${int} not null, last_pass ${int} not null,
      is_ours ${int} not null, sweep_at ${int} not null)`,
    'create index orphans_ours on orphans (id) where is_ours = 1',
    'create index orphans_sweep on orphans (sweep_at)',
  ],
};
