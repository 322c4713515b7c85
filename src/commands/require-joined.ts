// Checks that database and storage have the same installation id before a command touches many files. Otherwise a setting is wrong.
import type { Config } from '../config/config.ts';
import type { BlobStore } from '../files/storage/blob-store.ts';
import { InstallationMismatch } from '../files/storage/installation.ts';
import { requireInstallation, settleTarget } from '../files/storage/settle-installation.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { createPorts } from '../store/ports.ts';
import { CommandError } from './command-error.ts';
import { mismatchExitCode, writeMismatch } from './write-mismatch.ts';

export async function requireJoined(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  await orMismatchError(config, requireInstallation({ files, installations, blobs, clock: store.clock }));
}

/** For commands that only read: also accepts a database and a storage that no service has linked yet. */
export async function refuseStrangers(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  const deps = { files, installations, blobs, clock: store.clock };
  const known = requireInstallation(deps).catch((error: unknown) => {
    if (!(error instanceof InstallationMismatch) || error.discord !== 'not joined') throw error;
  });
  await orMismatchError(config, known);
}

/** For a storage that receives files: it belongs to this installation, or does so from now on. */
export function joinTarget(config: Config, store: OpenedStore, blobs: BlobStore): Promise<void> {
  const { files, installations } = createPorts(store);
  return orMismatchError(config, settleTarget({ files, installations, blobs, clock: store.clock }));
}

async function orMismatchError<T>(config: Config, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof InstallationMismatch)) throw error;
    throw new CommandError(writeMismatch(config, error).trimEnd(), mismatchExitCode);
  });
}
