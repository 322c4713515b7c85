// Folders that a command needs: created with all parents, or refused with the reason and the cure.
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { claimDataDir, claimFolder, claimPlace } from '../../src/commands/claim-data-dir.ts';
import { CommandError } from '../../src/commands/command-error.ts';
import { useTemporaryFolders } from '../backup/stage/small-backup.ts';

describe('a folder that a command needs', () => {
  const newFolder = useTemporaryFolders();

  it('is created with its parents, for its owner only, and may exist already', () => {
    const path = join(newFolder(), 'a', 'b');
    claimFolder(path);
    claimFolder(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  it('that is a file is refused: in the settings with 78, as an option with 1', () => {
    const path = join(newFolder(), 'file');
    writeFileSync(path, '');
    const refusal = (exitCode: number, pattern: RegExp) => (error: unknown) =>
      error instanceof CommandError && error.exitCode === exitCode && pattern.test(error.message);
    assert.throws(
      () => claimDataDir({ dataDir: path }),
      refusal(78, /Cannot use DATA_DIR=.*there is a file of that name\. Set DATA_DIR/),
    );
    assert.throws(
      () => claimPlace(path, '--to'),
      refusal(1, /--to cannot be .*there is a file of that name\. Name a folder/),
    );
    assert.throws(
      () => claimDataDir({ dataDir: join(path, 'x') }),
      refusal(78, /there is a file where a folder should be/),
    );
  });
});
