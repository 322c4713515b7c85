// Declares the commands that create backups and bring data back.
import { argument, type CommandDeclarations, flag, json, requiredText, text } from '../declare.ts';

const unauthenticated = flag(
  'accept a backup or journal whose MAC is missing, or cannot be checked without BACKUP_KEY',
);

const backup = argument('folder or file of the backup, or s3:NAME in the bucket of BACKUP_URL');

export const backupCommands = {
  'backup create': {
    description: 'write a backup into a new folder, into one file, or sealed into the bucket of BACKUP_URL',
    options: {
      to: requiredText(
        'place',
        'a new or empty folder, a new file whose name ends in .tar, or s3:NAME; the same s3:NAME again continues what was interrupted',
      ),
      since: text('backup', 'folder of an earlier backup: files that it has are shared with it, not copied again'),
      dbOnly: flag('leave the files out'),
      json,
    },
    touches: 'data',
    example: 'backup create --to /backups/monday --since /backups/sunday',
  },
  'backup verify': {
    description: 'read every byte of a backup; exits with 1 when something is missing or damaged',
    arguments: { backup },
    options: {
      since: text('backup', 'folder of an earlier backup: files that are shared with it are not read again'),
      unauthenticated,
      json,
    },
    touches: 'data',
    example: 'backup verify /backups/monday',
  },
  'backup list': {
    description: 'list the finished backups in the bucket of BACKUP_URL',
    options: { json },
    touches: 'data',
    example: 'backup list',
  },
  'backup prune': {
    description: 'remove old backups from the bucket of BACKUP_URL, and what only they need',
    options: {
      keep: requiredText('count', 'how many of the newest backups remain'),
      yes: flag('confirm the removal; without it nothing is changed'),
      json,
    },
    touches: 'data',
    example: 'backup prune --keep 30 --yes',
  },
  'backup journal': {
    description: 'print deletions, blocks and replaced addresses, one line of JSON each, for restore and recover',
    options: { append: text('file', 'append what this file does not have yet; you can run this every minute') },
    touches: 'data',
    example: 'backup journal --append /backups/journal.jsonl',
  },
  restore: {
    description: 'restore a backup into an empty database and storage; all users have to sign in again',
    arguments: { backup },
    options: {
      yes: flag('confirm the restore; without it nothing is changed'),
      journal: text('file', 'do not undo the deletions and blocks in this file, which backup journal has written'),
      unauthenticated,
      json,
    },
    touches: 'data',
    example: 'restore /backups/monday --journal /backups/journal.jsonl --yes',
  },
  recover: {
    description:
      'secure a database that was set back in time: end its sessions, codes, links and keys, and repeat deletions',
    options: {
      to: requiredText('time', 'the moment that the database was set back to, such as 2027-01-31T04:30:00Z'),
      journal: text('file', 'repeat the deletions and blocks in this file, which backup journal has written'),
      yes: flag('confirm the recovery; without it nothing is changed'),
      force: flag('continue even if a service seems to use the database'),
      unauthenticated,
      json,
    },
    touches: 'data',
    example: 'recover --to 2027-01-31T04:30:00Z --journal /backups/journal.jsonl --yes',
  },
} satisfies CommandDeclarations;
