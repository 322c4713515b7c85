// Migration: sessions of apps, the codes that start them, and what users allowed apps to see.
import type { Migration } from './migration.ts';

export const apps: Migration = {
  name: '0013-apps',
  statements: ({ text, int }) => [
    `alter table sessions add column app_id ${text}`,
    `alter table sessions add column app_scopes ${text}`,
    `alter table sessions add column parent_id ${text}`,
    `alter table login_links add column authorization_ticket ${text}`,
    `create table app_codes (code_hash ${text} primary key, app_id ${text} not null, user_id ${text} not null,
      parent_id ${text} not null, redirect_uri ${text} not null, challenge ${text} not null, nonce ${text},
      scopes ${text} not null, created_at ${int} not null, expires_at ${int} not null, used_at ${int}, session_id ${text},
      sweep_at ${int} not null)`,
    `create table app_consents (user_id ${text} not null, app_id ${text} not null, scopes ${text} not null,
      created_at ${int} not null, primary key (user_id, app_id))`,
  ],
  indexes: [
    { name: 'app_codes_user', on: 'app_codes (user_id)' },
    { name: 'app_codes_sweep', on: 'app_codes (sweep_at)' },
  ],
};
