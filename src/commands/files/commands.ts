// Declares the commands for stored files and for the storage that keeps them.
import { argument, type CommandDeclarations, flag, json, limit, reason, requiredText, text, yes } from '../declare.ts';

export const fileCommands = {
  'files list': {
    description: 'list stored files, of all users or of one',
    options: { user: text('who', 'only files of this user'), limit: limit(100), json },
    touches: 'data',
    example: 'files list --user ann@example.com',
  },
  'files check': {
    description: 'compare file records and stored files in both directions; exits with 1 when they differ',
    options: {
      repair: flag('remove stored files that have no record'),
      yes: flag('with --repair: remove them even if there are many'),
      json,
    },
    touches: 'data',
    example: 'files check --repair',
  },
  'files move': {
    description:
      'copy all files to another storage while the service runs; a second run continues where the first one ended',
    options: {
      to: requiredText('storage', 's3://…, disk: for DATA_DIR, or @path of a file that contains the URL'),
      from: text('storage', 'where the files are (default: STORAGE_URL)'),
      deleteSource: flag('remove each file from the source after its copy was read back and verified'),
      json,
    },
    touches: 'data',
    example: 'files move --to @/run/secrets/new-storage',
  },
  'files delete': {
    description: 'delete one file permanently',
    arguments: { id: argument('id of the file') },
    options: { reason, yes, json },
    touches: 'data',
    example: 'files delete fil_… --reason "court order"',
  },
  'storage adopt': {
    description: 'declare that the database and the storage of the settings belong together; shows what they contain',
    options: { reason, yes, json },
    touches: 'data',
    example: 'storage adopt --reason "the bucket was copied by hand"',
  },
} satisfies CommandDeclarations;
