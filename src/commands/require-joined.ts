// Before a command touches many files: database and storage carry the same id, or it is refused as a wrong setting.

import type { OpenedStore } from '../adapters/sql/open-store.ts';
import { createPorts } from '../adapters/sql/ports.ts';
import type { Config } from '../config/config.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { InstallationMismatch } from '../files/installation.ts';
import { requireInstallation, settleTarget } from '../files/settle-installation.ts';
import { Trouble } from './trouble.ts';
import { mismatchExitCode, writeMismatch } from './write-mismatch.ts';

/** Gives the id. */
export function requireJoined(config: Config, store: OpenedStore, blobs: BlobStore): Promise<string> {
  const { files, installations } = createPorts(store);
  return orTrouble(config, requireInstallation({ files, installations, blobs, clock: store.clock }));
}

/** For a storage that files go to: it is this installation's, or becomes it. */
export function joinTarget(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  return orTrouble(config, settleTarget({ files, installations, blobs, clock: store.clock }));
}

export async function orTrouble<T>(config: Config, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof InstallationMismatch)) throw error;
    throw new Trouble(writeMismatch(config, error).trimEnd(), mismatchExitCode);
  });
}
