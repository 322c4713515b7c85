// Use cases: send a backup to a bucket, and bring its rows and lists back. Its files are in the vault, where all backups share them.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobInfo, copyBlob } from '../../files/storage/copy-blob.ts';
import { newFileId } from '../../files/stored-file.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import type { BackupFiles } from '../backup-files.ts';
import { databasePath, fileListPath, filesFolder, macPath, manifestPath } from '../backup-folder.ts';
import type { BackupKey } from '../backup-mac.ts';
import { filesIn, readFileList } from '../file-list.ts';
import { BackupError } from '../snapshot.ts';
import type { Bucket } from './bucket.ts';
import { createObjectSizes } from './object-sizes.ts';
import { readIndex, type SealedIndex, writeIndex } from './sealed-index.ts';
import { type Content, holds, objectKey, type Vault, viewOf } from './vault.ts';

/** A part is sent in pieces: one that has arrived is not sent again, and each fits into one request to any bucket. */
const pieceBytes = 256 * 2 ** 20;

/** The files of a backup in the vault. */
export function openVaultFiles(vault: Vault, folder: string): BackupFiles {
  return {
    pathOf: (facts) => join(filesFolder(folder), objectKey(vault.key, facts)),
    viewOf: (facts) => viewOf(vault, facts),
  };
}

/** Sends the folder of a finished backup whose files are in the vault. Called again after an interruption, it sends what is missing. */
export async function sendBackup(
  vault: Vault,
  { folder, name, progress }: { folder: string; name: string; progress: Progress },
): Promise<void> {
  const tell = tellBytes(progress);
  const database = await sendPart(vault, databasePath(folder), tell);
  const fileList = await sendPart(vault, fileListPath(folder), tell);
  const [manifest, mac] = await Promise.all(
    [manifestPath(folder), macPath(folder)].map((path) => readFile(path, 'utf8')),
  );
  await writeIndex(vault.bucket, vault.key, name, { manifest: manifest ?? '', mac: mac ?? '', database, fileList });
}

/** Whether the vault has every file of a backup whose parts are in the folder. */
export async function areFilesHeld(vault: Vault, folder: string): Promise<boolean> {
  for await (const facts of readFileList(folder)) if (!holds(vault, facts)) return false;
  return true;
}

/** Writes the parts into an empty folder. From there on the backup is read like any other. Returns its files. */
export async function fetchBackup(
  bucket: Bucket,
  keys: readonly BackupKey[],
  { name, folder, progress }: { name: string; folder: string; progress: Progress },
): Promise<BackupFiles> {
  const { index, key } = await readIndex(bucket, keys, name);
  const vault: Vault = { bucket, key, names: createObjectSizes() };
  const tell = tellBytes(progress);
  await fetchPart(vault, databasePath(folder), index.database, tell);
  await fetchPart(vault, fileListPath(folder), index.fileList, tell);
  await writeFile(macPath(folder), index.mac, { flag: 'wx', mode: 0o600 });
  await writeFile(manifestPath(folder), index.manifest, { flag: 'wx', mode: 0o600 });
  return openVaultFiles(vault, folder);
}

async function sendPart(vault: Vault, path: string, tell: TellBytes): Promise<Content[]> {
  const { size } = await stat(path);
  const contents: Content[] = [];
  for (let at = 0; at < size || contents.length === 0; at += pieceBytes) {
    const piece = { start: at, end: Math.min(at + pieceBytes, size) - 1 };
    const read = async () => (size > 0 ? createReadStream(path, piece) : Readable.from([]));
    const hash = createHash('sha256');
    for await (const chunk of await read()) hash.update(chunk as Buffer);
    // The id is the name of nothing: a vault knows bytes by their hash.
    const facts: BlobInfo = { id: newFileId(), size: piece.end - piece.start + 1, sha256: hash.digest('hex') };
    if (!holds(vault, facts) && (await copyBlob({ read }, viewOf(vault, facts), facts)) !== 'copied')
      throw new BackupError(`${path} changed while it was sent. Make the backup again.`);
    contents.push({ size: facts.size, sha256: facts.sha256 });
    tell(facts.size);
  }
  return contents;
}

async function fetchPart(vault: Vault, path: string, contents: readonly Content[], tell: TellBytes): Promise<void> {
  await pipeline(bytesOf(vault, contents, tell), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

async function* bytesOf(vault: Vault, contents: readonly Content[], tell: TellBytes): AsyncGenerator<Buffer> {
  for (const content of contents) {
    yield* await viewOf(vault, content).read(newFileId(), { start: 0, end: content.size - 1 }, content.size);
    tell(content.size);
  }
}

/** The files of a backup, without its other parts. */
export function listedFiles(bucket: Bucket, key: BackupKey, { fileList }: SealedIndex): AsyncIterable<BlobInfo> {
  const vault: Vault = { bucket, key, names: createObjectSizes() };
  return filesIn(
    Readable.from(
      bytesOf(vault, fileList, () => undefined),
      { objectMode: false },
    ),
  );
}

type TellBytes = (bytes: number) => void;

function tellBytes(progress: Progress): TellBytes {
  let [done, bytes] = [0, 0];
  return (added) => {
    done += 1;
    bytes += added;
    progress({ done, total: done, bytes, what: 'pieces' });
  };
}
