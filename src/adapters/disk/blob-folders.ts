// The folders of blobs: which ones are there and durable. For the thread that places files.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type BlobFolders = {
  /** Looks once for the folders that are there already. One sync makes all of them durable, whoever made them. */
  find(root: string): void;
  /** True if the folder was made now: then the root must be synced. */
  make(root: string, folder: string): boolean;
  /** After an error: look again. */
  forget(root: string): void;
};

export function createBlobFolders(): BlobFolders {
  const known = new Map<string, Set<string>>();
  return {
    find: (root) => {
      if (known.has(root)) return;
      mkdirSync(root, { recursive: true, mode: 0o700 });
      const names = readdirSync(root);
      syncNow(root);
      // The root may be new too.
      syncNow(dirname(root));
      known.set(root, new Set(names.map((name) => join(root, name))));
    },
    make: (root, folder) => {
      if (known.get(root)?.has(folder) === true) return false;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      known.get(root)?.add(folder);
      return true;
    },
    forget: (root) => void known.delete(root),
  };
}

/** New and renamed entries of the folder survive a power cut. */
export function syncNow(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
