// Whatever stands in the place of a part or beside it: verify names it, restore refuses it, and neither waits for a pipe.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createBackupKey, requireMac } from '../../../src/backup/backup-mac.ts';
import { BackupError } from '../../../src/backup/snapshot.ts';
import { type BackupRig, openBackupRig } from '../stage/backup-rig.ts';

const key = createBackupKey('a key of the backups, long enough');

/** What is put in the place of a part. */
const replacements: Readonly<Record<string, (path: string) => void>> = {
  'a link to a device': (path) => {
    rmSync(path);
    symlinkSync('/dev/zero', path);
  },
  'a link to the part elsewhere': (path) => {
    renameSync(path, `${path}.elsewhere`);
    symlinkSync(`${path}.elsewhere`, path);
  },
  'a pipe': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

describe('the folder of a signed backup', () => {
  let rig: BackupRig;
  let number = 0;
  before(async () => {
    rig = await openBackupRig();
    await rig.add();
    await rig.create('sound', undefined, key);
  });
  after(() => rig.end());

  const copy = () => {
    const name = `copy-${++number}`;
    cpSync(rig.placeOf('sound'), rig.placeOf(name), { recursive: true });
    return name;
  };

  async function assertRefused(name: string, says: RegExp): Promise<void> {
    const troubles = await rig.verify(name).then(
      (check) => check.troubles,
      (error: Error) => [error instanceof BackupError ? error.message : assert.fail(error)],
    );
    assert.match(troubles.join('\n'), says);
    await assert.rejects(rig.restore(name, `${name}-restored`, requireMac([key], false)), BackupError);
    assert.ok(!existsSync(rig.placeOf(`${name}-restored`)), 'nothing is written');
  }

  for (const [what, replace] of Object.entries(replacements)) {
    it(`with ${what} in the place of any part is refused at once`, { timeout: 60_000 }, async () => {
      const parts = globSync(`${rig.placeOf('sound')}/**`).filter((path) => statSync(path).isFile());
      assert.equal(parts.length, 5);
      for (const part of parts) {
        const name = copy();
        const path = relative(rig.placeOf('sound'), part);
        replace(join(rig.placeOf(name), path));
        const pattern = path.replaceAll('.', '\\.');
        await assertRefused(name, new RegExp(`“${pattern}” is (neither|no part)|${pattern} is not a file`));
      }
    });
  }

  for (const [what, add, says] of [
    ['a folder with files', 'more/x', /“more” is no part of a backup/],
    [
      'a file that is not on the list',
      `files/abc/${'ab'.repeat(32)}`,
      /“files\/abc\/(ab)+” is not on the list of files/,
    ],
    ['a file among the spools', 'files/spool/x', /“files\/spool\/x” is no part of a backup/],
  ] as const) {
    it(`with ${what} beside its parts is refused, although its MAC is right`, async () => {
      const name = copy();
      mkdirSync(join(rig.placeOf(name), add, '..'), { recursive: true });
      writeFileSync(join(rig.placeOf(name), add), 'x');
      await assertRefused(name, says);
    });
  }

  it('as it was made is restored', async () => {
    assert.deepEqual((await rig.verify('sound')).troubles, []);
    assert.equal((await rig.restore('sound', 'restored', requireMac([key], false))).files, 1);
  });
});
