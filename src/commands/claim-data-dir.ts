// Makes the data folder and looks whether it can be used, before anything tries: a wrong DATA_DIR ends the start with its cure.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { CommandError } from './command-error.ts';
import { endWith } from './give-up.ts';

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'there is a file where a folder should be',
  EACCES: 'the user of the service may not write there',
  EPERM: 'the user of the service may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'the disk is full',
};

export function claimDataDir({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    claimFolder(dataDir);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    endWith(
      78,
      `Gatehouse cannot use DATA_DIR=${dataDir}: ${reasons[code] ?? message}. Set DATA_DIR to a folder that the user of the service owns.`,
    );
  }
}

/** A folder that an operator names, by this option or setting. */
export function claimPlace(path: string, name: string): void {
  try {
    claimFolder(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `${name} cannot be ${path}: ${reasons[code] ?? message}. Name a folder that you may write to.`,
    );
  }
}

/** Step by step: Node's own way to make several at once never ends where the system says that none can be made, as in /proc. */
export function claimFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    if (dirname(path) !== path) claimParent(dirname(path));
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'EEXIST' });
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

function claimParent(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  claimParent(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
