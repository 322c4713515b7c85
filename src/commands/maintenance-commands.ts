// The command line of what keeps the house safe: doctor, backup, restore, moving files. Each verb is loaded when it runs.
import type { Command } from 'commander';
import type { BackupOptions } from './backup-create.ts';
import type { JournalOptions } from './backup-journal.ts';
import type { VerifyOptions } from './backup-verify.ts';
import type { MoveOptions } from './files-move.ts';
import type { RecoverOptions } from './recover.ts';
import type { RestoreOptions } from './restore.ts';

type Json = { readonly json?: true };

export function addCareCommands(program: Command, files: Command): void {
  program
    .command('doctor')
    .description('look at everything the service depends on; exits with 1 when something is bad')
    .option('--json', 'print JSON')
    .action(async (options: Json) => {
      const { tryConfig } = await import('./load-config.ts');
      const { doctor } = await import('./doctor.ts');
      process.exitCode = await doctor(tryConfig(), options);
    });
  const backups = program.command('backup').description('write and check backups; the service may run meanwhile');
  backups
    .command('create')
    .description('write a backup into a new folder, or into one file')
    .requiredOption('--to <place>', 'a folder that is empty or not there yet, or a file whose name ends in .tar')
    .option('--since <backup>', 'folder of an earlier backup: files that it has are shared with it, not copied again')
    .option('--db-only', 'leave the files out')
    .option('--json', 'print JSON')
    .action(async (options: BackupOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { backupCreate } = await import('./backup-create.ts');
      process.exitCode = await backupCreate(loadConfig(), options);
    });
  backups
    .command('verify')
    .description('read a backup to its last byte; exits with 1 when something is missing or damaged')
    .argument('<backup>', 'folder or file of the backup')
    .option('--since <backup>', 'folder of an earlier backup: files that are shared with it are not read again')
    .option('--json', 'print JSON')
    .action(async (backup: string, options: VerifyOptions) => {
      const { backupVerify } = await import('./backup-verify.ts');
      process.exitCode = await backupVerify(backup, options);
    });
  backups
    .command('journal')
    .description('print deletions, blocks and replaced addresses, a line of JSON each, for restore and recover')
    .option('--append <file>', 'add to this file what it does not have yet; cheap enough for every minute')
    .action(async (options: JournalOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { backupJournal } = await import('./backup-journal.ts');
      process.exitCode = await backupJournal(loadConfig(), options);
    });
  program
    .command('restore')
    .description('bring a backup back into an empty place; everybody has to sign in anew')
    .argument('<backup>', 'folder or file of the backup')
    .option('--yes', 'do it')
    .option('--journal <file>', 'undo no deletion and no block that it tells of; written by backup journal')
    .option('--json', 'print JSON')
    .action(async (backup: string, options: RestoreOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { restore } = await import('./restore.ts');
      process.exitCode = await restore(loadConfig(), backup, options);
    });
  program
    .command('recover')
    .description('make a database safe that was set back in time: everything it issued ends, deletions are done anew')
    .requiredOption('--to <time>', 'the moment it was set back to, such as 2027-01-31T04:30:00Z')
    .option('--journal <file>', 'do anew what it tells of; written by backup journal')
    .option('--yes', 'do it')
    .option('--force', 'do it although a service seems to use the database')
    .option('--json', 'print JSON')
    .action(async (options: RecoverOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { recover } = await import('./recover.ts');
      process.exitCode = await recover(loadConfig(), options);
    });
  files
    .command('move')
    .description('bring all files to another storage while the service runs; run again, it goes on where it was')
    .requiredOption('--to <storage>', 's3://…, disk: for DATA_DIR, or @path of a file that holds the URL')
    .option('--from <storage>', 'where they are (default: what STORAGE_URL names)')
    .option('--delete-source', 'remove each file there once the target has given it back unharmed')
    .option('--json', 'print JSON')
    .action(async (options: MoveOptions) => {
      const { loadConfig } = await import('./load-config.ts');
      const { filesMove } = await import('./files-move.ts');
      process.exitCode = await filesMove(loadConfig(), options);
    });
}
