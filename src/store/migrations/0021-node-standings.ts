// Migration: what each node leaves out of the providers of messages.
import type { Migration } from './migration.ts';

export const nodeStandings: Migration = {
  name: '0021-node-standings',
  statements: ({ text, int }) => [
    `create table node_standings (id ${text} primary key, omissions ${text} not null, seen_at ${int} not null)`,
  ],
};
