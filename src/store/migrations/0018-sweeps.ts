// Migration: the index by which the sweep finds sessions that have reached their maximum life.
import type { Migration } from './migration.ts';

/** Over all sessions: PostgreSQL might read an index of live sessions alone from end to end, to find those of one user. */
export const sweeps: Migration = {
  name: '0018-sweeps',
  statements: () => [],
  indexes: [{ name: 'sessions_ends', on: 'sessions (ends_at)' }],
};
