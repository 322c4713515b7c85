// Migration: the index by which the sweep finds sessions that have reached their maximum life.
import type { Migration } from './migration.ts';

export const sweeps: Migration = {
  name: '0018-sweeps',
  statements: () => [],
  indexes: [{ name: 'sessions_ends', on: 'sessions (ends_at) where ended_at is null' }],
};
