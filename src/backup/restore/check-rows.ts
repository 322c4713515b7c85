// Reads all rows and the list of files of a backup, and tells everything in them that a restore must not take over.
import type { BackupFiles } from '../backup-files.ts';
import { databasePath, fileListPath, hashOf } from '../backup-folder.ts';
import { checkFileList, type FindListed, openFileList } from '../file-list.ts';
import { createFindings, type Findings, type OnBad } from '../finding.ts';
import type { Manifest } from '../manifest.ts';
import { createKeyCheck } from '../row-schema.ts';
import { BackupError, type BackupSchema } from '../snapshot.ts';
import { fileOf, type KnownPage, readPages } from '../table-rows.ts';
import { checkEntries, checkUnlisted } from './check-folder.ts';

type Content = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly schema: BackupSchema;
  readonly copies: Pick<BackupFiles, 'pathOf'>;
};

/** `isListed`: the list of files can be read to its end. */
type ContentCheck = { readonly findings: Findings; readonly isListed: boolean };

/** Everything but the bytes of the files. Time and memory do not grow faster than the backup. */
export async function checkContent(content: Content): Promise<ContentCheck> {
  const findings = createFindings();
  let isListed = false;
  if (!(await checkEntries(content.folder, findings.add))) return { findings, isListed };
  const troubles = await checkParts(content.folder, content.manifest);
  for (const trouble of troubles) findings.add(trouble);
  if (troubles.length > 0) return { findings, isListed };
  try {
    let isInOrder = true;
    const listed = await checkFileList(content.folder, content.manifest, (finding) => {
      isInOrder = false;
      findings.add(finding);
    });
    isListed = true;
    await checkUnlisted(content, findings.add);
    // Out of order, the list cannot be compared with the records.
    if (isInOrder) await checkRows(content, listed, findings.add);
  } catch (error) {
    // The reader can go no further.
    if (!(error instanceof BackupError)) throw error;
    findings.add(error.message);
  }
  return { findings, isListed };
}

/** Checks the database and the list of files, which all other steps read. */
export async function checkParts(folder: string, { sha256 }: Manifest): Promise<string[]> {
  const parts = [
    ['the database', databasePath(folder), sha256.database],
    ['the list of files', fileListPath(folder), sha256.fileList],
  ] as const;
  const troubles: string[] = [];
  for (const [name, path, hash] of parts) {
    const found = await hashOf(path);
    if (found !== hash) troubles.push(`${name} is ${found === undefined ? 'missing' : 'damaged'}`);
  }
  return troubles;
}

async function checkRows({ folder, manifest, schema }: Content, listed: number, onBad: OnBad): Promise<void> {
  const counts: Record<string, number> = {};
  const checkKey = createKeyCheck();
  const records = compareWithList((await openFileList(folder, manifest))(), onBad);
  for await (const page of readPages(folder, schema, onBad)) {
    const { table } = page.shape;
    const count = (counts[table] ?? 0) + page.read;
    counts[table] = count;
    // Stops here: a small file can unpack to endless rows.
    if (count > (manifest.rows[table] ?? 0))
      return onBad(`${table} has more rows than the ${manifest.rows[table] ?? 0} of the manifest`);
    for (const row of page.rows) {
      // The first format was made with any order of text.
      const finding = manifest.format === 'gatehouse backup 2' ? checkKey(page.shape, row) : undefined;
      if (finding !== undefined) onBad(finding);
    }
    if (table === 'files') await records.compare(page);
  }
  for (const [table, count] of Object.entries(manifest.rows))
    if ((counts[table] ?? 0) !== count) onBad(`${table} has ${counts[table] ?? 0} rows instead of ${count}`);
  if (records.found() < listed) onBad(`the list of files has ${listed - records.found()} files without a record`);
  if (listed !== manifest.files.count) onBad(`${listed} files instead of ${manifest.files.count}`);
}

/** A file that is on the list must be there as its record says. One that is not on it had no bytes when the backup was made. */
function compareWithList(find: FindListed, onBad: OnBad) {
  let found = 0;
  return {
    found: () => found,
    compare: async ({ shape, rows }: KnownPage) => {
      for (const row of rows) {
        const { id, size, sha256 } = fileOf(shape, row);
        const listed = await find(id);
        if (listed === undefined) continue;
        found += 1;
        if (listed.size !== size || listed.sha256 !== sha256)
          onBad(`the file ${id} has another size or hash in the list`);
      }
    },
  };
}
