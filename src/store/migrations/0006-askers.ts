// Migration: separate attempts for the client that requested a code, and the client that last refreshed a session.
import type { Migration } from './migration.ts';

export const askers: Migration = {
  name: '0006-askers',
  statements: ({ text, int }) => [
    `alter table challenges add column asker_attempts ${int} not null default 0`,
    `alter table sessions add column rotated_by ${text}`,
  ],
};
