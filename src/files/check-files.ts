// Use case: compare records and blobs in both directions, and remove what nobody refers to.
import type { FileDeps } from './deps.ts';
import { isFileId } from './stored-file.ts';

type Deps = Pick<FileDeps, 'files' | 'blobs' | 'clock'>;

export type FileCheck = {
  readonly records: number;
  readonly blobs: number;
  /** Records whose blob is missing or has another size. */
  readonly missing: readonly string[];
  /** Blobs without a record, older than any upload under way can be. */
  readonly adrift: readonly string[];
};

/** An upload keeps its blob before its record: a young blob without one is not adrift yet. */
const graceSeconds = 600;
const pageSize = 500;

export async function checkFiles({ files, blobs, clock }: Deps): Promise<FileCheck> {
  const before = clock.now() - graceSeconds * 1000;
  const sizes = new Map<string, { size: number; modifiedAt: number }>();
  for await (const { id, size, modifiedAt } of blobs.list()) sizes.set(id, { size, modifiedAt });
  const blobCount = sizes.size;
  const missing: string[] = [];
  let records = 0;
  for (let after = ''; ; ) {
    const page = await files.listAll({ after, most: pageSize });
    for (const { id, size } of page) {
      records += 1;
      if (sizes.get(id)?.size !== size) missing.push(id);
      sizes.delete(id);
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < pageSize) break;
  }
  const adrift = [...sizes].filter(([, blob]) => blob.modifiedAt < before).map(([id]) => id);
  return { records, blobs: blobCount, missing, adrift };
}

/** Removes blobs that have no record, once more making sure of each. */
export async function removeAdrift(
  { files, blobs }: Pick<Deps, 'files' | 'blobs'>,
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    if (!isFileId(id) || (await files.findFile(id)) !== undefined) continue;
    await blobs.remove(id);
    count += 1;
  }
  return count;
}
