// Joining a database and a storage: when their contents are looked at, who gets which id, and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { graceSeconds } from '../../../src/files/storage/examine-slice.ts';
import { InstallationMismatch, type InstallationStore } from '../../../src/files/storage/installation.ts';
import {
  type InstallationDeps,
  readInstallationState,
  requireInstallation,
  settleInstallation,
  settleTarget,
} from '../../../src/files/storage/settle-installation.ts';
import { clock, fileId, memoryBlobs, memoryFiles, noon, recordOf } from '../../helpers/blobs/memory-files.ts';
import { asFileId } from '../../helpers/people/ids.ts';

type Contents = {
  database?: string;
  storage?: string;
  known?: number;
  adrift?: number;
  young?: number;
  records?: number;
};

/** Blobs with and without records, and the ids of both sides. */
function stage(
  { database, storage, known = 0, adrift = 0, young = 0, records = known }: Contents,
  changes: Partial<BlobStore> = {},
) {
  const blobs = memoryBlobs({}, changes);
  blobs.mark = storage;
  const put = (count: number, from: number, modifiedAt: number) => {
    for (let at = 0; at < count; at++) blobs.contents.set(fileId(from + at), { bytes: Buffer.from('x'), modifiedAt });
  };
  put(known, 0, 0);
  put(adrift, 1000, noon - graceSeconds * 1000 - 1);
  put(young, 2000, noon - graceSeconds * 1000);
  const claims: { id: string; now: number }[] = [];
  const db = { id: database, measured: 0 };
  const installations: InstallationStore = {
    find: async () => db.id,
    claim: async (input) => {
      claims.push(input);
      db.id ??= input.id;
      return db.id;
    },
    adopt: () => assert.fail('nothing is adopted'),
    measure: async () => {
      db.measured += 1;
      return { users: 7, records };
    },
  };
  const files = memoryFiles(Array.from({ length: known }, (_, at) => recordOf(fileId(at), 'x')));
  const deps: InstallationDeps = { files, blobs, installations, clock };
  return { deps, blobs, claims, db };
}

const atOnce = async () => undefined;

async function refusal(work: Promise<unknown>): Promise<InstallationMismatch> {
  const error: unknown = await work.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof InstallationMismatch, String(error));
  return error;
}

describe('settling an installation', () => {
  it('two equal ids belong together, and nothing else is looked at', async () => {
    const { deps, blobs, claims, db } = stage(
      { database: 'a', storage: 'a', adrift: 3 },
      { list: () => assert.fail('the storage was listed') },
    );
    assert.equal(await settleInstallation(deps, atOnce), true);
    await requireInstallation(deps);
    assert.deepEqual([blobs.calls, claims, db.measured], [[], [], 0]);
    const facts = { database: 'a', storage: 'a', users: 0, records: 0, sample: { blobs: 0, known: 0, adrift: 0 } };
    assert.deepEqual(await readInstallationState(deps), facts);
  });

  for (const [what, contents] of [
    ['both are new', {}],
    ['the database is new and knows every file', { known: 3 }],
    ['the database has an id and knows every file', { database: 'a', known: 3, young: 2 }],
    ['the database has an id and neither has files', { database: 'a' }],
  ] as const) {
    it(`database and storage are joined where ${what}`, async () => {
      const { deps, blobs, claims, db } = stage(contents);
      assert.equal(await settleInstallation(deps, atOnce), true);
      assert.equal(blobs.mark, db.id);
      assert.match(db.id ?? '', 'database' in contents ? /^a$/ : /^ins_[\w-]{22}$/);
      assert.deepEqual(
        claims.map(({ now }) => now),
        [noon],
      );
    });
  }

  it('the id of another node that was faster is written to the storage', async () => {
    const { deps, blobs, db } = stage({});
    const claim = deps.installations.claim;
    deps.installations.claim = async (input) => {
      db.id = 'ins_faster';
      return claim(input);
    };
    assert.equal(await settleInstallation(deps, atOnce), true);
    assert.equal(blobs.mark, 'ins_faster');
  });

  it('only uploads in progress in the storage leave it undecided', async () => {
    const { deps, blobs, claims } = stage({ young: 2 });
    assert.equal(await settleInstallation(deps, atOnce), false);
    assert.deepEqual([blobs.mark, claims], [undefined, []]);
  });

  const mismatches = [
    ['two installations', { database: 'a', storage: 'b' }],
    ['new database', { storage: 'b' }],
    ['strange files', { known: 2, adrift: 1 }],
    ['no files', { database: 'a', records: 1 }],
  ] as const;
  for (const [discord, contents] of mismatches) {
    it(`a mismatch is refused after a second look, and changes nothing: ${discord}`, async () => {
      const { deps, blobs, claims, db } = stage(contents);
      const error = await refusal(settleInstallation(deps, atOnce));
      assert.equal(error.discord, discord);
      assert.equal(error.facts.users, 7);
      assert.deepEqual([blobs.calls, claims, db.measured], [[], [], 2]);
    });

    it(`commands refuse at the first look: ${discord}`, async () => {
      const { deps, db } = stage(contents);
      assert.equal((await refusal(requireInstallation(deps))).discord, discord);
      assert.equal(db.measured, 1);
    });
  }

  it('a mismatch that another node resolves in between is not reported', async () => {
    const { deps, blobs } = stage({ database: 'a', storage: 'b' });
    const { measure } = deps.installations;
    deps.installations.measure = () => {
      blobs.mark = 'a';
      return measure();
    };
    assert.equal(await settleInstallation(deps, atOnce), true);
  });

  it('there is one pause, and only before a second look', async () => {
    for (const [contents, pauses] of [
      [{ database: 'a', storage: 'a' }, 0],
      [{}, 0],
      [{ young: 1 }, 0],
      [{ database: 'a', storage: 'b' }, 1],
    ] as const) {
      const { deps } = stage(contents);
      let paused = 0;
      const pause = async () => {
        paused += 1;
      };
      await settleInstallation(deps, pause).catch(() => undefined);
      assert.equal(paused, pauses);
    }
  });

  for (const contents of [{}, { known: 1 }, { young: 1 }]) {
    it(`commands refuse what the service has not joined yet: ${JSON.stringify(contents)}`, async () => {
      const { deps, blobs, claims } = stage(contents);
      assert.equal((await refusal(requireInstallation(deps))).discord, 'not joined');
      assert.deepEqual([blobs.calls, claims], [[], []]);
    });
  }
});

