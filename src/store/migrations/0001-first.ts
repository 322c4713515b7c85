// Migration: the first schema. Migrations only go forward, and a released migration never changes.
import type { Migration } from './migration.ts';

export const first: Migration = {
  name: '0001-first',
  statements: ({ text, int, roomy }) => [
    `create table users (
      id ${text} primary key, phone ${text} not null unique, email ${text}, email_key ${text} unique,
      blocked_at ${int}, created_at ${int} not null)`,
    `create table challenges (
      slot ${text} primary key, id ${text} not null, nonce ${text} not null, secret_id ${text} not null, state ${text} not null,
      attempts ${int} not null, opened_at ${int} not null, expires_at ${int} not null, sweep_at ${int} not null)`,
    'create index challenges_sweep on challenges (sweep_at)',
    `create table login_links (
      token_hash ${text} primary key, user_id ${text} not null, email_key ${text} not null, browser_hash ${text} not null,
      state ${text} not null, created_at ${int} not null, expires_at ${int} not null, sweep_at ${int} not null)`,
    'create index login_links_user on login_links (user_id)',
    'create index login_links_sweep on login_links (sweep_at)',
    `create table sessions (
      id ${text} primary key, user_id ${text} not null, seed_hash ${text} not null, counter ${int} not null,
      rotated_at ${int} not null, created_at ${int} not null, last_used_at ${int} not null, expires_at ${int} not null,
      ends_at ${int} not null, ended_at ${int}, end_reason ${text}, user_agent ${text}, method ${text} not null)${roomy}`,
    'create index sessions_alive on sessions (user_id) where ended_at is null',
    'create index sessions_ended on sessions (ended_at) where ended_at is not null',
    `create table signing_keys (
      generation ${int} primary key, id ${text} not null unique, public_key ${text} not null, private_key ${text} not null,
      created_at ${int} not null, active_from ${int} not null)`,
    `create table outbox (
      id ${text} primary key, channel ${text} not null, kind ${text} not null, payload ${text} not null, state ${text} not null,
      tries ${int} not null, doubts ${int} not null, due_at ${int} not null, created_at ${int} not null, expires_at ${int} not null, last_error ${text})`,
    "create index outbox_due on outbox (due_at) where state <> 'parked'",
    `create table inbox (
      id ${text} primary key, channel ${text} not null, recipient ${text} not null, subject ${text}, text ${text} not null,
      html ${text}, created_at ${int} not null)`,
    'create index inbox_recipient on inbox (lower(recipient), created_at)',
    'create index inbox_newest on inbox (created_at, id)',
    `create table limits (id ${text} primary key, hits ${text} not null, sweep_at ${int} not null)`,
    'create index limits_sweep on limits (sweep_at)',
    `create table captchas (id ${text} primary key, sweep_at ${int} not null)`,
    'create index captchas_sweep on captchas (sweep_at)',
    `create table files (
      id ${text} primary key, user_id ${text} not null, purpose ${text} not null, name ${text} not null, type ${text} not null,
      size ${int} not null, sha256 ${text} not null, width ${int}, height ${int}, created_at ${int} not null)`,
    'create index files_user on files (user_id, created_at, id)',
    `create table file_usage (user_id ${text} primary key, bytes ${int} not null, files ${int} not null)`,
    `create table uploads (
      id ${text} primary key, user_id ${text} not null, bytes ${int} not null, key_id ${text}, sweep_at ${int} not null)`,
    'create index uploads_user on uploads (user_id)',
    'create index uploads_sweep on uploads (sweep_at)',
    `create table idempotency_keys (
      id ${text} primary key, fingerprint ${text} not null, file_id ${text} not null, sweep_at ${int} not null)`,
    'create index idempotency_keys_sweep on idempotency_keys (sweep_at)',
    `create table audit_events (
      id ${text} primary key, kind ${text} not null, user_id ${text}, detail ${text} not null, created_at ${int} not null)`,
    'create index audit_events_user on audit_events (user_id, id)',
    `create table receipts (id ${text} primary key, sweep_at ${int} not null)`,
    'create index receipts_sweep on receipts (sweep_at)',
  ],
};
