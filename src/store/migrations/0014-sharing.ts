// Migration: uploads in several requests, links to files and their named readers, trash and retention.
import type { Migration } from './migration.ts';

export const sharing: Migration = {
  name: '0014-sharing',
  statements: ({ text, int }) => [
    `alter table files add column keep_until ${int}`,
    `alter table files add column deleted_at ${int}`,
    `alter table files add column sweep_at ${int}`,
    `alter table files add column link_epoch ${int}`,
    `create table resumables (id ${text} primary key, user_id ${text} not null, purpose ${text} not null, name ${text},
      declared_type ${text}, digest ${text}, key_id ${text}, length ${int}, received ${int} not null, parts ${int} not null,
      writer ${text}, finisher ${text}, finish_until ${int}, file_id ${text}, created_at ${int} not null,
      expires_at ${int} not null, ended_at ${int}, sweep_at ${int} not null)`,
    `create table upload_parts (id ${text} primary key, upload_id ${text} not null, first_byte ${int} not null,
      bytes ${int} not null)`,
    `create table file_links (id ${text} primary key, file_id ${text} not null, user_id ${text} not null,
      epoch ${int} not null, created_at ${int} not null, expires_at ${int} not null, uses ${int}, used ${int} not null,
      sweep_at ${int} not null)`,
    `create table file_readers (file_id ${text} not null, user_id ${text} not null, created_at ${int} not null,
      primary key (file_id, user_id))`,
  ],
  indexes: [
    { name: 'files_sweep', on: 'files (sweep_at) where sweep_at is not null' },
    { name: 'files_trash', on: 'files (user_id, deleted_at, id) where deleted_at is not null' },
    { name: 'resumables_user', on: 'resumables (user_id)' },
    { name: 'resumables_sweep', on: 'resumables (sweep_at)' },
    { name: 'upload_parts_upload', on: 'upload_parts (upload_id, first_byte)' },
    { name: 'file_links_file', on: 'file_links (file_id)' },
    { name: 'file_links_sweep', on: 'file_links (sweep_at)' },
    { name: 'file_readers_user', on: 'file_readers (user_id)' },
  ],
};
