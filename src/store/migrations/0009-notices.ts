// Migration: the links “this was not me” of notices, and separate attempts at a code on known devices.
import type { Migration } from './migration.ts';

export const notices: Migration = {
  name: '0009-notices',
  statements: ({ text, int }) => [
    `create table notice_links (
      token_hash ${text} primary key, user_id ${text} not null, state ${text} not null,
      created_at ${int} not null, expires_at ${int} not null, sweep_at ${int} not null)`,
    'create index notice_links_user on notice_links (user_id)',
    'create index notice_links_sweep on notice_links (sweep_at)',
    `alter table challenges add column device_attempts ${int} not null default 0`,
  ],
};
