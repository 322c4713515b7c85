// Looks at every entry in the folder of a backup before its parts are read: only they, and the files of the list, belong there.
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BackupFiles } from '../backup-files.ts';
import { filesFolder, ifThere, partNames } from '../backup-folder.ts';
import { readFileList } from '../file-list.ts';
import { type OnBad, quote } from '../finding.ts';
import type { Manifest } from '../manifest.ts';

type Kind = 'file' | 'folder' | 'neither';

type Entry = { readonly path: string; readonly kind: Kind };

/** Between them they are every path of a backup. The folder of spools stays behind, empty. */
const right: Readonly<Record<Kind, RegExp>> = {
  file: /^files\/[0-9a-f]{3}\/(?:[0-9a-f]{64}|fil_[A-Za-z0-9_-]{22})$/,
  folder: /^files(?:\/(?:[0-9a-f]{3}|spool))?$/,
  neither: /^(?!)/,
};

/** Tells what is no part of a backup. False if there is something that must not be read: a pipe or a device would never end. */
export async function checkEntries(folder: string, onBad: OnBad): Promise<boolean> {
  let isReadable = true;
  for await (const { path, kind } of entriesIn(folder, '')) {
    if (kind === 'neither') {
      isReadable = false;
      onBad(`${quote(path)} is neither a file nor a folder`);
    } else if (!belongs(path, kind)) onBad(`${quote(path)} is no part of a backup`);
  }
  return isReadable;
}

/** More files than most backups have. A set of that many paths needs some 100 MiB. */
const pathsAtOnce = 500_000;

type Listed = {
  readonly folder: string;
  readonly manifest: Pick<Manifest, 'files'>;
  readonly copies: Pick<BackupFiles, 'pathOf'>;
};

/** Tells every file that the list does not name. Reads the list once for every half a million files. */
export async function checkUnlisted(
  { folder, manifest, copies }: Listed,
  onBad: OnBad,
  most = pathsAtOnce,
): Promise<void> {
  const found = new Set<string>();
  const tellRest = async () => {
    if (manifest.files.areIncluded)
      for await (const facts of readFileList(folder, () => undefined))
        found.delete(relative(folder, copies.pathOf(facts)));
    for (const path of found) onBad(`${quote(path)} is not on the list of files`);
    found.clear();
  };
  for await (const { path, kind } of entriesIn(filesFolder(folder), 'files')) {
    if (kind === 'file' && belongs(path, kind)) found.add(path);
    if (found.size >= most) await tellRest();
  }
  if (found.size > 0) await tellRest();
}

function belongs(path: string, kind: Kind): boolean {
  return right[kind].test(path) || (kind === 'file' && partNames.includes(path));
}

/** Goes into no folder that does not belong there. No link is followed. */
async function* entriesIn(place: string, beginning: string): AsyncIterable<Entry> {
  for await (const entry of (await ifThere(place, opendir(place))) ?? []) {
    const path = beginning === '' ? entry.name : `${beginning}/${entry.name}`;
    const kind = kindOf(entry);
    yield { path, kind };
    if (kind === 'folder' && belongs(path, kind)) yield* entriesIn(join(place, entry.name), path);
  }
}

function kindOf(entry: Dirent): Kind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'neither';
}
