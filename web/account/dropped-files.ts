// The files of a drop or of the clipboard. A folder counts as the files in it.
import type { FileHandle } from '../../client/src/upload-memory.ts';

export type ChosenFile = { readonly file: File; readonly handle?: FileHandle | undefined };

export const mostOfFolder = 1000;

/** Call it in the event itself: the browser takes the list away afterwards. */
export function readTransfer(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const folders = items.map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry?.isDirectory === true);
  if (folders.length === 0) return Promise.all(items.map(readItem)).then((found) => found.flat());
  const files = items.filter((item) => item.webkitGetAsEntry?.()?.isDirectory !== true).map(readItem);
  return readAll(
    files,
    folders.flatMap((entry) => entry ?? []),
  );
}

async function readAll(files: readonly Promise<ChosenFile[]>[], folders: readonly FileSystemEntry[]) {
  const found = (await Promise.all(files)).flat();
  const waiting = [...folders];
  while (found.length < mostOfFolder) {
    const entry = waiting.shift();
    if (entry === undefined) break;
    if (isFolder(entry)) waiting.push(...(await readFolder(entry)));
    else if (isFile(entry) && !isOfSystem(entry.name)) found.push({ file: await readFile(entry) });
  }
  return found;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** Not what the user has put there: `.DS_Store`, `Thumbs.db`. */
function isOfSystem(name: string): boolean {
  return name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name);
}

/** With a handle where the browser gives one, so that a large upload can go on after a reload. */
async function readItem(item: DataTransferItem): Promise<ChosenFile[]> {
  const file = item.getAsFile();
  const handle = await askForHandle(item).catch(() => undefined);
  return file === null ? [] : [{ file, handle }];
}

async function askForHandle(item: DataTransferItem): Promise<FileHandle | undefined> {
  if (!('getAsFileSystemHandle' in item) || typeof item.getAsFileSystemHandle !== 'function') return undefined;
  const handle: unknown = await item.getAsFileSystemHandle();
  return isFileHandle(handle) ? handle : undefined;
}

function isFileHandle(value: unknown): value is FileHandle {
  return typeof value === 'object' && value !== null && 'getFile' in value && typeof value.getFile === 'function';
}

/** A browser hands out the entries of a large folder in portions. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0 || found.length >= mostOfFolder) return found;
    found.push(...portion);
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
