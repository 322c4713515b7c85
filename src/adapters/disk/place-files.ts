// Gives files their lasting place: written, synced and renamed, then their folders synced. For a thread that does nothing else.
import { closeSync, fdatasyncSync, renameSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { segmentAt } from '../../files/spool/segments.ts';
import { type BlobFolders, createBlobFolders, syncNow } from './blob-folders.ts';
import { createWriteHeld, type WriteHeld } from './write-held.ts';

export type PlaceOrder = {
  /** Where its bytes are in the memory of the segments. Undefined: the temporary file is whole and synced. */
  readonly held: { readonly at: number; readonly size: number } | undefined;
  readonly temporary: string;
  /** In a folder of the root of a storage. */
  readonly path: string;
};

/** An error of the disk, as it goes from thread to thread. */
export type PlaceError = { readonly code: string | undefined; readonly message: string };

/** For each order in turn: undefined if the file is durable under its name. */
export type PlaceFiles = (orders: readonly PlaceOrder[]) => (PlaceError | undefined)[];

/** A file on its way, until an error ends it. */
type Moving = {
  readonly order: PlaceOrder;
  readonly folder: string;
  descriptor: number | undefined;
  error: PlaceError | undefined;
};

/** Each step is done for all files before the next one, because the first sync of a step does most of the work of the others. */
export function createPlaceFiles(
  memory: SharedArrayBuffer,
  writeHeld: WriteHeld = createWriteHeld(),
  sync = syncNow,
): PlaceFiles {
  const folders = createBlobFolders();
  return (orders) => {
    const files = orders.map(toMoving);
    for (const [root, its] of Map.groupBy(files, rootOf)) makeFolders(folders, root, its, sync);
    each(files, (file) => {
      const { held, temporary } = file.order;
      if (held !== undefined) file.descriptor = writeHeld(segmentAt(memory, held.at), held.size, temporary);
    });
    each(files, ({ descriptor }) => {
      if (descriptor !== undefined) fdatasyncSync(descriptor);
    });
    each(files, ({ order }) => renameSync(order.temporary, order.path));
    for (const [folder, its] of Map.groupBy(files, (file) => file.folder)) all(its, () => sync(folder));
    for (const file of files) leave(file, folders);
    return files.map(({ error }) => error);
  };
}

function toMoving(order: PlaceOrder): Moving {
  return { order, folder: dirname(order.path), descriptor: undefined, error: undefined };
}

function rootOf({ folder }: Moving): string {
  return dirname(folder);
}

/** A new folder must itself survive a power cut. Otherwise its files are lost with it, all that the batch puts there. */
function makeFolders(folders: BlobFolders, root: string, files: readonly Moving[], sync: typeof syncNow): void {
  all(files, () => folders.find(root));
  const made = new Set<string>();
  each(files, ({ folder }) => {
    if (folders.make(root, folder)) made.add(folder);
  });
  all(
    files.filter(({ folder }) => made.has(folder)),
    () => sync(root),
  );
}

/** A failure here does not make a file less durable: the sweep removes the rest. */
function leave({ order, folder, descriptor, error }: Moving, folders: BlobFolders): void {
  if (descriptor !== undefined) attempt(() => closeSync(descriptor));
  if (error === undefined) return;
  folders.forget(dirname(folder));
  if (order.held !== undefined) attempt(() => unlinkSync(order.temporary));
}

/** A step of each file. An error ends only its own file. */
function each(files: readonly Moving[], step: (file: Moving) => void): void {
  for (const file of files) if (file.error === undefined) file.error = attempt(() => step(file));
}

/** A step for several files at once. An error ends all of them. */
function all(files: readonly Moving[], step: () => void): void {
  const moving = files.filter(({ error }) => error === undefined);
  const error = moving.length === 0 ? undefined : attempt(step);
  for (const file of moving) file.error = error;
}

function attempt(step: () => void): PlaceError | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}