describe('the target of a move', () => {
  for (const [what, contents] of [
    ['empty', { database: 'a', records: 5 }],
    ['empty and the database is new', {}],
    ['partly filled with files of this database', { database: 'a', known: 2, records: 5 }],
    ['filled by uploads in progress', { database: 'a', young: 2, records: 5 }],
  ] as const) {
    it(`the target of a move gets the id of the database where it is ${what}`, async () => {
      const { deps, blobs, db } = stage(contents);
      await settleTarget(deps);
      assert.notEqual(blobs.mark, undefined);
      assert.equal(blobs.mark, db.id);
    });
  }

  it('the target of a move may have the id of the database already', async () => {
    const { deps, blobs } = stage({ database: 'a', storage: 'a' });
    await settleTarget(deps);
    assert.deepEqual(blobs.calls, []);
  });

  for (const [discord, contents] of [
    ['two installations', { database: 'a', storage: 'b' }],
    ['two installations', { database: 'a', storage: 'b', known: 1 }],
    ['new database', { storage: 'b' }],
    ['strange files', { database: 'a', adrift: 1 }],
  ] as const) {
    it(`the target of a move is refused: ${discord} for ${JSON.stringify(contents)}`, async () => {
      const { deps, blobs } = stage(contents);
      assert.equal((await refusal(settleTarget(deps))).discord, discord);
      assert.deepEqual(blobs.calls, []);
    });
  }
});

describe('the sample of a storage', () => {
  it('a storage with few files is sampled completely', async () => {
    const { deps } = stage({ known: 4, adrift: 3, young: 2 });
    const { sample, users, records } = await readInstallationState(deps);
    assert.deepEqual({ sample, users, records }, { sample: { blobs: 9, known: 4, adrift: 3 }, users: 7, records: 4 });
  });

  it('a large storage is sampled at ten places, ten files at each', async () => {
    const asked: string[] = [];
    let read = 0;
    const list: BlobStore['list'] = async function* ({ after = '' } = {}) {
      asked.push(after);
      for (let at = 0; ; at++) {
        read += 1;
        yield { id: asFileId(`${after || 'fil_'}${String(at).padStart(8, '0')}`), size: 1, modifiedAt: 0 };
      }
    };
    const { deps } = stage({}, { list });
    const { sample } = await readInstallationState(deps);
    assert.deepEqual(sample, { blobs: 100, known: 0, adrift: 100 });
    assert.deepEqual(asked, ['', ...[...'4CKRZfmpu'].map((first) => `fil_${first}`)]);
    assert.equal(read, 100);
  });

  it('a file that two places find counts once', async () => {
    const list: BlobStore['list'] = async function* () {
      yield { id: fileId(0), size: 1, modifiedAt: 0 };
    };
    const { deps } = stage({}, { list });
    assert.deepEqual((await readInstallationState(deps)).sample, { blobs: 1, known: 0, adrift: 1 });
  });
});
