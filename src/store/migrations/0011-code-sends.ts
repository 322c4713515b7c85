// Migration: when the latest message with a code was requested, to know which of two codes is the newer one.
import type { Migration } from './migration.ts';

/** Null for codes of an older version. */
export const codeSends: Migration = {
  name: '0011-code-sends',
  statements: ({ int }) => [`alter table challenges add column sent_at ${int}`],
};
