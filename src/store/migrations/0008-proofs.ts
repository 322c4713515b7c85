// Migration: when and how the user of a session was last proved. Null in sessions of older versions: at sign-in, by its method.
import type { Migration } from './migration.ts';

export const proofs: Migration = {
  name: '0008-proofs',
  statements: ({ text, int }) => [
    `alter table sessions add column proved_at ${int}`,
    `alter table sessions add column proof ${text}`,
  ],
};
