// The manifest of a backup: what it contains, and the hashes of its parts. Nothing of it is used before its MAC and its form are checked.
import { open, rename, stat } from 'node:fs/promises';
import { isContentHash } from '../files/storage/blob-store.ts';
import { asRecord } from '../kernel/text/as-record.ts';
import { ifThere, macPath, manifestPath, openPart } from './backup-folder.ts';
import type { BackupKey, CheckMac } from './backup-mac.ts';
import { parseJson } from './lines.ts';
import { BackupError } from './snapshot.ts';

/** Format 2 names files by hash and lists them in the order of ids. Format 1 names files by id and lists them in no order. */
const formats = ['gatehouse backup 1', 'gatehouse backup 2'] as const;
const format = formats[1];

export type Manifest = {
  readonly format: (typeof formats)[number];
  readonly createdAt: string;
  readonly version: string;
  readonly migrations: readonly string[];
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: { readonly count: number; readonly bytes: number; readonly areIncluded: boolean };
  /** The hashes of the parts that have no hash elsewhere. With the list of files they cover every byte of the backup. */
  readonly sha256: { readonly database: string; readonly fileList: string };
};

const longestManifest = 1024 * 1024;
const longestMac = 1024;

/** Written last: a backup without a manifest is unfinished. With a key, its MAC is there before it. */
export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, 'format'>,
  key?: BackupKey,
): Promise<void> {
  const text = `${JSON.stringify({ format, ...manifest }, null, 2)}\n`;
  if (key !== undefined) await writeDurably(macPath(folder), key.sign('manifest', text));
  const path = manifestPath(folder);
  await writeDurably(`${path}.part`, text);
  await rename(`${path}.part`, path);
  const folderHandle = await open(folder, 'r');
  await folderHandle.sync();
  await folderHandle.close();
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
}

/** `check` throws if the MAC is not as it must be. It sees the text before anything reads it. */
export async function readManifest(folder: string, check: CheckMac = () => undefined): Promise<Manifest> {
  const text = await readShort(manifestPath(folder), longestManifest);
  if (text === undefined && (await ifThere(folder, stat(folder))) === undefined)
    throw new BackupError(`${folder} does not exist. Name the folder or the .tar of a backup.`);
  if (text === undefined)
    throw new BackupError(`${folder} is not a finished backup: it has no manifest.json. Name the folder of a backup.`);
  check('manifest', text, await readShort(macPath(folder), longestMac));
  const manifest = parseManifest(parseJson(text));
  if (manifest === undefined)
    throw new BackupError(
      `${folder} has a manifest that this version cannot read. Use the version that made the backup.`,
    );
  return manifest;
}

/** Undefined if there is no such file. A file that is too long is read only in part, and has no meaning then. */
async function readShort(path: string, longest: number): Promise<string | undefined> {
  const handle = await openPart(path);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(longest), 0, longest, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Undefined if anything is missing or in another form. */
export function parseManifest(given: unknown): Manifest | undefined {
  const { createdAt, version, migrations, rows, ...parts } = asRecord(given);
  const { count, bytes, areIncluded } = asRecord(parts.files);
  const { database, fileList } = asRecord(parts.sha256);
  const itsFormat = formats.find((one) => one === parts.format);
  if (itsFormat === undefined || !isTime(createdAt) || !isText(version)) return undefined;
  if (!isNameList(migrations) || !isCounts(rows)) return undefined;
  if (!isCount(count) || !isCount(bytes) || typeof areIncluded !== 'boolean') return undefined;
  if (!isHash(database) || !isHash(fileList)) return undefined;
  const files = { count, bytes, areIncluded };
  return { format: itsFormat, createdAt, version, migrations, rows, files, sha256: { database, fileList } };
}

function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value);
}

function isNameList(value: unknown): value is string[] {
  const isName = (name: unknown) => typeof name === 'string' && /^[\w.-]{1,100}$/.test(name);
  return Array.isArray(value) && value.length <= 1000 && value.every(isName);
}

function isCounts(value: unknown): value is Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([table, count]) => /^[a-z_0-9]{1,60}$/.test(table) && isCount(count));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && isContentHash(value);
}
