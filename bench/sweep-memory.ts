// The memory and processor time of comparing, sweeping and moving many files: npm run bench:sweep -- 20000000
// The list and the records are generated on request, and the state of the sweep is in a real database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore, ListedBlob } from '../src/files/storage/blob-store.ts';
import { checkFiles } from '../src/files/storage/check-files.ts';
import { moveBlobs } from '../src/files/storage/move-blobs.ts';
import type { FileStore, StoredFile } from '../src/files/stored-file.ts';
import { sweepBlobs } from '../src/files/sweeps/sweep-blobs.ts';
import { createPorts } from '../src/store/ports.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import { asFileId } from '../test/helpers/people/ids.ts';
import { makeFile } from '../test/helpers/uploads/stored-file.ts';

const count = Number(process.argv[2] ?? '20000000');
/** One blob in this many has no record, and one record in this many has no blob. */
const rarity = 100_000;

const idOf = (number: number) => `fil_${String(number).padStart(22, '0')}`;
const numberOf = (id: string) => (id === '' ? 0 : Number(id.slice(4)));

async function* list({ after = '' }: { after?: string } = {}): AsyncIterable<ListedBlob> {
  for (let at = numberOf(after) + 1; at <= count; at++) {
    if (at % 1000 === 0) await new Promise(setImmediate);
    if (at % rarity !== 1) yield { id: asFileId(idOf(at)), size: 1000, modifiedAt: 0 };
  }
}

function recordOf(number: number): StoredFile {
  const picture = { purpose: 'image', name: 'a.png', type: 'image/png', size: 1000, width: 3, height: 2 };
  return makeFile({ id: asFileId(idOf(number)), ...picture });
}

const hasRecord = (number: number) => number >= 1 && number <= count && number % rarity !== 2;

const files = {
  listAll: async ({ after, most }: { after: string; most: number }) => {
    const page: StoredFile[] = [];
    for (let at = numberOf(after) + 1; page.length < most && at <= count; at++)
      if (hasRecord(at)) page.push(recordOf(at));
    return page;
  },
  findRecord: async (id: string) => (hasRecord(numberOf(id)) ? recordOf(numberOf(id)) : undefined),
} as Partial<FileStore> as FileStore;

const refuse = () => Promise.reject(new Error('nothing is written here'));
const blobs = { list, ping: async () => undefined, remove: refuse } as Partial<BlobStore> as BlobStore;

const clock = { now: () => Date.now() };
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sweep-'));
const store = await openSqliteStore(join(folder, 'gatehouse.db'), quiet);
await store.migrations.up();
const { sweeps } = createPorts(store);

await measure('check', async () => {
  const { missingCount, adriftCount } = await checkFiles({ files, blobs, clock });
  return `${adriftCount} blobs without a record, ${missingCount} records without a blob`;
});
await measure('sweep', async () => {
  let slices = 0;
  const turn = () => sweepBlobs({ files, blobs, clock, log, sweeps }, 'bench');
  for (let state = 'on'; state === 'on'; slices++) ({ state } = await turn());
  const last = await sweeps.read();
  return `${slices} slices, ${last?.orphans} blobs without a record, ${last?.missing} records without a blob`;
});
await measure('move', async () => {
  const target = { ...blobs, list: everything };
  const { records } = await moveBlobs(
    { files, clock, source: blobs, target },
    { deletesSource: false, progress: quiet, tell: () => undefined },
  );
  return `${records} records, all there already`;
});
await store.close();
rmSync(folder, { recursive: true });

async function* everything(): AsyncIterable<ListedBlob> {
  for (let at = 1; at <= count; at++) yield { id: asFileId(idOf(at)), size: 1000, modifiedAt: 0 };
}

async function measure(what: string, work: () => Promise<string>): Promise<void> {
  const begun = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(begun);
  const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${what} of ${count}: ${result}; ${((user + system) / 1e6).toFixed(1)} s CPU, peak RSS ${mebibytes} MiB`);
}
