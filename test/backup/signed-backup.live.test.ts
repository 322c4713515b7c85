// A signed backup, and any backup with random damage: it is restored exactly as it was made, or refused with a sentence.
import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { packFolder, withBackupFolder } from '../../src/backup/backup-file.ts';
import { macPath, manifestPath } from '../../src/backup/backup-folder.ts';
import { createBackupKey, requireMac } from '../../src/backup/backup-mac.ts';
import { BackupError } from '../../src/backup/snapshot.ts';
import type { StoredFile } from '../../src/files/stored-file.ts';
import { readBytes } from '../helpers/blobs/blobs.ts';
import { seed } from '../helpers/faults/rounds.ts';
import { type BackupRig, openBackupRig } from './stage/backup-rig.ts';
import { addRow, forgeBackup, setCell } from './stage/forged-backup.ts';
import { rightForms, wrongCells } from './stage/restored-cells.ts';

const key = createBackupKey('a key of the backups, long enough');
const onlySigned = requireMac([key], false);

describe('a signed backup', () => {
  let rig: BackupRig;
  let files: StoredFile[] = [];
  let number = 0;
  before(async () => {
    rig = await openBackupRig();
    files = [await rig.add(Buffer.from('first')), await rig.add(Buffer.from('second'))];
    await rig.create('signed', undefined, key);
    await packFolder(rig.placeOf('signed'), rig.placeOf('signed.tar'));
  });
  after(() => rig.end());

  const copy = () => {
    const name = `copy-${++number}`;
    cpSync(rig.placeOf('signed'), rig.placeOf(name), { recursive: true });
    return name;
  };

  /** Undefined if it was refused, and then nothing was written. Any other error is a fault of the program. */
  async function restore(name: string, check = onlySigned) {
    const target = `${name}-restored-${++number}`;
    try {
      const restored = await rig.restore(name, target, check);
      const blobs = rig.blobsIn(target);
      for (const file of files) await readBytes(blobs, file.id, 0, file.size - 1, file.size);
      assert.deepEqual([restored.users, restored.files, restored.bytes], [1, 2, 11]);
      return restored;
    } catch (error) {
      assert.ok(error instanceof BackupError, String(error));
      assert.doesNotMatch(error.message, /\n/);
      assert.ok(!existsSync(rig.placeOf(target)));
      return undefined;
    } finally {
      rmSync(rig.placeOf(target), { recursive: true, force: true });
    }
  }

  it('is restored with its key, and its MAC covers every byte of every part', async () => {
    assert.ok(await restore('signed'));
    const parts = globSync(`${rig.placeOf('signed')}/**`).filter((path) => statSync(path).isFile());
    assert.equal(parts.length, 6);
    for (const part of parts) {
      const [changed, removed] = [copy(), copy()];
      const name = relative(rig.placeOf('signed'), part);
      const bytes = readFileSync(part);
      bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
      writeFileSync(join(rig.placeOf(changed), name), bytes);
      assert.equal(await restore(changed), undefined, `${name} with another byte`);
      rmSync(join(rig.placeOf(removed), name));
      assert.equal(await restore(removed), undefined, `without ${name}`);
    }
  });

  it('with other rows is refused even if all hashes fit again', async () => {
    const name = `copy-${++number}`;
    forgeBackup(rig.placeOf('signed'), rig.placeOf(name), {
      rows: (lines) => setCell(lines, 'users', 'blocked_at', 5),
    });
    assert.equal(await restore(name), undefined);
    rmSync(macPath(rig.placeOf(name)));
    assert.equal(await restore(name), undefined, 'without the MAC');
    assert.ok(await restore(name, requireMac([key], true)), 'unless the operator accepts it');
  });

  it('with the MAC or the manifest of another backup is refused', async () => {
    await rig.add(Buffer.from('third'));
    await rig.create('second', undefined, key);
    const [one, two, three] = [copy(), copy(), copy()];
    cpSync(macPath(rig.placeOf('second')), macPath(rig.placeOf(one)));
    assert.equal(await restore(one), undefined);
    cpSync(manifestPath(rig.placeOf('second')), manifestPath(rig.placeOf(two)));
    assert.equal(await restore(two), undefined);
    // The manifest is right now, and the parts do not have its hashes.
    for (const pathOf of [macPath, manifestPath]) cpSync(pathOf(rig.placeOf('second')), pathOf(rig.placeOf(three)));
    const troubles = (await rig.verify(three)).troubles;
    assert.deepEqual(troubles, ['the database is damaged', 'the list of files is damaged']);
    assert.equal(await restore(three), undefined);
  });

  it('with random damage in its archive is restored exactly or refused', async () => {
    const whole = readFileSync(rig.placeOf('signed.tar'));
    const at = fc.nat(whole.length - 1);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at, by: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at, by: fc.nat(3000) }),
      fc.record({ kind: fc.constant('double' as const), at, by: fc.nat(3000) }),
      fc.record({ kind: fc.constant('end' as const), at, by: fc.constant(0) }),
    );
    let [restored, refused] = [0, 0];
    const property = fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const path = rig.placeOf('damaged.tar');
      writeFileSync(path, damages.reduce(spoil, whole));
      const outcome = await withBackupFolder(path, (folder) => restore(relative(rig.placeOf('.'), folder))).catch(
        (error: unknown) => void assert.ok(error instanceof BackupError, String(error)),
      );
      if (outcome === undefined) refused += 1;
      else restored += 1;
      assert.deepEqual(
        readdirSync(rig.placeOf('.')).filter((name) => /^unpacked|^escaped/.test(name)),
        [],
      );
    });
    await fc.assert(property, { seed, numRuns: 60 });
    assert.ok(refused > 20, `${restored} restored, ${refused} refused`);
  });

  it('with random values in its rows is refused, or restored with values of the right form, when nobody has a key', async () => {
    const odd = fc.oneof(
      fc.constantFrom(
        '../x',
        '\0',
        '\ud800',
        '',
        '__proto__',
        'text/html',
        'x\r\nSet-Cookie: a=b',
        -1,
        1.5,
        2 ** 53,
        null,
        true,
        {},
        [],
        'x'.repeat(2 ** 20 + 1),
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.integer(),
      fc.json(),
    );
    const likely = fc.constantFrom(
      '+4915000019999',
      'a@b.co',
      'image/jpeg',
      'audio',
      '{"a":1}',
      'x'.repeat(30),
      1e12,
      7,
      null,
    );
    let restored = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.keys(rightForms)),
      fc.oneof(odd, odd, likely),
      fc.boolean(),
      async (place, value, adds) => {
        const [table = '', column = ''] = place.split('.');
        const name = `copy-${++number}`;
        forgeBackup(rig.placeOf('signed'), rig.placeOf(name), {
          rows: (lines) => (adds ? addRow(lines, table, { [column]: value }) : setCell(lines, table, column, value)),
          manifest: (manifest) => {
            const rows = manifest.rows as Record<string, number>;
            return adds ? { ...manifest, rows: { ...rows, [table]: (rows[table] ?? 0) + 1 } } : manifest;
          },
        });
        rmSync(macPath(rig.placeOf(name)));
        const target = `${name}-restored`;
        const outcome = await rig.restore(name, target).then(
          () => true,
          (error: unknown) => error,
        );
        const what = `${place} ${JSON.stringify(value)}`;
        if (outcome === true) {
          restored += 1;
          assert.deepEqual(wrongCells(rig.placeOf(target), place), [], what);
        } else {
          assert.ok(outcome instanceof BackupError, `${what}: ${String(outcome)}`);
          assert.ok(!existsSync(join(rig.placeOf(target), 'files')), 'no file is stored');
        }
        for (const folder of [name, target]) rmSync(rig.placeOf(folder), { recursive: true, force: true });
      },
    );
    await fc.assert(property, { seed, numRuns: 60, examples: [['users.phone', '+4915000019999', false]] });
    assert.ok(restored > 0, 'the example is restored');
    assert.deepEqual(
      readdirSync(rig.placeOf('.')).filter((name) => name === 'escaped' || name === 'x'),
      [],
    );
  });
});

