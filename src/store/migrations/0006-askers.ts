// Attempts of those who asked for a code are counted by themselves, and a session remembers which client renewed it last.
import type { Migration } from './migration.ts';

export const askers: Migration = {
  name: '0006-askers',
  statements: ({ text, int }) => [
    `alter table challenges add column asker_attempts ${int} not null default 0`,
    `alter table sessions add column rotated_by ${text}`,
  ],
};
