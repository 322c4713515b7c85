// Declares the commands that show and apply database migrations.
import { type CommandDeclarations, json } from '../declare.ts';

export const migrateCommands = {
  'migrate status': {
    description: 'list migrations and whether they are applied',
    options: { json },
    touches: 'data',
    example: 'migrate status',
  },
  'migrate up': {
    description: 'apply missing migrations',
    options: { json },
    touches: 'data',
    example: 'migrate up',
  },
} satisfies CommandDeclarations;