describe('a backup of the version before there were MACs', () => {
  const path = new URL('../fixtures/backups/before-mac.tar', import.meta.url).pathname;
  it('is verified and restored', async () => {
    const rig = await openBackupRig();
    try {
      cpSync(path, rig.placeOf('old.tar'));
      await withBackupFolder(rig.placeOf('old.tar'), async (folder) => {
        const name = relative(rig.placeOf('.'), folder);
        assert.deepEqual((await rig.verify(name)).troubles, []);
        const { users, files, bytes } = await rig.restore(name, 'restored');
        assert.deepEqual({ users, files, bytes }, { users: 1, files: 2, bytes: 21 });
        await assert.rejects(rig.restore(name, 'strict', onlySigned), /has no MAC/);
      });
    } finally {
      await rig.end();
    }
  });
});

type Damage = { readonly kind: 'flip' | 'cut' | 'double' | 'end'; readonly at: number; readonly by: number };

function spoil(bytes: Buffer, { kind, at, by }: Damage): Buffer {
  const place = Math.min(at, bytes.length);
  const [start, rest] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (kind === 'end') return start;
  if (kind === 'cut') return Buffer.concat([start, rest.subarray(by)]);
  if (kind === 'double') return Buffer.concat([start, rest.subarray(0, by), rest]);
  return Buffer.concat([start, Buffer.from([(rest[0] ?? 0) ^ by]), rest.subarray(1)]);
}
