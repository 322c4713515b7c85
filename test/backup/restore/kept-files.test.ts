// Which file records a restore keeps, in both formats of the list.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { emptyJournal } from '../../../src/backup/journal/journal.ts';
import { type Manifest, readManifest } from '../../../src/backup/manifest.ts';
import { chooseFiles, keptFiles } from '../../../src/backup/restore/kept-files.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { factsOf, fileRow, shapes, smallSchema, useTemporaryFolders, writeSmallBackup } from '../stage/small-backup.ts';

const idOf = fileId;

describe('the files that a restore keeps', () => {
  const newFolder = useTemporaryFolders();

  it('records on the list are kept in every pass, in both formats, and others are not', async () => {
    const ids = fc.uniqueArray(fc.nat(30), { maxLength: 12 });
    const property = fc.asyncProperty(ids, ids, ids, async (listed, recorded, deleted) => {
      const folder = newFolder();
      const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b).map(idOf);
      await writeSmallBackup(folder, {
        pages: [{ shape: shapes.files, rows: sorted(recorded).map((id) => fileRow('ann', factsOf(id, id))) }],
        files: sorted(listed).map((id) => factsOf(id, id)),
      });
      const manifest = await readManifest(folder);
      const expected = sorted(recorded.filter((one) => listed.includes(one) && !deleted.includes(one)));
      const journal = { ...emptyJournal, deleted: new Set(deleted.map(idOf)) };
      for (const format of ['gatehouse backup 1', 'gatehouse backup 2'] as const) {
        const choose = await chooseFiles(folder, { ...manifest, format }, journal, new Map());
        for (let pass = 0; pass < 2; pass++) {
          const kept: string[] = [];
          for await (const { id } of keptFiles(folder, smallSchema, choose)) kept.push(id);
          assert.deepEqual(kept, expected, format);
        }
      }
    });
    await fc.assert(property, { seed, numRuns: 6 });
  });

  it('a list of the first format may be in any order', async () => {
    const folder = newFolder();
    const [a, b, c] = [factsOf(idOf(1), 'a'), factsOf(idOf(2), 'b'), factsOf(idOf(3), 'c')];
    await writeSmallBackup(folder, {
      pages: [{ shape: shapes.files, rows: [fileRow('ann', a), fileRow('ann', b), fileRow('ann', c)] }],
      files: [c, a],
    });
    const manifest: Manifest = { ...(await readManifest(folder)), format: 'gatehouse backup 1' };
    const kept: string[] = [];
    for await (const { id } of keptFiles(
      folder,
      smallSchema,
      await chooseFiles(folder, manifest, emptyJournal, new Map()),
    ))
      kept.push(id);
    assert.deepEqual(kept, [idOf(1), idOf(3)]);
  });
});
