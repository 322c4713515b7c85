// Declares the command for the servers of DATABASE_URL.
import { type CommandDeclarations, json, reason, yes } from '../declare.ts';

export const databaseCommands = {
  'database adopt': {
    description:
      'declare the PostgreSQL that DATABASE_URL leads to the right one, after a move, pg_upgrade or a promotion by mistake',
    options: { reason, yes, json },
    touches: 'data',
    example: 'database adopt --reason "moved to a new cluster"',
  },
} satisfies CommandDeclarations;
