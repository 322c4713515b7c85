// Before a command touches many files: database and storage carry the same id, or it is refused as a wrong setting.

import type { Config } from '../config/config.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { InstallationMismatch } from '../files/installation.ts';
import { requireInstallation, settleTarget } from '../files/settle-installation.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { createPorts } from '../store/ports.ts';
import { CommandError } from './command-error.ts';
import { mismatchExitCode, writeMismatch } from './write-mismatch.ts';

export async function requireJoined(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  await orTrouble(config, requireInstallation({ files, installations, blobs, clock: store.clock }));
}

/** For what only reads: a database and a storage that nothing speaks against will do, though no service has joined them yet. */
export async function refuseStrangers(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  const deps = { files, installations, blobs, clock: store.clock };
  const known = requireInstallation(deps).catch((error: unknown) => {
    if (!(error instanceof InstallationMismatch) || error.discord !== 'not joined') throw error;
  });
  await orTrouble(config, known);
}

/** For a storage that files go to: it is this installation's, or becomes it. */
export function joinTarget(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  return orTrouble(config, settleTarget({ files, installations, blobs, clock: store.clock }));
}

async function orTrouble<T>(config: Config, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof InstallationMismatch)) throw error;
    throw new CommandError(writeMismatch(config, error).trimEnd(), mismatchExitCode);
  });
}
