// Migration: a session remembers which rotations gave their successor again after the grace period.
import type { Migration } from './migration.ts';

export const lateRepeats: Migration = {
  name: '0019-late-repeats',
  statements: ({ text }) => [`alter table sessions add column late_repeats ${text}`],
};
