// The index of a backup in a bucket: its manifest, and the objects that hold its rows and its list of files. It is sealed, and written last.
import { isContentHash } from '../../files/storage/blob-store.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import type { BackupKey } from '../backup-mac.ts';
import { refuseBackup } from '../finding.ts';
import { parseJson } from '../lines.ts';
import { BackupError } from '../snapshot.ts';
import type { Bucket, BucketObject } from './bucket.ts';
import { keyOf, openSealed } from './seal.ts';
import { type Content, sealWrites } from './vault.ts';

const format = 'gatehouse sealed backup 1';

export type SealedIndex = {
  readonly manifest: string;
  readonly mac: string;
  /** In their order they are the file. */
  readonly database: readonly Content[];
  readonly fileList: readonly Content[];
};

export const indexBeginning = 'backups/';
const longestIndex = 64 * 2 ** 20;

/** The part of the command line after `s3:`, and of the key after `backups/`. */
export function isBackupName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

export async function writeIndex(bucket: Bucket, key: BackupKey, name: string, index: SealedIndex): Promise<void> {
  const place = `${indexBeginning}${name}`;
  await putSealed(bucket, key, place, Buffer.from(JSON.stringify({ format, ...index })));
}

async function putSealed(bucket: Bucket, key: BackupKey, place: string, bytes: Buffer): Promise<void> {
  const spool = sealWrites(await bucket.spool(), key, place);
  try {
    await spool.write(bytes);
    const { sealed, sha256 } = await spool.finish();
    await bucket.put(place, sealed, sha256);
  } finally {
    await spool.discard();
  }
}

export async function findIndex(bucket: Bucket, name: string): Promise<BucketObject | undefined> {
  const place = `${indexBeginning}${name}`;
  for await (const object of bucket.list(place)) if (object.key === place) return object;
  return undefined;
}

/** Finished backups, in the order of their names. */
export async function* listIndexes(bucket: Bucket): AsyncIterable<BucketObject & { readonly name: string }> {
  for await (const object of bucket.list(indexBeginning)) {
    const name = object.key.slice(indexBeginning.length);
    if (isBackupName(name)) yield { ...object, name };
  }
}

/** The key that sealed the index sealed and named everything of the backup. */
export async function readIndex(
  bucket: Bucket,
  keys: readonly BackupKey[],
  name: string,
): Promise<{ readonly index: SealedIndex; readonly key: BackupKey }> {
  const found = await findIndex(bucket, name);
  if (found === undefined)
    throw new BackupError(`There is no finished backup s3:${name}. List them with: gatehouse backup list`);
  if (found.size > longestIndex) refuseBackup('its index is too long');
  const sealed = await gather(await bucket.read(found.key, found.size));
  const shown = bucket.fullName(found.key);
  const key = keyOf(keys, shown, sealed);
  const bytes = await gather(openSealed([key], { name: found.key, shown }, [sealed]));
  const index = parseIndex(bytes.toString('utf8'));
  return { key, index: index ?? refuseBackup('its index has another form. Use the version that made it') };
}

async function gather(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Undefined if anything is missing or in another form. */
function parseIndex(text: string): SealedIndex | undefined {
  const given = asRecord(parseJson(text));
  const { manifest, mac } = given;
  const [database, fileList] = [readContents(given.database), readContents(given.fileList)];
  if (given.format !== format || typeof manifest !== 'string' || typeof mac !== 'string') return undefined;
  return database === undefined || fileList === undefined ? undefined : { manifest, mac, database, fileList };
}

function readContents(given: unknown): Content[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const contents = given.flatMap((one) => {
    const { size, sha256 } = asRecord(one);
    const isContent =
      typeof sha256 === 'string' && isContentHash(sha256) && Number.isSafeInteger(size) && Number(size) >= 0;
    return isContent ? [{ size: Number(size), sha256 }] : [];
  });
  return contents.length === given.length ? contents : undefined;
}
